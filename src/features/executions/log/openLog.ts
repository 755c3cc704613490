// Opens a log where it's read first.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { LogLine } from '../../../domain/logEntry.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { isInTab } from '../../../editor/documents/documents.ts';
import { withLateProgress } from '../../../editor/prompts/prompts.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { findLine, withLog } from './logReading.ts';
import { type LogDeps, logUri, showLogEnd, showLogRow } from './showLine.ts';

/** Whether the user has left the document as it was opened. */
function isUntouched(document: vscode.TextDocument): boolean {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document || !editor.selection.isEmpty) return false;
  return editor.selection.active.line === 0 && editor.visibleRanges[0]?.start.line === 0;
}

/** Returns the first error that ended the execution: one that wasn't handled, if possible. */
async function findError(feed: LogFeed, signal: AbortSignal): Promise<LogLine | undefined> {
  const isUnhandled = (line: LogLine): boolean => feed.nodeRunOf(line)?.isHandled !== true;
  const errors = { level: 'error' } as const;
  return (await findLine(feed, errors, signal, isUnhandled)) ?? findLine(feed, errors, signal);
}

/** Goes where a log is read first: to the first error of a failed execution, else to the end. */
async function goWhereItEnded(
  deps: LogDeps,
  target: ExecutionTarget,
  document: vscode.TextDocument,
): Promise<void> {
  const status = deps.executions.find(target)?.status;
  if (status?.isTerminal !== true) {
    await showLogEnd(deps, target, document);
    return;
  }
  await withLateProgress(deps, vscode.l10n.t('Reading the log…'), (signal) =>
    withLog(deps, target, signal, async (feed) => {
      const found = status.state === 'failed' ? await findError(feed, signal) : undefined;
      if (!isUntouched(document)) return;
      if (found === undefined) await showLogEnd(deps, target, document, feed);
      else await showLogRow(deps, target, feed, found, signal);
    }),
  );
}

/** A log that is open already stays where it is. Code doesn't wait until a long log is read. */
export function registerOpenLog(deps: LogDeps): Disposable {
  return deps.commands.register('execution.openLog', {
    ask: () => pickExecution(deps),
    run: async (target, { isInteractive }) => {
      const uri = logUri(deps, target);
      const wasOpen = isInTab(uri);
      const document = await deps.executionDocuments.open(uri);
      await vscode.window.showTextDocument(document, { preview: true });
      const isRead = deps.executions.logs(target).reading.kind === 'whole';
      if (!wasOpen && (isInteractive || isRead)) await goWhereItEnded(deps, target, document);
      return uri.toString();
    },
  });
}
