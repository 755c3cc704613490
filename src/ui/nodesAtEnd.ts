import type { ExecutionTarget } from '../domain/targets.ts';
import type { Workflow } from '../domain/workflow.ts';
import type { App } from './app.ts';

type NodesAtEndDeps = Pick<App, 'executions' | 'workflows'>;

/** The workflow of an execution, as far as both are known. */
export function findWorkflowOf(
  { executions, workflows }: NodesAtEndDeps,
  target: ExecutionTarget,
): Workflow | undefined {
  const workflowId = executions.find(target)?.workflowId ?? null;
  return workflowId === null ? undefined : workflows.find({ connectionId: target.connectionId, workflowId });
}

/** Whether an execution goes on whose nodes are reported only at its end. */
export function hasNodesAtEnd(deps: NodesAtEndDeps, target: ExecutionTarget): boolean {
  return (
    deps.executions.find(target)?.status.isTerminal !== true &&
    findWorkflowOf(deps, target)?.tellsNodesAtEnd === true
  );
}
