import type { Logger } from '../../base/logger.ts';
import type { Now } from '../../base/time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/store.ts';
import type { Admissions } from './admissions.ts';
import type { EngineWatch } from './engineWatch.ts';
import type { ExecutionLimits } from './limits.ts';

/** What a run of an execution needs. */
export interface ExecutionRun {
  readonly executionId: string;
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly limits: ExecutionLimits;
  readonly admissions: Admissions;
  readonly logger: Logger;
  readonly watch?: EngineWatch | undefined;
  readonly now: Now;
  /** Does work that waits for others, and frees the execution's slot meanwhile. */
  readonly away: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves at `wakeAt`, in epoch milliseconds, or rejects with a HandOver. */
  readonly waitUntil: (wakeAt: number, workflowId: string) => Promise<void>;
  /** Aborted when no further node may start. */
  readonly draining: AbortSignal;
  /** Aborted when the service stops, or the execution is cancelled. */
  readonly signal: AbortSignal;
}
