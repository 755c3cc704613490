// Follows one execution to its own end: silence is not an end, and a dropped stream loses and doubles nothing.
import type { Logger } from '../../base/logger.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import { wait } from '../../base/time.ts';
import type { Clients } from '../clients.ts';
import type { Clock } from '../ports.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { learnedStatus } from './executionMerging.ts';
import type { Executions } from './executions.ts';
import type { Status } from '../../domain/status.ts';
import type { FollowItem } from '../../api/stream/items.ts';
import type { ServiceClient } from '../../api/client.ts';

/** Times are epoch milliseconds. The last three are final: following again starts anew. */
export type FollowState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'following'; readonly by: 'stream' | 'polling' }
  /** error: what dropped the connection; null when the stream just ended too early. */
  | { readonly kind: 'catchingUp'; readonly retryAt: number; readonly error: Error | null }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number }
  | { readonly kind: 'ended'; readonly status: Status }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'stopped' };

/** One execution being followed; its rows arrive in executions.logs(target). */
export interface Follow {
  readonly target: ExecutionTarget;
  readonly state: Observable<FollowState>;
  /** Resolves with the final state, after the record was read for the last time; never rejects. */
  readonly done: Promise<FollowState>;
}

export interface FollowerDeps {
  readonly clients: Clients;
  readonly executions: Executions;
  readonly clock: Clock;
  readonly logger: Logger;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

export class Follower implements Follow {
  readonly target: ExecutionTarget;
  readonly #deps: FollowerDeps;
  readonly #state = new ObservableValue<FollowState>({ kind: 'connecting' });
  readonly #abort = new AbortController();
  readonly #over = Promise.withResolvers<FollowState>();

  constructor(deps: FollowerDeps, target: ExecutionTarget) {
    this.#deps = deps;
    this.target = target;
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

  stop(): void {
    this.#turnTo({ kind: 'stopped' });
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    // Whoever shows the rows as they come listens to this one feed.
    const kept = this.#deps.executions.keepLogs(this.target);
    try {
      const status = await this.#followToTheEnd();
      await this.#readForTheLastTime(status);
      this.#turnTo({ kind: 'ended', status });
    } catch (error) {
      this.#turnTo({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      kept.dispose();
    }
  }

  async #followToTheEnd(): Promise<Status> {
    const { clients, clock, executions } = this.#deps;
    const { signal } = this.#abort;
    let pauseMs = firstPauseMs;
    for (;;) {
      const client = clients.get(this.target.connectionId);
      const status = await this.#followOnce(client);
      if (status !== null) return status;
      const execution = await executions.read(this.target, signal, 'following');
      if (execution.status.isTerminal) {
        await executions.readLogs(this.target, signal, 'following');
        return execution.status;
      }
      this.#turnTo({ kind: 'catchingUp', retryAt: clock.now() + pauseMs, error: null });
      await wait(clock, pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  /** The status the execution ended with; null when the rows merely stopped coming. */
  async #followOnce(client: ServiceClient): Promise<Status | null> {
    const { clients, executions } = this.#deps;
    const { executionId, connectionId } = this.target;
    const { signal } = this.#abort;
    const after = executions.logs(this.target).lastSequence;
    try {
      const query = after === undefined ? {} : { after };
      for await (const item of client.executions.follow(executionId, query, signal)) {
        signal.throwIfAborted();
        if (item.kind === 'end') return item.status;
        this.#take(item);
      }
    } catch (error) {
      signal.throwIfAborted();
      // The connection moved to another address: its old client was let go of, the new one goes on.
      if (clients.get(connectionId) === client) throw error;
    }
    signal.throwIfAborted();
    return null;
  }

  #take(item: Exclude<FollowItem, { readonly kind: 'end' }>): void {
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
      case 'log':
        this.#markRunning();
        this.#deps.executions.logs(this.target).add([item.log]);
    }
  }

  /** A node that speaks means that the execution is no longer queued; no request is spent on it. */
  #markRunning(): void {
    if (this.#deps.executions.find(this.target)?.status.state === 'queued')
      this.#deps.executions.setStatus(this.target, learnedStatus('running'));
  }

  /** The end is known; that the last reading fails does not undo it. */
  async #readForTheLastTime(status: Status): Promise<void> {
    const { executions, logger } = this.#deps;
    executions.setStatus(this.target, status);
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
    this.#state.set(state);
    if (isFinal(state)) this.#over.resolve(state);
  }
}

function isFinal({ kind }: FollowState): boolean {
  return kind === 'ended' || kind === 'failed' || kind === 'stopped';
}
