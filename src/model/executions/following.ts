// Why: follows executions until their own end, as a state machine that a person can see and always start again.
import type { Status } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Observable } from '../../base/observable.ts';
import type { Clients } from '../clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../ports.ts';
import type { ExecutionTarget } from '../targets.ts';
import type { Executions } from './executions.ts';

/** Times are epoch milliseconds. The last three are final: following again starts anew. */
export type FollowState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'following'; readonly by: 'stream' | 'polling' }
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

export interface Following extends Disposable {
  /** Every change of state of any follow. */
  readonly onDidChange: Event<Follow>;
  /** Those under way. */
  readonly current: readonly Follow[];
  /** Begins, or returns the follow under way for this execution. */
  follow(target: ExecutionTarget): Follow;
  stopFollowing(target: ExecutionTarget): void;
  /** The follow under way, or the last one of this execution. */
  find(target: ExecutionTarget): Follow | undefined;
}

export interface FollowingParts {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly executions: Executions;
  readonly clock: Clock;
  readonly logger: Logger;
}

export declare function createFollowing(parts: FollowingParts): Following;
