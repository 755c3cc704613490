import * as l10n from '@vscode/l10n';
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

/** The service that tells the nodes of an execution that goes on only at its end, by its name; undefined where it tells them while it runs. */
export function findNodesAtEnd(
  { services, ...deps }: Deps & Pick<App, 'services'>,
  target: ExecutionTarget,
): string | undefined {
  const isAtEnd =
    deps.executions.find(target)?.status.isTerminal !== true &&
    findWorkflowOf(deps, target)?.tellsNodesAtEnd === true;
  return isAtEnd ? (services.traits(target.connectionId).product ?? l10n.t('The service')) : undefined;
}
