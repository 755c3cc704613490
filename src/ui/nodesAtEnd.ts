import * as l10n from '@vscode/l10n';
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

/** The name of the service that reports the nodes of an execution only at its end, while the execution goes on; undefined where they're reported while it runs. */
export function findNodesAtEnd(
  { services, ...deps }: NodesAtEndDeps & Pick<App, 'services'>,
  target: ExecutionTarget,
): string | undefined {
  const isAtEnd =
    deps.executions.find(target)?.status.isTerminal !== true &&
    findWorkflowOf(deps, target)?.reportsNodesAtEnd === true;
  return isAtEnd ? (services.traits(target.connectionId).product ?? l10n.t('The service')) : undefined;
}
