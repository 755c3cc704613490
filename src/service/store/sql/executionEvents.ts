import type { ExecutionStatus } from '../../../domain/status.ts';
import type { Transaction } from './database.ts';
import type { SqlPortalEventStore } from './portalEvents.ts';

export interface ToldExecution {
  readonly workflowId: string;
  readonly executionId: string;
  readonly eventId: string;
  readonly status: ExecutionStatus;
}

/** Publishes the portal event `execution.KIND`, with the given id if there is one. */
export function tellExecution(
  transaction: Transaction,
  portalEvents: SqlPortalEventStore,
  kind: string,
  execution: ToldExecution,
  id?: string,
): void {
  portalEvents.publish(transaction, { type: `execution.${kind}`, data: { ...execution } }, id);
  transaction.announce(`execution:${execution.executionId}`);
}
