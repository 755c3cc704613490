import type { NodeOutcome, NodeRunStart, NodeTurn } from '../store/nodeRuns.ts';
import type { ExecutionOutcome, Work } from '../store/store.ts';

/** Is told what an engine does. */
export interface EngineWatch {
  onTake(work: Work): void;
  /** A node run has begun, is taken up again, or turns out to have ended before. */
  onNodeBegin(turn: NodeTurn, start: NodeRunStart): void;
  /** The attempt of a node run has ended; the turn is the object of `onNodeBegin`. */
  onNodeEnd(turn: NodeTurn, outcome: NodeOutcome): void;
  onExecutionEnd(outcome: ExecutionOutcome): void;
}
