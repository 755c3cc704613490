import type { ExecutionTarget } from '../../domain/targets.ts';

/** The node of an execution that the user looks at. Each surface that shows the execution shows which one it is. */
export interface SelectedNode {
  readonly target: ExecutionTarget;
  readonly nodeId: string;
  /** null for the node as a whole. */
  readonly nodeRunKey: string | null;
}
