// Executing a workflow: sent once, "Deploy and Execute" offered where it is not deployed, then followed.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clients } from '../../model/clients.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { InputDrafts } from '../../model/inputs/inputDrafts.ts';
import type { InputHistory } from '../../model/inputs/inputHistory.ts';
import { rememberInput } from '../../model/inputs/rememberInput.ts';
import type { Clock } from '../../model/ports.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { UnansweredExecution } from '../../model/workflows/executing.ts';
import type { WorkflowActions } from '../../model/workflows/workflowActions.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { settleUnsavedEdits } from '../../pickers/openDefinition.ts';
import { describeError } from '../../platform/describeError.ts';
import { commandId } from '../../platform/ids.ts';
import { plainLine } from '../../platform/format.ts';
import { confirm, withLateProgress } from '../../platform/prompts.ts';
import { showMessage } from '../../platform/messages.ts';
import type { Triggered } from '../../domain/execution.ts';

export interface ExecuteParts {
  readonly clients: Clients;
  readonly actions: WorkflowActions;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly drafts: InputDrafts;
  readonly history: InputHistory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the command gives back to code. */
export interface ExecuteResult {
  readonly workflowId: string;
  readonly eventIds: readonly string[];
  readonly status: string;
  readonly executionId?: string;
}

async function offerDeployment({ workflows, actions }: ExecuteParts, target: WorkflowTarget): Promise<void> {
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

/** Starts the execution; where no answer came, a person may send the same again, code gets the error. */
async function start(
  parts: ExecuteParts,
  target: WorkflowTarget,
  call: (signal?: AbortSignal) => Promise<Triggered>,
  isInteractive: boolean,
): Promise<Triggered> {
  const { actions, clock } = parts;
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
    return start(parts, target, (signal) => actions.executeAgain(target, error, signal), true);
  }
}

/** Executes; a person is offered the deployment, code gets the error. */
async function trigger(
  parts: ExecuteParts,
  target: WorkflowTarget,
  input: JsonObject,
  isInteractive: boolean,
): Promise<Triggered> {
  const execute = (): Promise<Triggered> =>
    start(parts, target, (signal) => parts.actions.execute(target, input, signal), isInteractive);
  const isKnownUndeployed = parts.workflows.find(target)?.isDeployed === false;
  if (isInteractive && isKnownUndeployed) {
    await offerDeployment(parts, target);
    return execute();
  }
  try {
    return await execute();
  } catch (error) {
    if (!isInteractive || !isServiceError(error, 'notDeployed')) throw error;
    await offerDeployment(parts, target);
    return execute();
  }
}

function follow(connectionId: string, executionId: string): Thenable<unknown> {
  return vscode.commands.executeCommand(commandId('execution.showLogs'), { connectionId, executionId });
}

/** Finds the execution behind the events in the background, and says so where it could not be told for sure. */
async function findAndFollow(
  { actions, executions, logger }: ExecuteParts,
  target: WorkflowTarget,
  triggered: Triggered,
  known: ReadonlySet<string>,
): Promise<void> {
  try {
    const match = await actions.findExecution(target, triggered, known);
    await executions.refresh(target);
    if (match.kind === 'probable') void showMessage('information', describeProbable());
    if (match.kind === 'unknown') void showMessage('information', describeUnknown(triggered));
    else await follow(target.connectionId, match.executionId);
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

/** What is said where nothing tells which execution it is: with what the service did tell, for finding it there. */
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
  parts: ExecuteParts,
  target: WorkflowTarget,
  input: JsonObject,
  isInteractive: boolean,
): Promise<ExecuteResult> {
  const known = new Set(parts.executions.list(target).items.map(({ id }) => id));
  const triggered = await trigger(parts, target, input, isInteractive);
  const remembered = rememberInput(parts, target, input);
  const [executionId] = triggered.executionIds;
  if (executionId === undefined) void findAndFollow(parts, target, triggered, known);
  else await follow(target.connectionId, executionId);
  await remembered;
  return {
    workflowId: target.workflowId,
    eventIds: triggered.eventIds,
    status: triggered.status,
    ...(executionId === undefined ? {} : { executionId }),
  };
}
