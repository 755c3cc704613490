import type { ExecutionOutcome } from '../store/lockedExecution.ts';
import type { NodeOutcome, OpenNodeRun } from '../store/nodeRuns.ts';
import type { ExecutionWork } from '../store/executionRows.ts';

/** Receives what an engine does. */
export interface EngineWatch {
  onTake(work: ExecutionWork): void;
  /** An attempt of a node run has ended; its end is stored soon. */
  onNodeEnd(run: OpenNodeRun, outcome: NodeOutcome): void;
  onExecutionEnd(end: { readonly status: ExecutionOutcome['status'] | 'cancelled' }): void;
}
