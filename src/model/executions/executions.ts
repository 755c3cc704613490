// The executions that were read, as lists per workflow and as single records, with their log feeds and node runs.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { callOptions } from '../callOptions.ts';
import type { Clients } from '../clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { PagedListState } from '../list/pagedList.ts';
import type { Clock } from '../ports.ts';
import type { ExecutionScope, ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { triggeredExecution } from './executionMerging.ts';
import { ExecutionShelf } from './executionShelf.ts';
import type { LogFeed } from './logFeed.ts';
import { LogFeeds, maximumFeedBytes } from './logFeeds.ts';
import { withWholeValues } from './wholeValues.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { Execution, Output, Triggered } from '../../domain/execution.ts';
import type { ExecutionQuery, Page } from '../../domain/queries.ts';
import type { Status } from '../../domain/status.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** items: newest first; unchanged readings keep their identity. "idle": never asked, so the view asks. */
type ExecutionList = PagedListState<Execution>;

/** "list": a list's rows came, went or moved, or its error or its being there did. "rows": only these executions look different. "nodeRuns": those below one execution. */
export type ExecutionChange =
  | { readonly kind: 'list'; readonly scope: ExecutionScope }
  | { readonly kind: 'rows'; readonly connectionId: string; readonly executionIds: readonly string[] }
  | { readonly kind: 'nodeRuns'; readonly target: ExecutionTarget };

/** Holds whatever connection was asked; a switch mixes nothing, and what belongs to a removed connection is forgotten. */
export interface Executions extends Disposable {
  readonly onDidChange: Event<ExecutionChange>;
  list(scope: ExecutionScope): ExecutionList;
  /** Reads again as much as was loaded, at least 10. Failures become state; rejects only when cancelled. */
  refresh(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void>;
  /** Reads the newest page only; what is loaded below it stays. For keeping a long list fresh. */
  refreshNewest(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void>;
  loadMore(scope: ExecutionScope, signal?: AbortSignal): Promise<void>;
  /** Lets go of a list that is no longer shown. */
  forget(scope: ExecutionScope): void;
  find(target: ExecutionTarget): Execution | undefined;
  /** Reads one record and shows it. Rejects with a ServiceError. */
  read(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<Execution>;
  /** Takes a record over; a final state is never taken back by a late answer. */
  upsert(connectionId: string, execution: Execution): void;
  /** Shows a new execution before the service lists it. */
  showTriggered(target: WorkflowTarget, trigger: Triggered): void;
  /** Takes over what a follower learned of the state, before the record is read. */
  setStatus(target: ExecutionTarget, status: Status): void;
  /** The rows of one execution, empty until they are read or followed. */
  logs(target: ExecutionTarget): LogFeed;
  /** Until it is disposed of, the execution's feed stays the same and keeps its rows. */
  keepLogs(target: ExecutionTarget): Disposable;
  /** Reads the rows that are missing, and those again whose values were cut if there is room for them. Rejects with a ServiceError. */
  readLogs(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<LogFeed>;
  /** One page of what the service lists, for a choice; shows nothing. Rejects with a ServiceError. */
  search(connectionId: string, query: ExecutionQuery, signal?: AbortSignal): Promise<Page<Execution>>;
  /** Rejects with a ServiceError. */
  output(target: ExecutionTarget, signal?: AbortSignal): Promise<Output>;
  /** What a node run took and gave, whole also where the list of rows cut it. Rejects with a ServiceError. */
  readWholeValues(target: ExecutionTarget, run: NodeRun, signal?: AbortSignal): Promise<NodeRun>;
}

/** Builds the store; it asks nothing until it is told to. */
export function createExecutions(connections: Connections, clients: Clients, clock: Clock): Executions {
  return new HeldExecutions(connections, clients, clock);
}

class HeldExecutions implements Executions {
  readonly #clients: Clients;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<ExecutionChange>());
  readonly onDidChange = this.#changes.event;
  /** What is held of each connection. */
  readonly #shelves = new Map<string, ExecutionShelf>();
  readonly #feeds = this.#owned.add(
    new LogFeeds((target) => this.#changes.fire({ kind: 'nodeRuns', target })),
  );

  constructor(connections: Connections, clients: Clients, clock: Clock) {
    this.#clients = clients;
    this.#clock = clock;
    this.#owned.add(
      connections.all.onDidChange(() => {
        for (const [connectionId, shelf] of this.#shelves) {
          if (connections.find(connectionId)) continue;
          this.#shelves.delete(connectionId);
          shelf.dispose();
        }
        this.#feeds.forgetOthers(({ connectionId }) => connections.find(connectionId) !== undefined);
      }),
    );
  }

  list(scope: ExecutionScope): ExecutionList {
    return this.#shelf(scope.connectionId).list(scope).state.current;
  }

  refresh(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    return this.#shelf(scope.connectionId).list(scope).refresh(callOptions(signal, purpose));
  }

  refreshNewest(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    return this.#shelf(scope.connectionId).list(scope).refreshHead(callOptions(signal, purpose));
  }

  loadMore(scope: ExecutionScope, signal?: AbortSignal): Promise<void> {
    return this.#shelf(scope.connectionId).list(scope).loadMore(callOptions(signal));
  }

  forget(scope: ExecutionScope): void {
    this.#shelves.get(scope.connectionId)?.forget(scope);
  }

  find(target: ExecutionTarget): Execution | undefined {
    return this.#shelf(target.connectionId).find(target.executionId);
  }

  async read(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<Execution> {
    const { executions } = this.#clients.get(target.connectionId);
    const shelf = this.#shelf(target.connectionId);
    return shelf.take(await executions.get(target.executionId, callOptions(signal, purpose)));
  }

  upsert(connectionId: string, execution: Execution): void {
    this.#shelf(connectionId).take(execution);
  }

  showTriggered({ connectionId, workflowId }: WorkflowTarget, trigger: Triggered): void {
    const now = this.#clock.now();
    for (const executionId of trigger.executionIds)
      this.#shelf(connectionId).expect(triggeredExecution(executionId, workflowId, trigger, now));
  }

  setStatus(target: ExecutionTarget, status: Status): void {
    const execution = this.find(target);
    if (execution) this.upsert(target.connectionId, { ...execution, status });
  }

  logs(target: ExecutionTarget): LogFeed {
    return this.#feeds.get(target);
  }

  keepLogs(target: ExecutionTarget): Disposable {
    return this.#feeds.keep(target);
  }

  async readLogs(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<LogFeed> {
    const kept = this.keepLogs(target);
    try {
      const feed = this.#feeds.get(target);
      const { executions } = this.#clients.get(target.connectionId);
      const isWholeWanted = feed.isCut && feed.wholeBytes <= maximumFeedBytes;
      const query = feed.lastSequence === undefined || isWholeWanted ? {} : { after: feed.lastSequence };
      feed.add(await executions.logs(target.executionId, query, callOptions(signal, purpose)));
      return feed;
    } finally {
      kept.dispose();
    }
  }

  async search(connectionId: string, query: ExecutionQuery, signal?: AbortSignal): Promise<Page<Execution>> {
    return this.#clients.get(connectionId).executions.list(query, { signal });
  }

  async output({ connectionId, executionId }: ExecutionTarget, signal?: AbortSignal): Promise<Output> {
    return this.#clients.get(connectionId).executions.output(executionId, { signal });
  }

  readWholeValues(target: ExecutionTarget, run: NodeRun, signal?: AbortSignal): Promise<NodeRun> {
    const { executions } = this.#clients.get(target.connectionId);
    return withWholeValues(run, (logId) =>
      executions.getNodeLog(target.executionId, logId, callOptions(signal)),
    );
  }

  dispose(): void {
    for (const shelf of this.#shelves.values()) shelf.dispose();
    this.#shelves.clear();
    this.#owned.dispose();
  }

  #shelf(connectionId: string): ExecutionShelf {
    const existing = this.#shelves.get(connectionId);
    if (existing) return existing;
    const shelf = new ExecutionShelf({
      connectionId,
      clock: this.#clock,
      readClient: () => this.#clients.get(connectionId),
      announce: (change) => this.#changes.fire(change),
    });
    this.#shelves.set(connectionId, shelf);
    return shelf;
  }
}
