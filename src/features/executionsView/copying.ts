// Takes executions elsewhere: their ids, and reports that say enough for a ticket.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { executionArgument, type ExecutionPickerParts, workflowName } from '../../pickers/executionPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { withProgress } from '../../platform/prompts.ts';
import { renderReport } from './renderReport.ts';

export interface CopyingParts extends ExecutionPickerParts {
  readonly commands: Commands;
  readonly executions: Executions;
}

const saidForMs = 4000;

async function copy(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(said, saidForMs);
}

/** What was read, or why the service would not give it; a report is worth having without its logs. */
async function orFailure<T>(reading: Promise<T>): Promise<T | ServiceError> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}

async function report(parts: CopyingParts, target: ExecutionTarget, signal: AbortSignal): Promise<string> {
  const { executions, clients, workflows } = parts;
  const client = clients.get(target.connectionId);
  const [execution, logs, output] = await Promise.all([
    executions.read(target, signal),
    orFailure(executions.readLogs(target, signal)),
    orFailure(client.executions.output(target.executionId, { signal })),
  ]);
  return renderReport({
    workflowName: workflowName(workflows, target.connectionId, execution.workflowId),
    execution,
    logs: isServiceError(logs) ? logs : logs.rows,
    output,
  });
}

export function registerCopying(parts: CopyingParts): Disposable {
  const owned = new DisposableStore();
  owned.add(
    parts.commands.register('execution.copyReport', {
      ...executionArgument(parts),
      run: async (_target, { isInteractive, selected }) => {
        const text = await withProgress(vscode.l10n.t('Writing the report…'), async (signal) => {
          const reports = await Promise.all(selected.map((each) => report(parts, each, signal)));
          return reports.join('\n---\n\n');
        });
        if (isInteractive) await copy(text, vscode.l10n.t('The report is on the clipboard.'));
        return text;
      },
    }),
  );
  owned.add(
    parts.commands.register('execution.copyId', {
      ...executionArgument(parts),
      run: async (_target, { isInteractive, selected }) => {
        const text = selected.map(({ executionId }) => executionId).join('\n');
        if (isInteractive) await copy(text, vscode.l10n.t('The id is on the clipboard.'));
        return text;
      },
    }),
  );
  return owned;
}
