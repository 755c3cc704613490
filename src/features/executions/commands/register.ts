// The commands on executions: those that open documents, the list, and what is copied.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isServiceError, type ServiceError } from '../../../domain/errors.ts';
import { emptyExecution, type Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { copyText } from '../../../editor/prompts/statusBarMessage.ts';
import { withLateProgress, withProgress } from '../../../editor/prompts/prompts.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import { openPage } from '../../../ui/openPage.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { stateOf } from '../../../words/executionWords.ts';
import { workflowName } from '../../../words/names.ts';
import type { Outputs } from '../documents/outputs.ts';
import type { ComparedDocuments } from '../comparison/comparedDocuments.ts';
import { registerComparing } from './comparing.ts';
import { registerCopyRequest } from './copyRequest.ts';
import { findRun } from '../../../ui/pickers/nodeRunPicker.ts';
import { registerOpening } from './opening.ts';
import { renderReport } from './renderReport.ts';

type CommandsDeps = Pick<
  App,
  | 'clock'
  | 'commands'
  | 'connections'
  | 'contextKeys'
  | 'executionDocuments'
  | 'executions'
  | 'following'
  | 'ranDefinitions'
  | 'requestWaits'
  | 'services'
  | 'workflows'
>;

/** How many executions code gets unless it says otherwise. */
const listedByDefault = 200;

/** Code gets the list. The user chooses one of the newest executions, which is then opened. */
function registerList(deps: CommandsDeps): Disposable {
  const { commands, connections, executions } = deps;
  return commands.register('execution.list', {
    ask: () => Promise.resolve({ workflowId: undefined, status: undefined, limit: undefined }),
    run: async ({ workflowId, status, limit = listedByDefault }, { isInteractive }) => {
      if (isInteractive) {
        await commands.run('execution.open', await pickExecution(deps));
        return undefined;
      }
      const { id: connectionId } = requireActiveConnection(connections);
      const query = {
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(status === undefined ? {} : { status }),
      };
      const items = await withLateProgress(deps, vscode.l10n.t('Listing executions…'), (signal) =>
        executions.listWhole(connectionId, query, { limit, signal }),
      );
      return items.map((execution) => ({
        id: execution.id,
        workflowId: execution.workflowId,
        status: stateOf(execution),
      }));
    },
  });
}

/** Returns a ServiceError instead of rejecting with it, because a report is useful without some of its parts. */
async function orFailure<T>(reading: Promise<T>): Promise<T | ServiceError> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}

export async function writeReport(
  { executions, following, workflows }: Pick<App, 'executions' | 'following' | 'workflows'>,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<string> {
  const [read, withInput, logs, output] = await Promise.all([
    orFailure(executions.read(target, signal)),
    orFailure(executions.readInput(target, signal)),
    orFailure(following.readLog(target, signal)),
    orFailure(executions.output(target, signal)),
  ]);
  if (isServiceError(read) && isServiceError(logs) && isServiceError(output)) throw read;
  const record = isServiceError(read)
    ? (executions.find(target) ?? emptyExecution(target.executionId))
    : read;
  const execution = isServiceError(withInput) ? record : { ...record, input: withInput.input };
  return renderReport({
    workflowName: workflowName(workflows, target.connectionId, execution.workflowId),
    execution,
    logs,
    output,
  });
}

function registerReport(deps: CommandsDeps): Disposable {
  return deps.commands.register('execution.copyReport', {
    ask: () => pickExecution(deps),
    run: async (_target, { isInteractive, selected }) => {
      const text = await withProgress(vscode.l10n.t('Writing the report…'), async (signal) => {
        const reports = await Promise.all(selected.map((each) => writeReport(deps, each, signal)));
        return reports.join('\n---\n\n');
      });
      if (isInteractive) await copyText(text, vscode.l10n.t('Report copied.'));
      return text;
    },
  });
}

function registerCopyId(deps: CommandsDeps): Disposable {
  return deps.commands.register('execution.copyId', {
    ask: () => pickExecution(deps),
    run: async (_target, { isInteractive, selected }) => {
      const text = selected.map(({ executionId }) => executionId).join('\n');
      if (isInteractive) await copyText(text, vscode.l10n.t('ID copied.'));
      return text;
    },
  });
}

function registerOpenPage(deps: CommandsDeps): Disposable {
  const { commands, executions, services } = deps;
  return commands.register('execution.openInN8n', {
    ask: () => pickExecution(deps),
    run: async ({ nodeRunKey, ...target }, { isInteractive }) => {
      const { connectionId, executionId } = target;
      const execution = executions.find(target) ?? (await executions.get(target));
      const { workflowId } = execution;
      if (workflowId === null) return openPage(undefined, isInteractive);
      const workflow = { connectionId, workflowId };
      const nodeId = nodeRunKey && (await findOwnId(deps, workflow, execution, nodeRunKey));
      return openPage(services.pageOf(workflow, executionId, nodeId), isInteractive);
    },
  });
}

/** The member `id` of a node run's node, in documents whose nodes go by another one. */
async function findOwnId(
  { executions, following, ranDefinitions }: CommandsDeps,
  workflow: WorkflowTarget,
  execution: Execution,
  nodeRunKey: string,
): Promise<string | undefined> {
  const { connectionId } = workflow;
  const argument = { connectionId, executionId: execution.id, nodeRunKey };
  const run = await findRun({ executions, following }, argument, false);
  const ran = await ranDefinitions.read(workflow, execution);
  const id = run && ran?.nodes.get(run.nodeId)?.['id'];
  return typeof id === 'string' ? id : undefined;
}

export function registerExecutionCommands(
  deps: CommandsDeps,
  outputs: Outputs,
  compared: ComparedDocuments,
): Disposable {
  return combine(
    registerOpening(deps, outputs),
    registerComparing(deps, compared),
    registerCopyRequest(deps),
    registerList(deps),
    registerReport(deps),
    registerCopyId(deps),
    registerOpenPage(deps),
  );
}
