import type { Execution } from '../../domain/execution.ts';
import type { ExecutionQuery } from '../../domain/queries.ts';
import type { SearchFilter } from '../../domain/search.ts';

/** A filter whose workflow was found. */
export interface ResolvedFilter extends SearchFilter {
  /** null: any. Several workflows may have the same name. */
  readonly workflowIds: readonly string[] | null;
}

/** Returns what every service is asked for: it takes one status and one workflow, and several are held to here. */
export function toListQuery({ statuses, workflowIds, kind, after, before }: ResolvedFilter): ExecutionQuery {
  const [status] = statuses;
  const [workflowId] = workflowIds ?? [];
  return {
    ...(status !== undefined && statuses.length === 1 && { status }),
    ...(workflowId !== undefined && workflowIds?.length === 1 && { workflowId }),
    ...(kind !== null && { kind }),
    ...(after !== null && { startedAfter: after }),
    ...(before !== null && { startedBefore: before }),
  };
}

/** Returns what a service that searches is asked for. */
export function toSearchQuery(filter: ResolvedFilter): ExecutionQuery {
  const { text, longerMs, errorCode, nodeId } = filter;
  return {
    ...toListQuery(filter),
    ...(text !== null && { q: text }),
    ...(longerMs !== null && { minDurationMs: longerMs }),
    ...(errorCode !== null && { errorCode }),
    ...(nodeId !== null && { failedNodeId: nodeId }),
  };
}

/**
 * False for an execution whose record in a list says that it isn't wanted, since a service may ignore filters. A state in words that aren't
 * known passes.
 */
export function passesList(execution: Execution, filter: ResolvedFilter): boolean {
  const { status, workflowId, kind, durationMs, startedAt, createdAt, error } = execution;
  const { statuses, workflowIds, after, before, longerMs, errorCode, nodeId } = filter;
  const began = startedAt ?? createdAt;
  return (
    (statuses.length === 0 || status.state === 'unknown' || statuses.includes(status.state)) &&
    (workflowIds === null || workflowId === null || workflowIds.includes(workflowId)) &&
    (filter.kind === null || filter.kind === kind) &&
    (after === null || began === null || began >= after) &&
    (before === null || began === null || began < before) &&
    (longerMs === null || (durationMs !== null && durationMs >= longerMs)) &&
    (errorCode === null || (mayHaveFailed(execution) && (error?.code ?? errorCode) === errorCode)) &&
    (nodeId === null || (mayHaveFailed(execution) && (error?.nodeId ?? nodeId) === nodeId))
  );
}

function mayHaveFailed({ status, error }: Execution): boolean {
  return error !== null || status.state === 'failed' || status.state === 'unknown';
}

/** True where more than the list's record has to be read. */
export function needsDetails({ error }: Execution, { text, errorCode, nodeId }: SearchFilter): boolean {
  return (
    text !== null ||
    (errorCode !== null && error?.code !== errorCode) ||
    (nodeId !== null && error?.nodeId !== nodeId)
  );
}
