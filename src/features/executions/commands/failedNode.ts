import type { Execution } from '../../../domain/execution.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { RunTree } from '../../../model/runs/runTree.ts';

export interface FailedNode {
  readonly nodeId: string;
  /** undefined while the node runs aren't known. */
  readonly run: NodeRun | undefined;
}

/** Returns the node that the execution names in its error, or else the last one that failed. */
export function findFailedNode(
  { error }: Pick<Execution, 'error'>,
  runTree: RunTree | undefined,
): FailedNode | undefined {
  const named = error?.nodeId ?? null;
  const run = runTree?.findFailed(named);
  const nodeId = named ?? run?.nodeId;
  return nodeId === undefined ? undefined : { nodeId, run };
}
