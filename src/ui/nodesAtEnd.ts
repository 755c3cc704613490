import type { ExecutionTarget } from '../domain/targets.ts';
import type { Workflow } from '../domain/workflow.ts';
import type { App } from './app.ts';

type Deps = Pick<App, 'executions' | 'workflows'>;

/** The workflow of an execution, as far as both are known. */
export function findWorkflowOf(
  { executions, workflows }: Deps,
  target: ExecutionTarget,
): Workflow | undefined {
  const workflowId = executions.find(target)?.workflowId ?? null;
  return workflowId === null ? undefined : workflows.find({ connectionId: target.connectionId, workflowId });
}

/** Whether an execution goes on whose nodes are told at its end only. */
export function hasNodesAtEnd(deps: Deps, target: ExecutionTarget): boolean {
  return (
    deps.executions.find(target)?.status.isTerminal !== true &&
    findWorkflowOf(deps, target)?.reportsNodesAtEnd === true
  );
}
