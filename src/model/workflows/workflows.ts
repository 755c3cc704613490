import type { CallOptions, Page, WorkflowQuery } from '../../domain/queries.ts';
import type { Clock } from '../../base/time.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Observable, ObservableValue } from '../../base/event.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { Connection } from '../../domain/connection.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { Clients, KnownConnections } from '../connections/clients.ts';
import { PagedList, type PagedListState } from '../list/pagedList.ts';
import type { ReadPage } from '../list/pages.ts';
import { KnownWorkflows, mergeWorkflow, workflowsLookSame } from './knownWorkflows.ts';
import { noFilter, passesFilter, toQuery, type WorkflowFilter } from './workflowFilter.ts';

/**
 * `error`: of the last refresh, or a rejected key in any other call. `items`: in the service's order, filtered. "idle": never requested for
 * this connection and filter, so the view requests it.
 */
export interface WorkflowsState extends PagedListState<Workflow> {
  readonly connectionId: string | null;
  readonly filter: WorkflowFilter;
}

/** "list": rows were added, removed or moved. "rows": only these workflows look different, in the list or elsewhere. */
export type WorkflowChange =
  { readonly kind: 'list' } | { readonly kind: 'rows'; readonly workflowIds: readonly string[] };

const pageSize = 50;

/** The workflows of the active connection: the list as shown, and every known workflow. Sends no requests on its own. */
export class Workflows implements Disposable {
  readonly #clients: Clients;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<WorkflowChange>());
  /** Fires with what must be redrawn. */
  readonly onDidChangeItems = this.#changes.event;
  readonly #state: ObservableValue<WorkflowsState>;
  readonly #list: PagedList<Workflow>;
  /** Includes workflows that the filter hides. */
  readonly #known: KnownWorkflows;
  #connection: Connection | null;
  #filter: WorkflowFilter = noFilter;
  /** Counts what is asked for and what comes without being asked for, to tell an earlier record from a later one. */
  #order = 0;
  /** By workflow: when the record was asked for that is the latest, in that order. */
  readonly #latest = new Map<string, number>();

  constructor(connections: KnownConnections, clients: Clients, clock: Clock) {
    this.#clients = clients;
    this.#connection = connections.active.current;
    this.#list = this.#owned.add(this.#createList());
    this.#known = this.#owned.add(this.#createKnown(clock));
    this.#state = this.#owned.add(new ObservableValue(this.#describe()));
    this.#owned.add(this.#list.state.onDidChange(() => this.#state.set(this.#describe())));
    this.#owned.add(
      this.#list.onDidChangeItems((change) =>
        this.#changes.fire(change.kind === 'list' ? change : { kind: 'rows', workflowIds: change.ids }),
      ),
    );
    this.#follow(connections);
  }

  /** Fires for every new state, including changes of status and error. */
  get state(): Observable<WorkflowsState> {
    return this.#state;
  }

  /**
   * Reads as much again as was loaded. Failures become state; rejects only when cancelled. Does nothing without a connection.
   * `purpose`: default "asked".
   */
  async refresh(signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    if (this.#connection) await this.#list.refresh({ signal, purpose });
  }

  async loadMore(): Promise<void> {
    if (this.#connection) await this.#list.loadMore();
  }

  /** Sets the filter and reads the list again. */
  async setFilter(filter: WorkflowFilter): Promise<void> {
    this.#filter = filter;
    this.#list.reset();
    await this.refresh();
  }

  /** Returns the last known record of a workflow of this connection, even if the filter hides it. */
  find({ connectionId, workflowId }: WorkflowTarget): Workflow | undefined {
    if (!this.#isShown(connectionId)) return undefined;
    return this.#list.find(workflowId) ?? this.#known.find(workflowId);
  }

  /** True when a workflow of this connection is known to be deleted. */
  isDeleted({ connectionId, workflowId }: WorkflowTarget): boolean {
    return this.#isShown(connectionId) && this.#known.isDeleted(workflowId);
  }

  /** The name that a deleted workflow of this connection had; undefined if it was never known. */
  lastName({ connectionId, workflowId }: WorkflowTarget): string | undefined {
    return this.#isShown(connectionId) ? this.#known.lastName(workflowId) : undefined;
  }

  /** Reads a few unknown workflows in the background, each of them once, and fires "rows" for them. Does nothing until a list was read. */
  prefetchNames(connectionId: string, workflowIds: readonly string[]): void {
    if (this.#isShown(connectionId) && this.#list.state.current.hasData)
      this.#known.prefetchNames(workflowIds);
  }

  /** Returns the workflow if it's known, perhaps without its definition, else reads it. Rejects with a ServiceError. */
  async get(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow> {
    return this.find(target) ?? (await this.read(target, signal));
  }

  /** Reads a workflow with its definition. Rejects with a ServiceError. `purpose`: default "asked". */
  async read(target: WorkflowTarget, signal?: AbortSignal, purpose?: Purpose): Promise<Workflow> {
    const client = this.#clients.get(target.connectionId);
    const order = this.#nextOrder();
    const workflow = await client.workflows.get(target.workflowId, { signal, purpose });
    this.#take(target.connectionId, workflow, { mayInsert: false, order });
    return workflow;
  }

  /** Reads one page for the user to choose from; shows nothing in the view. Rejects with a ServiceError. */
  async search(connectionId: string, query: WorkflowQuery, signal?: AbortSignal): Promise<Page<Workflow>> {
    return this.#clients.get(connectionId).workflows.list(query, { signal });
  }

  /** Reads the first workflows, by default all, however many pages they are on, and shows nothing. Rejects with a ServiceError. */
  async listWhole(
    connectionId: string,
    {
      limit = Infinity,
      signal,
      purpose = 'workflows',
    }: { readonly limit?: number; readonly signal: AbortSignal; readonly purpose?: Purpose },
  ): Promise<readonly Workflow[]> {
    const { workflows } = this.#clients.get(connectionId);
    return workflows.listWhole({ limit, signal, purpose });
  }

  /** Applies a newer record of a workflow. Ignored if it belongs to another connection than the shown one. */
  update(connectionId: string, workflow: Workflow): void {
    this.#take(connectionId, workflow, { mayInsert: false, order: this.#nextOrder() });
  }

  /** Shows a newly created workflow at the front. */
  add(connectionId: string, workflow: Workflow): void {
    this.#take(connectionId, workflow, { mayInsert: true, order: this.#nextOrder() });
  }

  /** Removes a deleted workflow. */
  drop({ connectionId, workflowId }: WorkflowTarget): void {
    if (!this.#isShown(connectionId)) return;
    this.#latest.set(workflowId, this.#nextOrder());
    this.#known.markDeleted(workflowId);
    this.#list.remove(workflowId);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #isShown(connectionId: string): boolean {
    return connectionId === this.#connection?.id;
  }

  #nextOrder(): number {
    return (this.#order += 1);
  }

  #take(
    connectionId: string,
    workflow: Workflow,
    { mayInsert, order }: { readonly mayInsert: boolean; readonly order: number },
  ): void {
    if (!this.#isShown(connectionId)) return;
    const { id } = workflow;
    const earlier = this.#known.find(id);
    const latest = this.#latest.get(id) ?? 0;
    // It was asked for before a change, and comes after it.
    if (order < latest && !(earlier && workflowsLookSame(earlier, workflow))) return;
    this.#latest.set(id, Math.max(order, latest));
    this.#known.take(workflow);
    const wasListed = this.#list.find(id) !== undefined;
    if (passesFilter(workflow, this.#filter)) this.#list.put(workflow, mayInsert);
    else this.#list.remove(id);
    const isListed = wasListed || this.#list.find(id) !== undefined;
    if (!isListed && earlier && !workflowsLookSame(earlier, workflow))
      this.#changes.fire({ kind: 'rows', workflowIds: [id] });
  }

  #createList(): PagedList<Workflow> {
    return new PagedList<Workflow>({
      keyOf: ({ id }) => id,
      pageSize,
      readPage: (options) => this.#pageReader(options),
      accepts: (workflow) => passesFilter(workflow, this.#filter),
      merge: mergeWorkflow,
      looksSame: workflowsLookSame,
    });
  }

  #pageReader(options: CallOptions): ReadPage<Workflow> {
    const connection = this.#connection;
    const filter = this.#filter;
    return async (cursor, limit) => {
      if (!connection) return { items: [], nextCursor: null };
      const { workflows } = this.#clients.get(connection.id);
      const query = { ...toQuery(filter), limit, ...(cursor === undefined ? {} : { cursor }) };
      const order = this.#nextOrder();
      const page = await workflows.list(query, options);
      if (connection === this.#connection)
        for (const item of page.items) if (order >= (this.#latest.get(item.id) ?? 0)) this.#known.take(item);
      return page;
    };
  }

  #createKnown(clock: Clock): KnownWorkflows {
    return new KnownWorkflows({
      clock,
      read: (workflowId, signal) => {
        const { workflows } = this.#clients.get(this.#connection?.id ?? '');
        return workflows.getOne(workflowId, { signal, purpose: 'workflows' });
      },
      isComplete: () => {
        const { hasData, nextCursor } = this.#list.state.current;
        return hasData && nextCursor === null && Object.keys(toQuery(this.#filter)).length === 0;
      },
      announce: (workflowIds) => this.#changes.fire({ kind: 'rows', workflowIds }),
    });
  }

  #follow(connections: KnownConnections): void {
    this.#owned.add(connections.active.onDidChange((connection) => this.#turnTo(connection)));
    this.#owned.add(
      this.#clients.onDidFail(({ connectionId, error }) => {
        const isOfKey = isServiceError(error, 'keyRejected') || isServiceError(error, 'keyMissing');
        if (isOfKey && this.#isShown(connectionId)) this.#list.fail(error);
      }),
    );
    this.#owned.add(
      connections.onDidChangeKey((connectionId) => {
        // Another key may belong to another account.
        if (this.#isShown(connectionId)) this.#startOver();
      }),
    );
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
    this.#latest.clear();
    this.#known.reset();
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
