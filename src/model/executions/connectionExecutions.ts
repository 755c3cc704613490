import type { ServicePort } from '../../api/servicePort.ts';
import { type CallOptions, noExecutionFilter, type ExecutionQuery, type Page } from '../../domain/queries.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PagedList, type PagedListState } from '../list/pagedList.ts';
import type { ReadPage } from '../list/pages.ts';
import { type ExecutionScope, type ExecutionTarget, scopeName } from '../../domain/targets.ts';
import {
  executionsLookSame,
  lightExecution,
  mergeExecution,
  passesExecutionFilter,
  toExecutionQuery,
} from './executionRecord.ts';
import type { Execution } from '../../domain/execution.ts';
import type { Clock } from '../../base/time.ts';

/** For the list below a workflow; the list of the Executions view has long pages. */
const shortPageSize = 10;
const longPageSize = 100;
/** How long a triggered execution stays at the front although the service doesn't list it. */
const unlistedForMs = 60_000;
/** A limit for windows that stay open for days. Dropped records are read again when needed. */
const maximumRecords = 2000;

/**
 * "list": the list's rows, its error or whether it has data changed. "rows": only these executions look different.
 * "nodeRuns": the node runs of one execution changed.
 */
export type ExecutionChange =
  | { readonly kind: 'list'; readonly scope: ExecutionScope }
  | { readonly kind: 'rows'; readonly connectionId: string; readonly executionIds: readonly string[] }
  | { readonly kind: 'nodeRuns'; readonly target: ExecutionTarget };

/** True for a change of this execution's record or node runs. */
export function isAbout(change: ExecutionChange, { connectionId, executionId }: ExecutionTarget): boolean {
  switch (change.kind) {
    case 'list':
      return false;
    case 'rows':
      return change.connectionId === connectionId && change.executionIds.includes(executionId);
    case 'nodeRuns':
      return change.target.connectionId === connectionId && change.target.executionId === executionId;
  }
}

export interface ConnectionExecutionsDeps {
  readonly connectionId: string;
  readonly clock: Clock;
  /** The service's own time, in epoch milliseconds: the times of its executions are by its clock. */
  readonly serviceNow: () => number;
  readonly readClient: () => ServicePort;
  readonly announce: (change: ExecutionChange) => void;
}

interface HeldList {
  readonly scope: ExecutionScope;
  readonly list: PagedList<Execution>;
  readonly subscription: Disposable;
}

/** The newest executions of a workflow, newest first, without a gap. */
export interface NewestOfWorkflow {
  readonly executions: readonly Execution[];
  /** Whether there are no older ones. */
  readonly isAll: boolean;
}

/** The list across all workflows, which reports many executions at once. */
export function everythingOf(connectionId: string): ExecutionScope {
  return { connectionId, workflowId: null, filter: noExecutionFilter };
}

/** One connection's executions. Each record is held once and shown by every list it belongs to. */
export class ConnectionExecutions implements Disposable {
  readonly #deps: ConnectionExecutionsDeps;
  readonly #records = new Map<string, Execution>();
  readonly #lists = new Map<string, HeldList>();
  /** Triggered executions that aren't listed yet, with the time in epoch milliseconds until which they stay. */
  readonly #expected = new Map<string, number>();
  /** By workflow: the newest execution of what is deployed, as far as unfiltered lists and the calls of this window show. */
  readonly #latest = new NewestExecutions();
  /** By the execution that was retried. */
  readonly #retries = new NewestExecutions();
  /** Items of lists by their workflow. */
  readonly #grouped = new WeakMap<readonly Execution[], ReadonlyMap<string | null, readonly Execution[]>>();
  /** Items of lists by their id. */
  readonly #byId = new WeakMap<readonly Execution[], ReadonlyMap<string, Execution>>();
  /** The workflows whose latest execution was asked for by itself. */
  readonly #searched = new Set<string>();
  #isDisposed = false;

  constructor(deps: ConnectionExecutionsDeps) {
    this.#deps = deps;
  }

  find(executionId: string): Execution | undefined {
    const record = this.#records.get(executionId);
    if (record !== undefined) return record;
    // A search may have found more than are kept, and the rows of lists stay.
    for (const { list } of this.#lists.values()) {
      const listed = this.#findIn(list.state.current.items, executionId);
      if (listed !== undefined) return listed;
    }
    return undefined;
  }

  /** Puts a record into every list it belongs to. Returns the merged record, without large values. */
  take(execution: Execution): Execution {
    return this.#hold(execution, (list) => isNewest(execution, list));
  }

  /** Holds a record without adding it to a list. */
  note(execution: Execution): void {
    this.#hold(execution, () => false);
  }

  /** Adds an execution that the service may not list yet. */
  expect(execution: Execution): void {
    this.#expected.set(execution.id, this.#deps.clock.now() + unlistedForMs);
    this.#addLatest([execution]);
    this.#hold(execution, () => true);
    this.#announceRow(execution.id);
  }

  /** Returns the list of a scope; empty until it's read. */
  list(scope: ExecutionScope): PagedList<Execution> {
    const name = scopeName(scope);
    const existing = this.#lists.get(name);
    if (existing) return existing.list;
    const accepts = (execution: Execution): boolean => this.#belongs(execution, scope);
    const list = new PagedList<Execution>({
      keyOf: ({ id }) => id,
      pageSize: scope.filter === undefined ? shortPageSize : longPageSize,
      readPage: (options) => this.#pageReader(scope, options),
      accepts,
      merge: mergeExecution,
      looksSame: executionsLookSame,
      unlisted: (listed) => this.#unlisted(listed).filter(accepts),
    });
    this.#lists.set(name, { scope, list, subscription: this.#announceList(list, scope) });
    return list;
  }

  /** Returns the newest execution of a workflow as far as lists and the calls of this window reported; undefined if none did. */
  latest(workflowId: string): Execution | undefined {
    const executionId = this.#latest.find(workflowId);
    return executionId === undefined ? undefined : this.find(executionId);
  }

  /** Returns the newest executions of what is deployed, as far as the unfiltered lists have them. */
  newestOf(workflowId: string): NewestOfWorkflow {
    const { connectionId } = this.#deps;
    const known = [everythingOf(connectionId), { connectionId, workflowId }].map((scope) => {
      const list = this.#lists.get(scopeName(scope))?.list.state.current;
      return {
        executions: this.#byWorkflow(list?.items ?? []).get(workflowId) ?? [],
        isAll: list?.hasData === true && list.nextCursor === null,
      };
    });
    return known.reduce((one, other) =>
      one.isAll || one.executions.length > other.executions.length ? one : other,
    );
  }

  /** The ids of all executions that are known, listed or not. */
  knownIds(): ReadonlySet<string> {
    const listed = [...this.#lists.values()].flatMap(({ list }) => list.state.current.items);
    return new Set([...this.#records.keys(), ...listed.map(({ id }) => id)]);
  }

  /** Returns the newest retry of an execution, as far as it's known. */
  retryOf(executionId: string): Execution | undefined {
    const retryId = this.#retries.find(executionId);
    return retryId === undefined ? undefined : this.find(retryId);
  }

  /** Shows the newest of the list across all workflows in the other lists. Returns those that it doesn't report enough about. */
  spreadNewest(): readonly ExecutionScope[] {
    const everything = this.list(everythingOf(this.#deps.connectionId));
    const newest = everything.state.current.items.slice(0, longPageSize);
    // Of which workflow the others are, only the lists of workflows say.
    const isPlaced = newest.every(({ workflowId }) => workflowId !== null);
    return [...this.#lists.values()]
      .filter(({ list }) => list !== everything)
      .filter(({ list, scope }) => !(isPlaced || scope.workflowId === null) || !list.adopt(newest))
      .map(({ scope }) => scope);
  }

  forget(scope: ExecutionScope): void {
    const name = scopeName(scope);
    const held = this.#lists.get(name);
    this.#lists.delete(name);
    held?.subscription.dispose();
    held?.list.dispose();
  }

  dispose(): void {
    for (const { scope } of [...this.#lists.values()]) this.forget(scope);
    this.#isDisposed = true;
  }

  #hold(whole: Execution, mayInsert: (list: readonly Execution[]) => boolean): Execution {
    if (this.#isDisposed) return whole;
    const execution = lightExecution(whole);
    const earlier = this.#records.get(execution.id);
    const held = earlier ? mergeExecution(earlier, execution) : execution;
    if (held === earlier) return held;
    this.#records.set(held.id, held);
    if (this.#records.size > maximumRecords) this.#forgetOldest();
    for (const { scope, list } of this.#lists.values()) {
      const { hasData, items } = list.state.current;
      const isOfScope = scope.workflowId === null || scope.workflowId === held.workflowId;
      if (this.#belongs(held, scope)) list.put(held, hasData && isOfScope && mayInsert(items));
      else if (list.find(held.id)) list.remove(held.id);
    }
    if (earlier && !executionsLookSame(earlier, held)) this.#announceRow(held.id);
    // The row of the retried execution leads to it.
    if (held.retryOf !== null && this.#retries.add(held.retryOf, held)) this.#announceRow(held.retryOf);
    return held;
  }

  #announceRow(executionId: string): void {
    const { connectionId, announce } = this.#deps;
    announce({ kind: 'rows', connectionId, executionIds: [executionId] });
  }

  /** Mapped once for all rows that are drawn. */
  #findIn(items: readonly Execution[], executionId: string): Execution | undefined {
    const mapped = this.#byId.get(items) ?? new Map(items.map((item) => [item.id, item]));
    this.#byId.set(items, mapped);
    return mapped.get(executionId);
  }

  /** Grouped once for all rows of workflows that are drawn. */
  #byWorkflow(items: readonly Execution[]): ReadonlyMap<string | null, readonly Execution[]> {
    const grouped =
      this.#grouped.get(items) ??
      Map.groupBy(
        items.filter((item) => !isDraft(item)),
        ({ workflowId }) => workflowId,
      );
    this.#grouped.set(items, grouped);
    return grouped;
  }

  /** An execution whose workflow isn't known belongs to every workflow. */
  #belongs(execution: Execution, { workflowId, filter }: ExecutionScope): boolean {
    if (workflowId !== null && execution.workflowId !== null && execution.workflowId !== workflowId)
      return false;
    return filter === undefined || passesExecutionFilter(execution, filter, this.#deps.serviceNow());
  }

  #pageReader({ workflowId, filter }: ExecutionScope, options: CallOptions): ReadPage<Execution> {
    return async (cursor, limit) => {
      const query = {
        limit,
        ...toExecutionQuery(filter ?? noExecutionFilter, this.#deps.serviceNow()),
        ...(workflowId === null ? {} : { workflowId }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await listExecutions(this.#deps.readClient(), query, options);
      const items = page.items.map((item) => this.#hold(item, () => false));
      this.#noteListed(page);
      const mayHideLatest = filter === undefined && cursor === undefined && page.nextCursor !== null;
      if (workflowId !== null && mayHideLatest && items.every(isDraft))
        await this.#findDeployed(workflowId, options);
      return { ...page, items };
    };
  }

  /** Asks once, where drafts fill the first page of a workflow: they don't count as its latest execution. */
  async #findDeployed(workflowId: string, options: CallOptions): Promise<void> {
    if (this.latest(workflowId) !== undefined || this.#searched.has(workflowId)) return;
    const query = { workflowId, kind: 'deployed', limit: 1 } as const;
    const { items } = await listExecutions(this.#deps.readClient(), query, options);
    this.#searched.add(workflowId);
    this.#addLatest(items.map((item) => this.#hold(item, () => false)));
  }

  /** Takes the items of a list, newest first. */
  #addLatest(executions: readonly Execution[]): void {
    for (const execution of executions.toReversed())
      if (execution.workflowId !== null && !isDraft(execution))
        this.#latest.add(execution.workflowId, execution);
  }

  /** Of a workflow, what was triggered before an execution that is on a page is on that page, or further down. */
  #noteListed({ items, nextCursor }: Page<Execution>): void {
    if (nextCursor === null) return;
    const listed = new Set(items.map(({ id }) => id));
    const workflowIds = new Set<string | null>();
    for (const id of [...this.#expected.keys()].reverse()) {
      const workflowId = this.#records.get(id)?.workflowId ?? null;
      if (listed.has(id)) workflowIds.add(workflowId);
      if (workflowIds.has(workflowId)) this.#expected.delete(id);
    }
  }

  #unlisted(listed: ReadonlySet<string>): readonly Execution[] {
    const now = this.#deps.clock.now();
    const waiting: Execution[] = [];
    for (const [id, until] of this.#expected) {
      const execution = this.#records.get(id);
      if (until <= now || !execution) this.#expected.delete(id);
      else if (!listed.has(id)) waiting.push(execution);
    }
    return waiting.reverse();
  }

  #announceList(list: PagedList<Execution>, scope: ExecutionScope): Disposable {
    let shown = list.state.current;
    return list.state.onDidChange((state) => {
      const isSame = looksSame(shown, state);
      if (state.items !== shown.items && !isFiltered(scope)) this.#addLatest(state.items);
      shown = state;
      if (!isSame) this.#deps.announce({ kind: 'list', scope });
    });
  }

  /** Drops the oldest record that has ended. Running executions are kept until their end is seen. */
  #forgetOldest(): void {
    for (const [id, record] of this.#records) {
      if (!record.status.isTerminal) continue;
      this.#records.delete(id);
      if (record.retryOf !== null) this.#retries.forget(record.retryOf, id);
      return;
    }
  }
}

const isDraft = ({ kind }: Execution): boolean => kind === 'draft';

function isFiltered({ filter }: ExecutionScope): boolean {
  return filter !== undefined && (filter.states.length > 0 || filter.period !== null);
}

/** An execution read by its id may be older than a list's rows; then it mustn't be inserted at the front. */
function isNewest(execution: Execution, list: readonly Execution[]): boolean {
  const first = list[0];
  if (!first) return true;
  return (begunAtOf(execution) ?? 0) > (begunAtOf(first) ?? Infinity);
}

/** In epoch milliseconds. Not every service reports both. */
function begunAtOf({ createdAt, startedAt }: Pick<Execution, 'createdAt' | 'startedAt'>): number | undefined {
  return (createdAt ?? startedAt)?.getTime();
}

/** True when both states have the same rows. Changes within a row are announced separately, and reloading an existing list isn't shown. */
function looksSame(one: PagedListState<Execution>, other: PagedListState<Execution>): boolean {
  return (
    one.hasData === other.hasData &&
    one.error === other.error &&
    (one.nextCursor === null) === (other.nextCursor === null) &&
    (one.items === other.items ||
      (one.items.length === other.items.length &&
        one.items.every(({ id }, at) => id === other.items[at]?.id)))
  );
}

interface Newest {
  readonly executionId: string;
  /** When it was created, or else started, in epoch milliseconds; -Infinity if the service says neither. */
  readonly begunAt: number;
}

/** The newest execution by a key, as far as it was added: of a workflow, or of those that retry the same one. */
export class NewestExecutions {
  readonly #newest = new Map<string, Newest>();

  find(key: string): string | undefined {
    return this.#newest.get(key)?.executionId;
  }

  /** Of two that were created at the same time, the one that is added later is newer. Returns true if the newest one is another now. */
  add(key: string, execution: Pick<Execution, 'id' | 'createdAt' | 'startedAt'>): boolean {
    const { id } = execution;
    const begunAt = begunAtOf(execution) ?? -Infinity;
    const known = this.#newest.get(key);
    const isKnown = known?.executionId === id;
    if (known !== undefined && !isKnown && known.begunAt > begunAt) return false;
    this.#newest.set(key, { executionId: id, begunAt });
    return !isKnown;
  }

  /** For an execution that is no longer held. */
  forget(key: string, executionId: string): void {
    if (this.find(key) === executionId) this.#newest.delete(key);
  }
}

/** Asks for a kind of executions only where the service has several. */
export function ofKind<Q extends Pick<ExecutionQuery, 'kind'>>(
  { capabilities }: Pick<ServicePort, 'capabilities'>,
  query: Q,
): Q | Omit<Q, 'kind'> {
  const { kind, ...others } = query;
  return kind !== undefined && capabilities.current.has('draft') ? query : others;
}

export function listExecutions(
  client: Pick<ServicePort, 'executions' | 'capabilities'>,
  query: ExecutionQuery,
  options: CallOptions,
): Promise<Page<Execution>> {
  return client.executions.list(ofKind(client, query), options);
}
