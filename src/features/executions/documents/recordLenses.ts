// Lines of actions in the documents of an execution's record and of its node runs, which lead to other executions that they name.
import * as vscode from 'vscode';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { shortId } from '../../../ui/words/names.ts';

/** The line of the record's own member; those of values are indented further. */
export function lineOf(text: string, member: string): number | undefined {
  const at = text.indexOf(`\n  "${member}": `);
  return at < 0 ? undefined : text.slice(0, at + 1).split('\n').length - 1;
}

export const lensAt = (line: number, command: vscode.Command): vscode.CodeLens =>
  new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);

/** `text`: of the document. Above the member that names another execution of the service. */
export function lensToExecution(
  text: string,
  member: string,
  connectionId: string,
  executionId: string | null,
): readonly vscode.CodeLens[] {
  const line = lineOf(text, member);
  if (line === undefined || executionId === null) return [];
  const title = vscode.l10n.t('Open Execution {0}', shortId(executionId));
  return [lensAt(line, offerCommand('execution.open', { connectionId, executionId }, { title }))];
}

/** `text`: of the document. `retry`: the newest retry of the execution, if one is known. */
export function recordLenses(
  text: string,
  target: ExecutionTarget,
  { retryOf, basedOn, parent = null }: Execution,
  retry: Execution | undefined,
): readonly vscode.CodeLens[] {
  const { connectionId, executionId } = target;
  return [
    ...(retry === undefined
      ? []
      : [
          lensAt(
            0,
            offerCommand(
              'execution.openRetry',
              { connectionId, executionId },
              { title: vscode.l10n.t('Open Retry {0}', shortId(retry.id)) },
            ),
          ),
        ]),
    ...lensToExecution(text, 'retryOf', connectionId, retryOf),
    ...lensToExecution(text, 'basedOn', connectionId, basedOn),
    ...lensToExecution(text, 'parentExecution', connectionId, parent),
  ];
}
