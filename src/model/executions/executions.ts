import type { JsonValue } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { Execution, Output, Triggered } from '../../domain/execution.ts';
import type { ValueName } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { Status } from '../../domain/status.ts';
import type { ExecutionScope, ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import type { Clients, KnownConnections } from '../connections/clients.ts';
import type { PagedListState } from '../list/pagedList.ts';
import {
  ConnectionExecutions,
  type ExecutionChange,
  listExecutions,
  type NewestOfWorkflow,
  ofKind,
} from './connectionExecutions.ts';
import { executionsLookSame, lightExecution, triggeredExecution } from './executionRecord.ts';
import type { LogFeed } from '../log/logFeed.ts';
import { type KeptFeed, LogFeeds, maximumValueBytes } from '../log/logFeeds.ts';
import type { RowStore } from '../log/rowStore.ts';
import type { ExecutionQuery, Page } from '../../domain/queries.ts';
import { isTruncated } from '../../protocol/truncatedValue.ts';
import type { Clock } from '../../base/time.ts';
import { ifOffered, isServiceError } from '../../domain/errors.ts';

/** `items`: newest first; unchanged records keep their identity. "idle": never requested, so the view requests it. */
type ExecutionList = PagedListState<Execution>;

/**
 * The executions that were read, with their log feeds and node runs, separately for each connection. Those of removed connections are
 * dropped. Sends no requests on its own.
 */
export class Executions implements Disposable {
  readonly #clients: Clients;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<ExecutionChange>());
  readonly onDidChange: Event<ExecutionChange> = this.#changes.event;
  readonly #byConnection = new Map<string, ConnectionExecutions>();
  readonly #feeds: LogFeeds;

  /** `rows`: keeps the rows of logs. */
  constructor(connections: KnownConnections, clients: Clients, clock: Clock, rows: RowStore) {
    this.#clients = clients;
    this.#clock = clock;
    this.#feeds = this.#owned.add(
      new LogFeeds((target) => this.#changes.fire({ kind: 'nodeRuns', target }), rows),
    );
    this.#owned.add(
      connections.all.onDidChange(() => {
        for (const [connectionId, held] of this.#byConnection) {
          if (connections.find(connectionId)) continue;
          this.#byConnection.delete(connectionId);
          held.dispose();
        }
        this.#feeds.forgetOthers(({ connectionId }) => connections.find(connectionId) !== undefined);
      }),
    );
  }

  list(scope: ExecutionScope): ExecutionList {
    return this.#of(scope).list(scope).state.current;
  }

  /** The first items of a list: those that its last read from the start returned. */
  newest(scope: ExecutionScope): readonly Execution[] {
    const { state, newestCount } = this.#of(scope).list(scope);
    return state.current.items.slice(0, newestCount);
  }

  /** Reads as much again as was loaded, at least 10. Failures become state; rejects only when cancelled. */
  refresh(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    return this.#of(scope).list(scope).refresh({ signal, purpose });
  }

  /** Reads only the newest page and keeps the rows loaded below it. Keeps a long list fresh. */
  refreshNewest(scope: ExecutionScope, signal?: AbortSignal, purpose?: Purpose): Promise<void> {
    return this.#of(scope).list(scope).refreshHead({ signal, purpose });
  }

  loadMore(scope: ExecutionScope): Promise<void> {
    return this.#of(scope).list(scope).loadMore();
  }

  /** Shows the newest of the list across all workflows in the other lists. Returns those that must be read themselves. */
  spreadNewest(connectionId: string): readonly ExecutionScope[] {
    return this.#of({ connectionId }).spreadNewest();
  }

  /** Returns the newest execution of a workflow as far as it's known. Sends no request. */
  latest({ connectionId, workflowId }: WorkflowTarget): Execution | undefined {
    return this.#of({ connectionId }).latest(workflowId);
  }

  /** Returns the newest executions of what is deployed of a workflow, as far as they're known. Sends no request. */
  newestOf({ connectionId, workflowId }: WorkflowTarget): NewestOfWorkflow {
    return this.#of({ connectionId }).newestOf(workflowId);
  }

  /** The ids of all executions of a connection that are known, whether a list shows them or not. */
  knownIds(connectionId: string): ReadonlySet<string> {
    return this.#of({ connectionId }).knownIds();
  }

  /** Returns the newest retry of an execution as far as it's known. Sends no request. */
  findRetry(target: ExecutionTarget): Execution | undefined {
    return this.#of(target).retryOf(target.executionId);
  }

  /** Drops a list that isn't shown any more. */
  forget(scope: ExecutionScope): void {
    this.#byConnection.get(scope.connectionId)?.forget(scope);
  }

  find(target: ExecutionTarget): Execution | undefined {
    return this.#of(target).find(target.executionId);
  }

  /** Returns the record if it's known, else reads it. Rejects with a ServiceError. */
  async get(target: ExecutionTarget, signal?: AbortSignal): Promise<Execution> {
    return this.find(target) ?? (await this.read(target, signal));
  }

  /** Reads one record and shows it. Rejects with a ServiceError. */
  async read(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<Execution> {
    const { executions } = this.#clients.get(target.connectionId);
    const held = this.#of(target);
    return takeWhole(held, await executions.get(target.executionId, { signal, purpose }));
  }

  /** Returns the record with its input: the known one if it has it, since an input never changes. Rejects with a ServiceError. */
  async readInput(target: ExecutionTarget, signal?: AbortSignal): Promise<Execution> {
    const known = this.find(target);
    if (known?.input !== undefined) return known;
    const { executions } = this.#clients.get(target.connectionId);
    const held = this.#of(target);
    return takeWhole(held, await executions.getWithInput(target.executionId, { signal }));
  }

  /** Adds or updates a record. A late response never replaces a final state. */
  upsert(connectionId: string, execution: Execution): void {
    this.#of({ connectionId }).take(execution);
  }

  /** Shows a new execution before the service lists it. */
  showTriggered(
    { connectionId, workflowId }: WorkflowTarget,
    trigger: Triggered,
    origin: Partial<Pick<Execution, 'kind' | 'basedOn' | 'retryOf'>> = {},
  ): void {
    const now = this.#clock.now();
    for (const executionId of trigger.executionIds) {
      const execution = triggeredExecution(executionId, workflowId, trigger, now);
      this.#of({ connectionId }).expect({ ...execution, ...origin });
    }
  }

  /** Sets a state that following derived, before the record is read. */
  setStatus(target: ExecutionTarget, status: Status): void {
    const execution = this.find(target);
    if (execution) this.upsert(target.connectionId, { ...execution, status });
  }

  /** Returns the node logs of one execution, empty until they're read or followed. */
  logs(target: ExecutionTarget): LogFeed {
    return this.#feeds.get(target);
  }

  /** Keeps the execution's feed and its rows until it's disposed of. */
  keepLogs(target: ExecutionTarget): KeptFeed {
    return this.#feeds.keep(target);
  }

  /**
   * Reads the missing rows, as many as are read in one go, or all of them if some were truncated and there is room for the whole values. Of a
   * longer log the rest comes by following. Rejects with a ServiceError, which the feed keeps until it's read again.
   */
  async readLogs(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<LogFeed> {
    const kept = this.keepLogs(target);
    const { feed } = kept;
    const hasEnded = this.find(target)?.status.isTerminal === true;
    const earlier = feed.reading;
    // All rows may have come meanwhile, and what was asked for before says nothing about that.
    const isOvertaken = (): boolean => feed.reading !== earlier && feed.reading.kind === 'whole';
    try {
      const { executions } = this.#clients.get(target.connectionId);
      const isWholeWanted = feed.isTruncated && feed.wholeBytes <= maximumValueBytes;
      const query = feed.lastSequence === undefined || isWholeWanted ? {} : { after: feed.lastSequence };
      const { rows, isWhole } = await executions.logs(target.executionId, query, { signal, purpose });
      feed.append(rows);
      if (!isOvertaken()) feed.noteReading({ kind: !hasEnded ? 'begun' : isWhole ? 'whole' : 'part' });
      return feed;
    } catch (error) {
      if (isServiceError(error) && !isOvertaken()) feed.noteReading({ kind: 'failed', error });
      throw error;
    } finally {
      // Rows announce themselves; a failure that came or went has none.
      if ((earlier.kind === 'failed') !== (feed.reading.kind === 'failed'))
        this.#changes.fire({ kind: 'nodeRuns', target });
      kept.dispose();
    }
  }

  /** Reads one page for the user to choose from; adds nothing to the views. Rejects with a ServiceError. */
  async search(
    connectionId: string,
    query: ExecutionQuery,
    signal?: AbortSignal,
    purpose?: Purpose,
  ): Promise<Page<Execution>> {
    const held = this.#of({ connectionId });
    const page = await listExecutions(this.#clients.get(connectionId), query, { signal, purpose });
    // Where a text stands in it belongs to one search.
    for (const { found: _, ...execution } of page.items) held.note(execution);
    return page;
  }

  /** Reads the newest executions, however many pages they are on, and shows nothing. Rejects with a ServiceError. */
  async listWhole(
    connectionId: string,
    query: Pick<ExecutionQuery, 'workflowId' | 'status' | 'kind'>,
    {
      limit,
      signal,
      purpose = 'executions',
    }: { readonly limit: number; readonly signal: AbortSignal; readonly purpose?: Purpose },
  ): Promise<readonly Execution[]> {
    const client = this.#clients.get(connectionId);
    return client.executions.listWhole(ofKind(client, query), { limit, signal, purpose });
  }

  /** Rejects with a ServiceError. Reads also the record of an unknown execution that hasn't ended, so that its end is noticed. */
  async output(target: ExecutionTarget, signal?: AbortSignal, purpose?: Purpose): Promise<Output> {
    const { connectionId, executionId } = target;
    const output = await this.#clients.get(connectionId).executions.output(executionId, { signal, purpose });
    if (output.kind === 'notReady') await ifOffered(this.get(target, signal));
    return output;
  }

  /**
   * Returns the node run with the whole input and output that the list of rows truncated. Values that the service doesn't offer one by one
   * stay truncated. Rejects with a ServiceError.
   */
  async readWholeValues(
    target: ExecutionTarget,
    run: NodeRun,
    signal?: AbortSignal,
    purpose?: Purpose,
  ): Promise<NodeRun> {
    const read = (name: ValueName) => this.readWholeValue(target, run, name, signal, purpose);
    return {
      ...run,
      input: await read('input'),
      output: await read('output'),
      exchange: await read('exchange'),
      get logs() {
        return run.logs;
      },
    };
  }

  /** Returns one of these values. Rejects with a ServiceError. */
  async readWholeValue(
    { connectionId, executionId }: ExecutionTarget,
    run: NodeRun,
    name: ValueName,
    signal?: AbortSignal,
    purpose?: Purpose,
  ): Promise<JsonValue | undefined> {
    const value = run[name];
    const holder = run.valueKeys?.[name] ?? run.logs.findLast((log) => log[name] === value)?.key;
    if (!isTruncated(value) || holder === undefined) return value;
    const { executions } = this.#clients.get(connectionId);
    const log = await ifOffered(executions.getNodeLog(executionId, holder, { signal, purpose }));
    return log === undefined ? value : log[name];
  }

  dispose(): void {
    for (const held of this.#byConnection.values()) held.dispose();
    this.#byConnection.clear();
    this.#owned.dispose();
  }

  #of({ connectionId }: { readonly connectionId: string }): ConnectionExecutions {
    const existing = this.#byConnection.get(connectionId);
    if (existing) return existing;
    const held = new ConnectionExecutions({
      connectionId,
      clock: this.#clock,
      serviceNow: () => this.#clock.now() + this.#clients.clockAheadMs(connectionId),
      readClient: () => this.#clients.get(connectionId),
      announce: (change) => this.#changes.fire(change),
    });
    this.#byConnection.set(connectionId, held);
    return held;
  }
}

/** Holds a record, and returns it as it was read: with its large values, which aren't held, and with what looks the same in a row. */
function takeWhole(records: ConnectionExecutions, execution: Execution): Execution {
  const held = records.take(execution);
  const { input, output, raw } = execution;
  if (lightExecution(execution) !== execution) return { ...held, input, output, raw };
  return held.raw !== raw && executionsLookSame(held, execution) ? { ...held, raw } : held;
}
