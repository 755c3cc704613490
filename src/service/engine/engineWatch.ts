import type { ExecutionOutcome, OpenNodeRun } from '../store/executionWriter.ts';
import type { NodeOutcome } from '../store/nodeRuns.ts';
import type { Work } from '../store/store.ts';

/** Is told what an engine does. */
export interface EngineWatch {
  onTake(work: Work): void;
  /** An attempt of a node run has ended; its end is stored soon. */
  onNodeEnd(run: OpenNodeRun, outcome: NodeOutcome): void;
  onExecutionEnd(outcome: ExecutionOutcome): void;
}
