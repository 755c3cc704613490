import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerExecutionCommands } from './commands/register.ts';
import { registerExecutionDocuments } from './documents/executionDocuments.ts';
import { Outputs } from './documents/outputs.ts';
import { registerFollowing } from './following/register.ts';
import { registerNotices } from './notices/register.ts';
import { registerExecutionsView } from './tree/register.ts';

export type ExecutionsDeps = Pick<
  App,
  | 'actions'
  | 'ages'
  | 'chosenExecutions'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'contextKeys'
  | 'executionDocuments'
  | 'executions'
  | 'following'
  | 'freshExecutions'
  | 'logger'
  | 'services'
  | 'views'
  | 'workflows'
>;

export function registerExecutions(deps: ExecutionsDeps): Disposable {
  const outputs = new Outputs();
  return combine(
    registerExecutionDocuments(deps, outputs),
    registerExecutionCommands(deps, outputs),
    registerExecutionsView(deps),
    registerFollowing(deps),
    registerNotices(deps),
  );
}
