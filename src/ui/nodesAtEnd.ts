import * as l10n from '@vscode/l10n';
import type { ExecutionTarget } from '../domain/targets.ts';
import type { App } from './app.ts';
import { findWorkflowOf } from './workflowOf.ts';

/** The name of the service that reports the nodes of an execution only at its end, while the execution goes on; undefined where they're reported while it runs. */
export function findNodesAtEnd(
  { services, ...deps }: Pick<App, 'executions' | 'services' | 'workflows'>,
  target: ExecutionTarget,
): string | undefined {
  const isAtEnd =
    deps.executions.find(target)?.status.isTerminal !== true &&
    findWorkflowOf(deps, target)?.reportsNodesAtEnd === true;
  return isAtEnd ? (services.traits(target.connectionId).product ?? l10n.t('The service')) : undefined;
}
