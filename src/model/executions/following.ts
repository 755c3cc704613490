import { unlessAborted } from '../../base/async.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event, type Observable, ObservableValue } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { toError } from '../../base/reason.ts';
import { Breaks } from '../../base/slices.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { Status } from '../../domain/status.ts';
import { executionName, type ExecutionTarget } from '../../domain/targets.ts';
import type { Clients, KnownConnections } from '../connections/clients.ts';
import { derivedStatus } from './executionRecord.ts';
import type { Executions } from './executions.ts';
import type { LogFeed } from '../log/logFeed.ts';
import type { Clock } from '../../base/time.ts';
import type { FollowItem } from '../../api/servicePort.ts';

/** Times are epoch milliseconds. The last three states are final; following again starts from the beginning. */
export type FollowState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'following'; readonly by: 'stream' | 'polling' }
  /** `error`: what dropped the connection. */
  | { readonly kind: 'catchingUp'; readonly retryAt: number; readonly error: Error }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number }
  | { readonly kind: 'ended'; readonly status: Status }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'stopped' };

export function isFinal({ kind }: FollowState): boolean {
  return kind === 'ended' || kind === 'failed' || kind === 'stopped';
}

/** Who follows it first. A view goes along only with what a person follows. */
type FollowedBy = 'person' | 'test';

/** An execution that is followed. Its rows arrive in executions.logs(target). */
export interface Follow {
  readonly target: ExecutionTarget;
  readonly by: FollowedBy;
  readonly state: Observable<FollowState>;
  /** Resolves with the final state, after the record was read for the last time; never rejects. */
  readonly done: Promise<FollowState>;
  /** Takes back one call of `follow`. The follow stops with the last of those who asked for it, and goes on for the others. */
  leave(): void;
}

export interface FollowingDeps {
  readonly connections: KnownConnections;
  readonly clients: Clients;
  readonly executions: Executions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Rows that are taken without a break, a few milliseconds of work. */
const rowsInATurn = 200;
/** How many ended follows are kept, to show how they ended. */
const maximumOver = 200;

/** Follows executions to their end, each with its own connection's client, whichever connection is active. */
export class Following implements Disposable {
  readonly #deps: FollowingDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<Follow>());
  /** Fires for every change of state of any follow. */
  readonly onDidChange: Event<Follow> = this.#changes.event;
  readonly #followers = new Map<string, Follower>();

  constructor(deps: FollowingDeps) {
    this.#deps = deps;
    this.#owned.add(
      deps.connections.all.onDidChange(() => {
        for (const follower of this.#followers.values())
          if (!deps.connections.find(follower.target.connectionId)) follower.stop();
      }),
    );
  }

  /** The follows in progress. */
  get current(): readonly Follow[] {
    return [...this.#followers.values()].filter(({ isOver }) => !isOver);
  }

  isFollowing(target: ExecutionTarget): boolean {
    return this.#followers.get(executionName(target))?.isOver === false;
  }

  /** Starts a follow, or returns the one in progress for this execution. */
  follow(target: ExecutionTarget, by: FollowedBy = 'person'): Follow {
    const existing = this.#followers.get(executionName(target));
    if (existing && !existing.isOver) {
      existing.join();
      return existing;
    }
    const follower = new Follower(this.#deps, target, by);
    this.#followers.delete(executionName(target));
    this.#followers.set(executionName(target), follower);
    this.#forgetOldest();
    follower.state.onDidChange((state) => {
      this.#deps.logger.debug(`Following ${target.executionId}: ${state.kind}`);
      this.#changes.fire(follower);
    });
    follower.start();
    this.#changes.fire(follower);
    return follower;
  }

  /**
   * Reads the log of an execution: all of it after its end, where what is too long to be read in one go is followed; before, what is there.
   * The feed's `reading` says whether it's whole: if the user doesn't wait for it, the rest isn't read where that takes a request for each
   * page. Rejects with a ServiceError, or with the signal's reason.
   */
  async readLog(target: ExecutionTarget, signal?: AbortSignal, purpose: Purpose = 'asked'): Promise<LogFeed> {
    const kept = this.#deps.executions.keepLogs(target);
    try {
      await this.#deps.executions.readLogs(target, signal, purpose);
      if (kept.feed.reading.kind !== 'part') return kept.feed;
      const isOthers = this.isFollowing(target);
      const follow = this.follow(target);
      const reading = toDisposable(() => this.#leave(follow));
      if (purpose !== 'asked' && !isOthers) disposeIfPolling(reading, follow);
      try {
        const state = await (signal === undefined ? follow.done : unlessAborted(follow.done, signal));
        if (state.kind === 'failed') throw state.error;
        return kept.feed;
      } finally {
        if (signal?.aborted) reading.dispose();
      }
    } finally {
      kept.dispose();
    }
  }

  /** Leaves no trace of the follow, so that it doesn't look as if the user had stopped it. */
  #leave(follow: Follow): void {
    if (isFinal(follow.state.current)) return;
    follow.leave();
    if (isFinal(follow.state.current)) this.#followers.delete(executionName(follow.target));
  }

  /** Stops it for all who asked for it. */
  stopFollowing(target: ExecutionTarget): void {
    this.#followers.get(executionName(target))?.stop();
  }

  /** Returns the follow in progress, or the last one of this execution. */
  find(target: ExecutionTarget): Follow | undefined {
    return this.#followers.get(executionName(target));
  }

  dispose(): void {
    this.#owned.dispose();
    for (const follower of this.#followers.values()) follower.stop();
    this.#followers.clear();
  }

  #forgetOldest(): void {
    if (this.#followers.size <= maximumOver) return;
    const oldest = [...this.#followers].find(([, { isOver }]) => isOver);
    if (oldest) this.#followers.delete(oldest[0]);
  }
}

function disposeIfPolling(reading: Disposable, { state, done }: Follow): void {
  const listening = state.onDidChange((current) => {
    if (current.kind === 'following' && current.by === 'polling') reading.dispose();
  });
  void done.then(() => listening.dispose());
}

class Follower implements Follow {
  readonly target: ExecutionTarget;
  readonly by: FollowedBy;
  readonly #deps: FollowingDeps;
  readonly #state = new ObservableValue<FollowState>({ kind: 'connecting' });
  readonly #abort = new AbortController();
  readonly #over = Promise.withResolvers<FollowState>();
  /** How many have asked for it and haven't left. */
  #count = 1;
  /** Whether the newest row is of a node that waits. */
  #isWaiting = false;

  constructor(deps: FollowingDeps, target: ExecutionTarget, by: FollowedBy) {
    this.#deps = deps;
    this.target = target;
    this.by = by;
  }

  get state(): Observable<FollowState> {
    return this.#state;
  }

  get done(): Promise<FollowState> {
    return this.#over.promise;
  }

  get isOver(): boolean {
    return isFinal(this.#state.current);
  }

  start(): void {
    void this.#run();
  }

  join(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.stop();
  }

  stop(): void {
    this.#abort.abort();
    this.#turnTo({ kind: 'stopped' });
  }

  async #run(): Promise<void> {
    // Keeps the feed that listeners to live rows subscribed to.
    const kept = this.#deps.executions.keepLogs(this.target);
    try {
      const status = await this.#followToTheEnd(kept.feed);
      await this.#readForTheLastTime(status);
      this.#turnTo({ kind: 'ended', status });
    } catch (error) {
      this.#turnTo({ kind: 'failed', error: toError(error) });
    } finally {
      kept.dispose();
    }
  }

  /** Continues with the new client if the connection moved to another address, which disposes of the old client. */
  async #followToTheEnd(feed: LogFeed): Promise<Status> {
    const { clients } = this.#deps;
    const { connectionId, executionId } = this.target;
    const { signal } = this.#abort;
    const breaks = new Breaks(rowsInATurn);
    for (;;) {
      const client = clients.get(connectionId);
      const after = feed.lastSequence;
      try {
        const query = after === undefined ? {} : { after };
        for await (const item of client.executions.follow(executionId, query, signal)) {
          signal.throwIfAborted();
          if (item.kind === 'end') {
            feed.noteReading({ kind: 'whole' });
            return item.status;
          }
          this.#take(item, feed);
          if (item.kind === 'logs') await breaks.take(item.logs.length);
        }
        throw new Error('The execution was followed no longer before its end.');
      } catch (error) {
        signal.throwIfAborted();
        if (clients.get(connectionId) === client) throw error;
        this.#turnTo({ kind: 'connecting' });
      }
    }
  }

  #take(item: Exclude<FollowItem, { readonly kind: 'end' }>, feed: LogFeed): void {
    const now = this.#deps.clock.now();
    switch (item.kind) {
      case 'open':
        this.#turnTo({ kind: 'following', by: item.by });
        break;
      case 'lost':
        this.#turnTo({ kind: 'catchingUp', retryAt: now + item.retryInMs, error: item.error });
        break;
      case 'paused':
        this.#turnTo({ kind: 'pausedByLimit', resumeAt: now + item.resumeInMs });
        break;
      case 'logs':
        this.#deriveStatus(feed.append(item.logs));
    }
  }

  /**
   * The rows show without a request that the execution isn't queued any more, and whether it waits. Where they don't show a wait, as of a
   * pause before another attempt, the record's status stays.
   */
  #deriveStatus(logs: readonly NodeLog[]): void {
    const { executions } = this.#deps;
    const reported = logs.findLast(({ status }) => status !== null)?.status?.state;
    const wasWaiting = this.#isWaiting;
    if (reported !== undefined) this.#isWaiting = reported === 'waiting';
    const known = executions.find(this.target)?.status.state;
    if (this.#isWaiting && (known === 'queued' || known === 'running'))
      executions.setStatus(this.target, derivedStatus('waiting'));
    else if (known === 'queued' || (known === 'waiting' && wasWaiting && !this.#isWaiting))
      executions.setStatus(this.target, derivedStatus('running'));
  }

  /** Reads the record once more, where it's kept. If that fails, the end is still known. */
  async #readForTheLastTime(status: Status): Promise<void> {
    const { executions, logger } = this.#deps;
    executions.setStatus(this.target, status);
    if (status.notKeptBy !== undefined) return;
    try {
      await executions.read(this.target, this.#abort.signal, 'following');
    } catch (error) {
      if (!this.#abort.signal.aborted)
        logger.warn(
          `The record of ${this.target.executionId} could not be read after its end: ${String(error)}`,
        );
    }
  }

  #turnTo(state: FollowState): void {
    if (this.isOver) return;
    if (isFinal(state)) this.#over.resolve(state);
    this.#state.set(state);
  }
}
