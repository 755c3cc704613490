import type { ExecutionTarget } from '../../domain/targets.ts';

/** The comparison of two executions that is in front, or was last and is still open. */
export interface ShownComparison {
  readonly left: ExecutionTarget;
  readonly right: ExecutionTarget;
  /** The node whose run is the first that differs; null if none does. */
  readonly firstDifferentNodeId: string | null;
}
