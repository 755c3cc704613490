import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerCancel } from './acting/cancel.ts';
import { registerExecutionInFront } from './acting/executionInFront.ts';
import { registerPinOutput } from './acting/pinOutput.ts';
import { registerChildren } from './acting/children.ts';
import { registerRetrying } from './acting/retrying.ts';
import { registerExecutionCommands } from './commands/register.ts';
import { ComparedDocuments } from './comparison/comparedDocuments.ts';
import { registerComparison } from './comparison/register.ts';
import { registerRevealNode } from './commands/revealNode.ts';
import { createSideSource } from './comparison/compared.ts';
import { Outputs } from './documents/outputs.ts';
import { createDocuments, createTimelineSource, registerDocuments } from './documents/register.ts';
import { registerFollowing } from './following/register.ts';
import { registerCopyLink } from './links/copyLink.ts';
import { registerOpenLink } from './links/openLink.ts';
import { LogTexts } from './log/logTexts.ts';
import { registerLog } from './log/register.ts';
import { registerNotices } from './notices/register.ts';
import { StartedHere } from './notices/startedHere.ts';
import { registerStatistics } from './statistics/register.ts';
import { registerExecutionsView } from './tree/register.ts';

export type ExecutionsDeps = Pick<
  App,
  | 'actions'
  | 'ages'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'contextKeys'
  | 'definitionTargets'
  | 'executionDocuments'
  | 'executions'
  | 'following'
  | 'freshExecutions'
  | 'links'
  | 'logger'
  | 'pins'
  | 'ranDefinitions'
  | 'requestWaits'
  | 'savedSearches'
  | 'searches'
  | 'services'
  | 'selection'
  | 'statisticsDocuments'
  | 'views'
  | 'workflows'
>;

export function registerExecutions(deps: ExecutionsDeps): Disposable {
  const outputs = new Outputs();
  const startedHere = new StartedHere(deps.actions);
  const compared = new ComparedDocuments(deps);
  const logs = new LogTexts(deps);
  const timeline = createTimelineSource(deps);
  const documents = createDocuments(deps, outputs, {
    log: logs.source,
    timeline,
    comparison: createSideSource(deps, outputs),
    differences: compared,
  });
  return combine(
    startedHere,
    compared,
    logs,
    timeline,
    documents,
    registerDocuments(deps, documents),
    registerLog(deps, logs),
    registerExecutionCommands(deps, outputs, compared),
    registerRevealNode(deps, documents),
    registerComparison(deps, outputs, compared),
    registerExecutionsView(deps),
    registerStatistics(deps),
    registerFollowing(deps),
    registerNotices(deps, startedHere),
    registerCancel(deps, startedHere),
    registerExecutionInFront(deps),
    registerRetrying(deps),
    registerChildren(deps),
    registerPinOutput(deps),
    registerCopyLink(deps),
    registerOpenLink(deps),
  );
}
