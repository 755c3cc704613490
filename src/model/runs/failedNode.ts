import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

export interface FailedNode {
  readonly nodeId: string;
  /** undefined while the node runs aren't known. */
  readonly run: NodeRun | undefined;
}

/** Returns the node that the execution names in its error, or else the last one that failed. */
export function findFailedNode(
  { error }: Pick<Execution, 'error'>,
  nodeRuns: readonly NodeRun[],
): FailedNode | undefined {
  const failed = nodeRuns.filter(({ status }) => status?.state === 'failed');
  const named = error?.nodeId ?? null;
  const run = named === null ? failed.at(-1) : failed.findLast(({ nodeId }) => nodeId === named);
  const nodeId = named ?? run?.nodeId;
  return nodeId === undefined ? undefined : { nodeId, run };
}
