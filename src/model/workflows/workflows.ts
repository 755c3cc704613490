// The workflows of the active connection as they are shown; the only place that knows which page was read and what changed.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import { callOptions } from '../callOptions.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import type { Clients } from '../clients.ts';
import type { Clock } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../../domain/connection.ts';
import { PagedList, type PagedListState } from '../list/pagedList.ts';
import type { PageReader } from '../list/pages.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { noFilter, passesFilter, toQuery, type WorkflowFilter } from './workflowFilter.ts';
import { mergeWorkflow, workflowsLookSame } from './workflowMerging.ts';
import { WorkflowNames } from './workflowNames.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { CallOptions } from '../../domain/queries.ts';

/** error: of the last refresh, or a refused key that any other call met. items: in the service's order, filtered; "idle": never asked for this connection and filter, so the view asks. */
export interface WorkflowsState extends PagedListState<Workflow> {
  readonly connectionId: string | null;
  readonly filter: WorkflowFilter;
}

/** "list": rows came, went or moved. "rows": only these look different, whether the list shows them or a document does. */
export type WorkflowChange =
  { readonly kind: 'list' } | { readonly kind: 'rows'; readonly workflowIds: readonly string[] };

export interface Workflows extends Disposable {
  /** Announces every replacement of the state, also of status and error. */
  readonly state: Observable<WorkflowsState>;
  /** What has to be drawn again. */
  readonly onDidChangeItems: Event<WorkflowChange>;
  /** Reads again as much as was loaded. Failures become state; rejects only when cancelled. Does nothing without a connection. Purpose: default "asked". */
  refresh(signal?: AbortSignal, purpose?: Purpose): Promise<void>;
  loadMore(signal?: AbortSignal): Promise<void>;
  /** Narrows the list and reads it. */
  setFilter(filter: WorkflowFilter, signal?: AbortSignal): Promise<void>;
  /** The last reading of a workflow of this connection, shown or filtered away. */
  find(target: WorkflowTarget): Workflow | undefined;
  /** True when a workflow of this connection is known to be gone. */
  isDeleted(target: WorkflowTarget): boolean;
  /** Reads a few of those that are not known, in the background and each once; what is learned is announced as rows. Only after a list was read. */
  prefetchNames(connectionId: string, workflowIds: readonly string[]): void;
  /** Reads one with its definition. Rejects with a ServiceError. */
  read(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow>;
  /** Takes over a newer reading of a workflow; one of another connection than the shown one is dropped. */
  update(connectionId: string, workflow: Workflow): void;
  /** Shows a workflow that was just created, in front. */
  add(connectionId: string, workflow: Workflow): void;
  /** Takes a deleted workflow away. */
  drop(target: WorkflowTarget): void;
}

const pageSize = 50;

/** Builds the store; it asks nothing until it is told to. */
export function createWorkflows(connections: Connections, clients: Clients, clock: Clock): Workflows {
  return new ShownWorkflows(connections, clients, clock);
}

class ShownWorkflows implements Workflows {
  readonly #clients: Clients;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<WorkflowChange>());
  readonly onDidChangeItems = this.#changes.event;
  readonly #state: ObservableValue<WorkflowsState>;
  readonly #list: PagedList<Workflow>;
  readonly #names: WorkflowNames;
  /** Every reading of the shown connection, those that the filter hides included. */
  readonly #known = new Map<string, Workflow>();
  #connection: Connection | null;
  #filter: WorkflowFilter = noFilter;

  constructor(connections: Connections, clients: Clients, clock: Clock) {
    this.#clients = clients;
    this.#connection = connections.active.current;
    this.#list = this.#owned.add(
      new PagedList<Workflow>({
        pageSize,
        readPage: (options) => this.#pageReader(options),
        keyOf: ({ id }) => id,
        accepts: (workflow) => passesFilter(workflow, this.#filter),
        merge: mergeWorkflow,
        looksSame: workflowsLookSame,
      }),
    );
    this.#names = this.#owned.add(this.#createNames(clock));
    this.#state = this.#owned.add(new ObservableValue(this.#describe()));
    this.#owned.add(this.#list.state.onDidChange(() => this.#state.set(this.#describe())));
    this.#owned.add(
      this.#list.onDidChangeItems((change) =>
        this.#changes.fire(change.kind === 'list' ? change : { kind: 'rows', workflowIds: change.ids }),
      ),
    );
    this.#owned.add(connections.active.onDidChange((connection) => this.#turnTo(connection)));
    this.#owned.add(
      clients.onDidFail(({ connectionId, error }) => {
        const isOfKey = isServiceError(error, 'keyRejected') || isServiceError(error, 'keyMissing');
        if (isOfKey && connectionId === this.#connection?.id) this.#list.fail(error);
      }),
    );
    this.#owned.add(
      connections.onDidChangeKey((connectionId) => {
        // Another key may belong to another account.
        if (connectionId === this.#connection?.id) this.#startOver();
      }),
    );
  }

  get state(): Observable<WorkflowsState> {
    return this.#state;
  }

  async refresh(signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    if (this.#connection) await this.#list.refresh(callOptions(signal, purpose));
  }

  async loadMore(signal?: AbortSignal): Promise<void> {
    if (this.#connection) await this.#list.loadMore(callOptions(signal));
  }

  async setFilter(filter: WorkflowFilter, signal?: AbortSignal): Promise<void> {
    this.#filter = filter;
    this.#list.reset();
    await this.refresh(signal);
  }

  find(target: WorkflowTarget): Workflow | undefined {
    if (target.connectionId !== this.#connection?.id) return undefined;
    return this.#list.find(target.workflowId) ?? this.#known.get(target.workflowId);
  }

  isDeleted({ connectionId, workflowId }: WorkflowTarget): boolean {
    return connectionId === this.#connection?.id && this.#names.isDeleted(workflowId);
  }

  prefetchNames(connectionId: string, workflowIds: readonly string[]): void {
    const { hasData } = this.#list.state.current;
    if (connectionId === this.#connection?.id && hasData) this.#names.prefetch(workflowIds);
  }

  async read(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow> {
    const client = this.#clients.get(target.connectionId);
    const workflow = await client.workflows.get(target.workflowId, callOptions(signal));
    this.update(target.connectionId, workflow);
    return workflow;
  }

  update(connectionId: string, workflow: Workflow): void {
    this.#take(connectionId, workflow, false);
  }

  add(connectionId: string, workflow: Workflow): void {
    this.#take(connectionId, workflow, true);
  }

  drop(target: WorkflowTarget): void {
    if (target.connectionId !== this.#connection?.id) return;
    this.#known.delete(target.workflowId);
    this.#names.markDeleted(target.workflowId);
    this.#list.remove(target.workflowId);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #take(connectionId: string, workflow: Workflow, mayInsert: boolean): void {
    if (connectionId !== this.#connection?.id) return;
    const { id } = workflow;
    const earlier = this.#known.get(id);
    this.#remember(workflow);
    const wasListed = this.#list.find(id) !== undefined;
    if (passesFilter(workflow, this.#filter)) this.#list.put(workflow, mayInsert);
    else this.#list.remove(id);
    const isListed = wasListed || this.#list.find(id) !== undefined;
    if (!isListed && earlier && !workflowsLookSame(earlier, workflow))
      this.#changes.fire({ kind: 'rows', workflowIds: [id] });
  }

  #remember(workflow: Workflow): void {
    const earlier = this.#known.get(workflow.id);
    this.#known.set(workflow.id, earlier ? mergeWorkflow(earlier, workflow) : workflow);
  }

  #pageReader(options: CallOptions): PageReader<Workflow> {
    const connection = this.#connection;
    const filter = this.#filter;
    return async (cursor, limit) => {
      if (!connection) return { items: [], nextCursor: null };
      const { workflows } = this.#clients.get(connection.id);
      const query = { ...toQuery(filter), limit, ...(cursor === undefined ? {} : { cursor }) };
      const page = await workflows.list(query, options);
      if (connection === this.#connection) page.items.forEach((item) => this.#remember(item));
      return page;
    };
  }

  #createNames(clock: Clock): WorkflowNames {
    return new WorkflowNames({
      clock,
      read: (workflowId, signal) =>
        this.#clients
          .get(this.#connection?.id ?? '')
          .workflows.getOne(workflowId, callOptions(signal, 'workflows')),
      take: (workflow) => this.#remember(workflow),
      isKnown: (workflowId) => this.#known.has(workflowId),
      isComplete: () => {
        const { hasData, nextCursor } = this.#list.state.current;
        return hasData && nextCursor === null && Object.keys(toQuery(this.#filter)).length === 0;
      },
      announce: (workflowIds) => this.#changes.fire({ kind: 'rows', workflowIds }),
    });
  }

  #turnTo(connection: Connection | null): void {
    const isSame =
      connection?.id === this.#connection?.id && connection?.baseUrl === this.#connection?.baseUrl;
    this.#connection = connection;
    if (isSame) return;
    this.#filter = noFilter;
    this.#startOver();
  }

  #startOver(): void {
    this.#known.clear();
    this.#names.reset();
    this.#list.reset();
  }

  #describe(): WorkflowsState {
    return {
      ...this.#list.state.current,
      connectionId: this.#connection?.id ?? null,
      filter: this.#filter,
    };
  }
}
