// The commands that copy execution ids and reports.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isServiceError, type ServiceError } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { withProgress } from '../../../editor/prompts.ts';
import { renderReport } from './renderReport.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';

export type CopyingDeps = Pick<App, 'commands' | 'executions' | 'connections' | 'workflows' | 'clock'>;

const saidForMs = 4000;

async function copy(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(said, saidForMs);
}

/** Returns a ServiceError instead of rejecting with it, because a report is useful without its logs or output. */
async function orFailure<T>(reading: Promise<T>): Promise<T | ServiceError> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}

async function report(deps: CopyingDeps, target: ExecutionTarget, signal: AbortSignal): Promise<string> {
  const { executions, workflows } = deps;
  const [execution, logs, output] = await Promise.all([
    executions.read(target, signal),
    orFailure(executions.readLogs(target, signal)),
    orFailure(executions.output(target, signal)),
  ]);
  return renderReport({
    workflowName: workflowName(workflows, target.connectionId, execution.workflowId),
    execution,
    logs: isServiceError(logs) ? logs : logs.rows,
    output,
  });
}

function registerReport(deps: CopyingDeps): Disposable {
  return deps.commands.register('execution.copyReport', {
    ask: () => pickExecution(deps),
    run: async (_target, { isInteractive, selected }) => {
      const text = await withProgress(vscode.l10n.t('Writing the report…'), async (signal) => {
        const reports = await Promise.all(selected.map((each) => report(deps, each, signal)));
        return reports.join('\n---\n\n');
      });
      if (isInteractive) await copy(text, vscode.l10n.t('The report is on the clipboard.'));
      return text;
    },
  });
}

function registerCopyId(deps: CopyingDeps): Disposable {
  return deps.commands.register('execution.copyId', {
    ask: () => pickExecution(deps),
    run: async (_target, { isInteractive, selected }) => {
      const text = selected.map(({ executionId }) => executionId).join('\n');
      if (isInteractive) await copy(text, vscode.l10n.t('The id is on the clipboard.'));
      return text;
    },
  });
}

export function registerCopying(deps: CopyingDeps): Disposable {
  return combine(registerReport(deps), registerCopyId(deps));
}
