import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import { isUnfinished } from '../../domain/status.ts';
import { executionName, type ExecutionScope, type ExecutionTarget, scopeName } from '../../domain/targets.ts';
import { type AddedView, AutoRefresh, refreshEveryMs } from '../autoRefresh.ts';
import { everythingOf } from './connectionExecutions.ts';
import { anyExecutionOf, type ExecutionEvent, type ExecutionEvents } from './executionEvents.ts';
import type { Executions } from './executions.ts';
import type { Follow, Following } from './following.ts';

/** What polling shows within 15 s: the requests take their time as well. */
const roundEveryMs = 10_000;
/** What events report is shown within 5 s, however many they are. */
const eventsEveryMs = 4_000;
/** Events come in groups. */
const gatherMs = 300;
/** Requests of one step, so that a minute of rounds stays well within the 45 that the background may send. */
const maximumReads = 4;
/** How long a list that the service doesn't offer isn't asked for again. */
const refusedMs = 5 * 60_000;
/** While a list is being read for the user. */
const postponeMs = 1000;
/** How many names it's remembered for when they were read. */
const maximumNames = 1000;

/** What a view shows of one connection's executions. */
export interface VisibleExecutions {
  readonly connectionId: string;
  /** Rows show the latest execution of workflows. */
  readonly showsLatest: boolean;
  /** The lists in sight, which the view itself reads first. */
  readonly lists: readonly ExecutionScope[];
  /** The executions whose node runs are in sight. */
  readonly unfolded: readonly ExecutionTarget[];
}

export interface FreshExecutionsDeps {
  readonly executions: Executions;
  readonly following: Following;
  readonly events: Pick<ExecutionEvents, 'onDidReceive' | 'setAttention'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a round is for. Only regular ones, every 10 s, read executions one by one without an event. */
interface Round {
  readonly events: readonly ExecutionEvent[];
  readonly isRegular: boolean;
  readonly signal: AbortSignal;
}

/** One request. `name` identifies what it reads. */
interface Read {
  readonly name: string;
  readonly send: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * When the executions in sight were last true, and what must be asked so that they are as the service has them, followed or not: unfinished
 * ones are read every 10 s, and new ones are looked for every 30 s and when an event reports one. Where the service lists executions across
 * workflows, one request serves all views. Sends no request while no view is watched.
 */
export class FreshExecutions implements Disposable {
  readonly #deps: FreshExecutionsDeps;
  readonly #owned = new DisposableStore();
  readonly #views: AutoRefresh<VisibleExecutions | null>;
  /** When each thing was read last, in epoch milliseconds. */
  readonly #readAt = new BoundedMap<string, number>(maximumNames);
  /** Connections whose service lists executions by workflow only, and until when that's believed. */
  readonly #refused = new Map<string, number>();
  /** What happened since the last round, each once, and when it's to be shown at the latest. */
  readonly #events = new Map<string, ExecutionEvent>();
  #eventsAt = Infinity;
  #lastAt = -Infinity;
  #regularAt = -Infinity;

  constructor(deps: FreshExecutionsDeps) {
    this.#deps = deps;
    const { following, events, clock, logger } = deps;
    this.#views = this.#owned.add(
      new AutoRefresh({
        clock,
        logger,
        refresh: (signal) => this.#round(signal),
        delayMs: (endedAt) => Math.min(this.#eventsAt, this.#lastAt + roundEveryMs) - endedAt,
      }),
    );
    this.#owned.add(this.#views.onDidChangeAttention((attention) => events.setAttention(attention)));
    this.#owned.add(events.onDidReceive((event) => this.#receive(event)));
    this.#owned.add(following.onDidChange((follow) => this.#takeOver(follow)));
  }

  /** Adds a view that isn't watched yet. `show` returns what it shows; null without a connection. */
  add(show: () => VisibleExecutions | null): AddedView {
    return this.#views.add(show);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #receive(event: ExecutionEvent): void {
    const { executions, following, clock } = this.#deps;
    const { connectionId, executionId } = event;
    if (executionId !== null) {
      const target = { connectionId, executionId };
      if (executions.find(target)?.status.isTerminal === true || following.isFollowing(target)) return;
    }
    this.#refreshFor([event], Math.max(clock.now() + gatherMs, this.#lastAt + eventsEveryMs));
  }

  /** What is followed no longer before its end is read at once. */
  #takeOver({ target, state }: Follow): void {
    const { kind } = state.current;
    const execution = this.#deps.executions.find(target);
    if ((kind !== 'stopped' && kind !== 'failed') || execution?.status.isTerminal === true) return;
    const event = { ...target, workflowId: execution?.workflowId ?? null };
    this.#refreshFor([event], this.#deps.clock.now());
  }

  #refreshFor(events: readonly ExecutionEvent[], at: number): void {
    for (const each of events) {
      // While no view is watched, it only matters that something happened.
      const event = this.#views.isWatched ? each : anyExecutionOf(each.connectionId);
      this.#events.set(stringifyJson([event.connectionId, event.workflowId, event.executionId]), event);
    }
    this.#eventsAt = Math.min(this.#eventsAt, at);
    this.#views.reschedule();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const received = [...this.#events.values()];
    const isRegular = now - this.#regularAt >= roundEveryMs;
    this.#events.clear();
    this.#eventsAt = Infinity;
    this.#lastAt = now;
    if (isRegular) this.#regularAt = now;
    const visible = this.#views.watched.filter((each) => each !== null);
    for (const [connectionId, views] of Map.groupBy(visible, (each) => each.connectionId)) {
      const events = received.filter((each) => each.connectionId === connectionId);
      await this.#refresh(connectionId, views, { events, isRegular, signal });
    }
  }

  async #refresh(connectionId: string, views: readonly VisibleExecutions[], round: Round): Promise<void> {
    const { executions, clock } = this.#deps;
    const shown = new Map(views.flatMap(({ lists }) => lists).map((scope) => [scopeName(scope), scope]));
    const lists = [...shown.values()].filter((scope) => this.#canRefresh(scope));
    const isForAll = lists.length > 1 || views.some(({ showsLatest }) => showsLatest);
    const everything = isForAll && this.#mayReadAll(connectionId) ? everythingOf(connectionId) : null;
    if (everything !== null) {
      const { status } = executions.list(everything);
      // A view that shows this very list reads it first.
      if (status === 'loading' || (status === 'idle' && shown.has(scopeName(everything)))) {
        this.#refreshFor(round.events, clock.now() + postponeMs);
        return;
      }
    }
    const listed = await this.#readLists(everything, lists, round);
    const known = new Set(listed.flatMap((scope) => executions.newest(scope).map(({ id }) => id)));
    const concerned = new Set(round.events.map(({ executionId }) => executionId));
    const left = lists
      .flatMap((scope) => this.#unfollowed(scope))
      .filter(({ executionId }) => !known.has(executionId))
      .filter(({ executionId }) => round.isRegular || concerned.has(executionId));
    const logs = round.isRegular ? views.flatMap(({ unfolded }) => unfolded) : [];
    await this.#send(
      [
        ...left.map((target) => this.#executionRead(target)),
        ...logs.flatMap((target) => this.#logRead(target)),
      ],
      round.signal,
    );
  }

  /**
   * Reads what is due of the lists, or of the one that reports everything, and then those that it doesn't report enough about. Returns the
   * lists whose newest executions are known.
   */
  async #readLists(
    everything: ExecutionScope | null,
    lists: readonly ExecutionScope[],
    round: Round,
  ): Promise<readonly ExecutionScope[]> {
    const { executions, clock } = this.#deps;
    if (everything !== null) {
      if (!this.#isDue(everything, lists, round)) return [everything];
      await this.#send([this.#listRead(everything)], round.signal);
      const { error } = executions.list(everything);
      if (error === null) {
        const unclear = new Set(executions.spreadNewest(everything.connectionId).map(scopeName));
        const left = lists.filter((scope) => unclear.has(scopeName(scope)));
        await this.#send(
          left.map((scope) => this.#listRead(scope)),
          round.signal,
        );
        return [everything, ...left];
      }
      if (error.reason.kind !== 'notOffered') return [everything];
      this.#refused.set(everything.connectionId, clock.now() + refusedMs);
    }
    const due = lists.filter((scope) => this.#isDue(scope, [scope], round));
    await this.#send(
      due.map((scope) => this.#listRead(scope)),
      round.signal,
    );
    return due;
  }

  #mayReadAll(connectionId: string): boolean {
    return (this.#refused.get(connectionId) ?? -Infinity) <= this.#deps.clock.now();
  }

  /** True if a list was read, isn't being read, and is offered by the service. */
  #canRefresh(scope: ExecutionScope): boolean {
    const { status, error } = this.#deps.executions.list(scope);
    return status === 'loaded' || (status === 'failed' && error?.reason.kind !== 'notOffered');
  }

  /** `shown`: the lists that the read would keep fresh. */
  #isDue(scope: ExecutionScope, shown: readonly ExecutionScope[], { events }: Round): boolean {
    const { executions, clock } = this.#deps;
    const { workflowId } = scope;
    const isConcerned = events.some(
      (each) => workflowId === null || each.workflowId === null || each.workflowId === workflowId,
    );
    return (
      isConcerned ||
      clock.now() - this.#lastRead(scopeName(scope)) >= refreshEveryMs ||
      shown.some((each) => executions.list(each).error === null && this.#unfollowed(each).length > 0)
    );
  }

  /** The executions of a list that go on and that nobody follows: only the service knows how. */
  #unfollowed(scope: ExecutionScope): readonly ExecutionTarget[] {
    const { executions, following } = this.#deps;
    return executions
      .list(scope)
      .items.filter(({ status }) => isUnfinished(status.state))
      .map(({ id }) => ({ connectionId: scope.connectionId, executionId: id }))
      .filter((target) => !following.isFollowing(target));
  }

  #listRead(scope: ExecutionScope): Read {
    const { executions } = this.#deps;
    return {
      name: scopeName(scope),
      send: (signal) => executions.refreshNewest(scope, signal, 'executions'),
    };
  }

  #executionRead(target: ExecutionTarget): Read {
    const { executions } = this.#deps;
    return { name: executionName(target), send: (signal) => executions.read(target, signal, 'executions') };
  }

  /** For node runs in sight that nobody follows, of an execution that goes on or whose rows could not be read. */
  #logRead(target: ExecutionTarget): readonly Read[] {
    const { executions, following } = this.#deps;
    const state = executions.find(target)?.status.state;
    const { kind } = executions.logs(target).reading;
    if (following.isFollowing(target) || kind === 'never' || state === undefined) return [];
    if (!isUnfinished(state) && kind !== 'failed') return [];
    const name = `logs ${executionName(target)}`;
    return [{ name, send: (signal) => executions.readLogs(target, signal, 'executions') }];
  }

  #lastRead(name: string): number {
    return this.#readAt.get(name) ?? -Infinity;
  }

  /** Sends what was sent least recently. Failures of lists become their state, others are shown by what lacks them. */
  async #send(reads: readonly Read[], signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    // Two views may show the same.
    const each = new Map(reads.map((read) => [read.name, read]));
    const byAge = [...each.values()].sort(
      (one, other) => this.#lastRead(one.name) - this.#lastRead(other.name),
    );
    for (const { name, send } of byAge.slice(0, maximumReads)) {
      this.#readAt.set(name, clock.now());
      try {
        await send(signal);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        logger.debug(`Not kept up to date: ${error.message}`);
      }
    }
  }
}
