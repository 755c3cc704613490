import type { ExecutionStatus } from '../../../domain/status.ts';
import type { PublishedEvent } from './portalEvents.ts';

/** Returns the portal event `execution.KIND`. */
export function executionEvent(
  kind: string,
  execution: {
    readonly workflowId: string;
    readonly executionId: string;
    readonly eventId: string;
    readonly status: ExecutionStatus;
  },
): PublishedEvent {
  return { type: `execution.${kind}`, data: { ...execution } };
}
