import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { LogFeed } from '../log/logFeed.ts';
import type { RunTree } from '../runs/runTree.ts';

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

export interface Failure {
  /** undefined: no node is known. */
  readonly node: FailedNode | undefined;
  /** Undefined where the service reports none. */
  readonly message: string | undefined;
  readonly code: string | null;
}

/** The failure that the execution reports, or else that of the last node that failed; undefined for one that didn't fail. */
export function findFailure(
  execution: Pick<Execution, 'error' | 'status'>,
  feed: Pick<LogFeed, 'runTree'> | undefined,
): Failure | undefined {
  const { error, status } = execution;
  if (error === null && status.state !== 'failed') return undefined;
  const node = findFailedNode(execution, feed?.runTree);
  const own = error ?? node?.run?.error;
  return { node, message: own?.message, code: own?.code ?? null };
}
