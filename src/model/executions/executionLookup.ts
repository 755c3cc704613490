// Why: the execute call answers event ids; this finds the execution behind them, or says that it could not tell which.
import type { ServiceClient } from '../../api/client.ts';
import type { TriggerReading } from '../../api/readings.ts';
import type { Clock } from '../ports.ts';

/** "told": the answer named it. "matched": found in the list by its event. "unknown": could not tell which. */
export type ExecutionMatch =
  | { readonly kind: 'told'; readonly executionId: string }
  | { readonly kind: 'matched'; readonly executionId: string }
  | { readonly kind: 'unknown' };

/** Finds the execution (contract section 7.4): asks at once and after 1, 2, 4 and 8 s, since an empty list right after is normal. Rejects with a ServiceError. */
export declare function resolveExecution(
  client: ServiceClient,
  clock: Clock,
  trigger: TriggerReading,
  signal?: AbortSignal,
): Promise<ExecutionMatch>;
