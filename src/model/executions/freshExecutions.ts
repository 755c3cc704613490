import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { ExecutionScope } from '../../domain/targets.ts';
import { type AddedView, AutoRefresh, refreshEveryMs } from '../autoRefresh.ts';
import { everythingOf } from './connectionExecutions.ts';
import type { ExecutionNews, News } from './executionNews.ts';
import {
  type ExecutionSight,
  hasUnlisted,
  isAtRest,
  listRead,
  logReads,
  type Read,
  scopeName,
  singleReads,
} from './executionReads.ts';
import type { Executions } from './executions.ts';
import type { Following } from './following.ts';

/** What polling shows within 15 s: the requests take their time as well. */
const roundEveryMs = 10_000;
/** What events tell of is shown within 5 s, however many they are. */
const newsEveryMs = 4_000;
/** Events come in groups. */
const gatherMs = 300;
/** Requests of one round, so that a minute of rounds stays well within the 45 that the background may send. */
const maximumReads = 4;
/** How long a list that the service doesn't offer isn't asked for again. */
const refusedMs = 5 * 60_000;
/** While a list is being read for the user. */
const postponeMs = 1000;
/** How many names it's remembered for when they were read. */
const maximumNames = 1000;

export interface FreshExecutionsDeps {
  readonly executions: Executions;
  readonly following: Following;
  readonly news: Pick<ExecutionNews, 'onDidHear' | 'setAttention'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a round is for. Only regular ones, every 10 s, read executions one by one. */
interface Round {
  readonly news: readonly News[];
  readonly isRegular: boolean;
  readonly signal: AbortSignal;
}

/**
 * Shows the executions in sight as the service has them, followed or not: unfinished ones are read every 10 s, and new ones are looked for
 * every 30 s and when an event tells of one. Where the service lists executions across workflows, one request tells all views. Asks
 * nothing while nobody looks.
 */
export class FreshExecutions implements Disposable {
  readonly #deps: FreshExecutionsDeps;
  readonly #owned = new DisposableStore();
  readonly #views: AutoRefresh<ExecutionSight | null>;
  /** When each thing was read last, in epoch milliseconds. */
  readonly #readAt = new BoundedMap<string, number>(maximumNames);
  /** Connections whose service lists executions by workflow only, and until when that's believed. */
  readonly #refused = new Map<string, number>();
  /** What happened since the last round, and when it's to be shown at the latest. */
  #news: News[] = [];
  #newsAt = Infinity;
  #lastAt = -Infinity;
  #regularAt = -Infinity;

  constructor(deps: FreshExecutionsDeps) {
    this.#deps = deps;
    const { clock, logger, news } = deps;
    this.#views = this.#owned.add(
      new AutoRefresh({
        clock,
        logger,
        refresh: (signal) => this.#round(signal),
        delayMs: (endedAt) => Math.min(this.#newsAt, this.#lastAt + roundEveryMs) - endedAt,
      }),
    );
    this.#owned.add(this.#views.onDidChangeAttention((attention) => news.setAttention(attention)));
    this.#owned.add(news.onDidHear((news) => this.#hear(news)));
    this.#owned.add(
      deps.following.onDidChange(({ target, state }) => {
        const { kind } = state.current;
        if (kind !== 'stopped' && kind !== 'failed') return;
        const execution = deps.executions.find(target);
        if (execution?.status.isTerminal === true) return;
        const { connectionId, executionId } = target;
        this.#hear({ connectionId, executionId, workflowId: execution?.workflowId ?? null }, true);
      }),
    );
  }

  /** Adds a view that nobody looks at yet. `read` returns what it shows; null without a connection. */
  add(read: () => ExecutionSight | null): AddedView {
    return this.#views.add(read);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Without an execution, anything may have happened. */
  #hear(news: News, isAtOnce = false): void {
    const { executions, following, clock } = this.#deps;
    const { connectionId, executionId } = news;
    if (executionId !== null && !isAtOnce) {
      const target = { connectionId, executionId };
      if (executions.find(target)?.status.isTerminal === true || following.isFollowing(target)) return;
    }
    if (this.#views.isWatched) this.#news.push(news);
    else {
      // While nobody looks, it only matters that something happened.
      const others = this.#news.filter((each) => each.connectionId !== connectionId);
      this.#news = [...others, { connectionId, workflowId: null, executionId: null }];
    }
    const now = clock.now();
    const at = isAtOnce ? now : Math.max(now + gatherMs, this.#lastAt + newsEveryMs);
    this.#newsAt = Math.min(this.#newsAt, at);
    this.#views.reschedule();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const heard = this.#news;
    const isRegular = now - this.#regularAt >= roundEveryMs;
    this.#news = [];
    this.#newsAt = Infinity;
    this.#lastAt = now;
    if (isRegular) this.#regularAt = now;
    const all = this.#views.watched.flatMap((sight) => sight ?? []);
    for (const [connectionId, sights] of Map.groupBy(all, (sight) => sight.connectionId)) {
      const news = heard.filter((each) => each.connectionId === connectionId);
      await this.#read(connectionId, sights, { news, isRegular, signal });
    }
  }

  async #read(connectionId: string, sights: readonly ExecutionSight[], round: Round): Promise<void> {
    const inSight = new Map(sights.flatMap((seen) => seen.lists).map((scope) => [scopeName(scope), scope]));
    const lists = [...inSight.values()].filter((scope) => isAtRest(this.#deps, scope));
    const isOfAll = lists.length > 1 || sights.some(({ showsLatest }) => showsLatest);
    let left: readonly ExecutionScope[] = lists;
    const listed: ExecutionScope[] = [];
    const everything = everythingOf(connectionId);
    if (isOfAll && this.#mayReadAll(connectionId)) {
      const { status } = this.#deps.executions.list(everything);
      // A view that shows this very list reads it first.
      if (status === 'loading' || (status === 'idle' && inSight.has(scopeName(everything)))) {
        this.#postpone(round.news);
        return;
      }
      const unclear = await this.#readAll(everything, lists, round);
      if (unclear !== undefined) {
        listed.push(everything);
        left = lists.filter((scope) => unclear.has(scopeName(scope)));
      }
    } else left = lists.filter((scope) => this.#isDue(scope, [scope], round));
    listed.push(...left);
    await this.#send(
      left.map((scope) => listRead(this.#deps, scope)),
      round,
    );
    const named = new Set(round.news.map(({ executionId }) => executionId));
    const singles = singleReads(this.#deps, lists, listed);
    const unfolded = sights.flatMap((seen) => seen.unfolded);
    await this.#send(
      round.isRegular
        ? [...singles, ...logReads(this.#deps, unfolded)]
        : singles.filter(({ executionId }) => named.has(executionId)),
      round,
    );
  }

  /** Returns the names of the lists that the one across workflows doesn't tell enough about; undefined if it can't be read. */
  async #readAll(
    everything: ExecutionScope,
    lists: readonly ExecutionScope[],
    round: Round,
  ): Promise<ReadonlySet<string> | undefined> {
    if (!this.#isDue(everything, lists, round)) return new Set();
    await this.#send([listRead(this.#deps, everything)], round);
    const { executions, clock } = this.#deps;
    const { connectionId } = everything;
    const { error } = executions.list(everything);
    if (error === null) return new Set(executions.spreadNewest(connectionId).map(scopeName));
    if (error.reason.kind !== 'notOffered') return new Set();
    this.#refused.set(connectionId, clock.now() + refusedMs);
    return undefined;
  }

  #mayReadAll(connectionId: string): boolean {
    return (this.#refused.get(connectionId) ?? -Infinity) <= this.#deps.clock.now();
  }

  /** `shown`: the lists that the read would keep fresh. */
  #isDue(scope: ExecutionScope, shown: readonly ExecutionScope[], { news }: Round): boolean {
    const { workflowId } = scope;
    const isConcerned = news.some(
      (each) => workflowId === null || each.workflowId === null || each.workflowId === workflowId,
    );
    return (
      isConcerned ||
      this.#deps.clock.now() - this.#lastRead(scopeName(scope)) >= refreshEveryMs ||
      shown.some((each) => hasUnlisted(this.#deps, each))
    );
  }

  #lastRead(name: string): number {
    return this.#readAt.get(name) ?? -Infinity;
  }

  /** Tells the news again soon. */
  #postpone(news: readonly News[]): void {
    this.#news.push(...news);
    this.#newsAt = Math.min(this.#newsAt, this.#deps.clock.now() + postponeMs);
  }

  /** Sends what was sent least recently. Failures of lists become their state, others are shown by what lacks them. */
  async #send(reads: readonly Read[], { signal }: Round): Promise<void> {
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
