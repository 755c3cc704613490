// Executes a workflow and follows the execution. Offers to deploy the workflow first if it isn't deployed.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { UnansweredExecution } from '../../model/workflows/executing.ts';
import { settleUnsavedEdits } from '../../ui/pickers/openDefinition.ts';
import { describeError } from '../../ui/words/describeError.ts';
import type { ExecuteResult } from '../../editor/commandTypes.ts';
import { plainLine } from '../../editor/format.ts';
import { confirm, showMessage, withLateProgress } from '../../editor/prompts.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { App } from '../../ui/app.ts';
import { rememberInput } from '../../model/inputs/inputHistory.ts';

export type ExecuteDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'drafts'
  | 'executions'
  | 'following'
  | 'history'
  | 'logger'
  | 'workflows'
>;

async function offerDeployment({ workflows, actions }: ExecuteDeps, target: WorkflowTarget): Promise<void> {
  const name = plainLine(workflows.find(target)?.name ?? target.workflowId, 80);
  await confirm(
    vscode.l10n.t('"{0}" is not deployed, so it cannot be executed yet.', name),
    { icon: 'rocket', label: vscode.l10n.t('Deploy and Execute') },
    vscode.l10n.t(
      'Deploys the workflow as it is now, then executes it with this input. Escape runs nothing.',
    ),
  );
  await settleUnsavedEdits(target);
  await actions.deploy(target);
}

/** Starts the execution. If the service doesn't answer, the user may send the same request again; code gets the error. */
async function start(
  deps: ExecuteDeps,
  target: WorkflowTarget,
  call: (signal?: AbortSignal) => Promise<Triggered>,
  isInteractive: boolean,
): Promise<Triggered> {
  const { actions, clock } = deps;
  if (!isInteractive) return call();
  try {
    return await withLateProgress(vscode.l10n.t('Executing…'), call);
  } catch (error) {
    if (!(error instanceof UnansweredExecution)) throw error;
    await confirm(
      describeError(error, clock.now()).message,
      { icon: 'refresh', label: vscode.l10n.t('Try Again') },
      vscode.l10n.t(
        'Sends the same request with the same Idempotency-Key: a service that honours it starts no second execution.',
      ),
    );
    return start(deps, target, (signal) => actions.executeAgain(target, error, signal), true);
  }
}

/** Executes the workflow. If it isn't deployed, offers the user to deploy it; code gets the error. */
async function trigger(
  deps: ExecuteDeps,
  target: WorkflowTarget,
  input: JsonObject,
  isInteractive: boolean,
): Promise<Triggered> {
  const execute = (): Promise<Triggered> =>
    start(deps, target, (signal) => deps.actions.execute(target, input, signal), isInteractive);
  const isKnownUndeployed = deps.workflows.find(target)?.isDeployed === false;
  if (isInteractive && isKnownUndeployed) {
    await offerDeployment(deps, target);
    return execute();
  }
  try {
    return await execute();
  } catch (error) {
    if (!isInteractive || !isServiceError(error, 'notDeployed')) throw error;
    await offerDeployment(deps, target);
    return execute();
  }
}

/** Follows the execution and shows its log. */
async function follow({ commands, following, logger }: ExecuteDeps, target: ExecutionTarget): Promise<void> {
  following.follow(target);
  try {
    await commands.run('execution.showLogs', target);
  } catch (error) {
    logger.error('The log of the execution could not be shown.', error);
  }
}

/** Finds the execution of the events in the background. Shows a message if it isn't certain which one it is. */
async function findAndFollow(
  deps: ExecuteDeps,
  target: WorkflowTarget,
  triggered: Triggered,
  known: ReadonlySet<string>,
): Promise<void> {
  const { actions, executions, logger } = deps;
  const { connectionId } = target;
  try {
    const match = await actions.findExecution(target, triggered, known);
    await executions.refresh(target);
    if (match.kind === 'probable') void showMessage('information', describeProbable());
    if (match.kind === 'unknown') void showMessage('information', describeUnknown(triggered));
    else await follow(deps, { connectionId, executionId: match.executionId });
  } catch (error) {
    if (!isAbortError(error)) logger.error('The execution could not be found.', error);
  }
}

function describeProbable(): string {
  return vscode.l10n.t(
    'The workflow was triggered. The service does not tell which execution belongs to it; the newest one is probably it, and is followed.',
  );
}

const shownEventIds = 3;

/** The message if the execution can't be determined. It contains the event ids, by which the user can search on the service. */
export function describeUnknown({ eventIds }: Triggered): string {
  const sentence = vscode.l10n.t(
    'The workflow was triggered. The service does not tell which execution belongs to it; look at its newest executions.',
  );
  if (eventIds.length === 0) return sentence;
  const ids = eventIds.slice(0, shownEventIds).map((id) => plainLine(id, 80));
  const more = eventIds.length > shownEventIds ? ', …' : '';
  return `${sentence} ${vscode.l10n.t('Its event: {0}', ids.join(', ') + more)}`;
}

export async function executeWorkflow(
  deps: ExecuteDeps,
  target: WorkflowTarget,
  input: JsonObject,
  isInteractive: boolean,
): Promise<ExecuteResult> {
  const known = new Set(deps.executions.list(target).items.map(({ id }) => id));
  const triggered = await trigger(deps, target, input, isInteractive);
  const remembered = rememberInput(deps, target, input);
  const [executionId] = triggered.executionIds;
  if (executionId === undefined) void findAndFollow(deps, target, triggered, known);
  else await follow(deps, { connectionId: target.connectionId, executionId });
  await remembered;
  return {
    workflowId: target.workflowId,
    eventIds: triggered.eventIds,
    status: triggered.status,
    ...(executionId === undefined ? {} : { executionId }),
  };
}
