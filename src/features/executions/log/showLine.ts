import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import { findDocument } from '../../../editor/documents.ts';
import { Cancelled } from '../../../editor/prompts.ts';
import type { LogFeed } from '../../../model/executions/logFeed.ts';
import { countLogLines } from '../../../model/executions/wholeLog.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import { documentUri, type OpeningDeps } from '../commands/opening.ts';
import type { LogTexts } from './logTexts.ts';
import { placeOf, wholeFilter } from './logView.ts';

export interface LineDeps extends OpeningDeps {
  readonly logs: LogTexts;
}

/** The open document of the log, or else the URI that it's opened with. */
export function logUri(deps: OpeningDeps, target: ExecutionTarget): vscode.Uri {
  const open = vscode.workspace.textDocuments.find(({ uri }) => {
    const address = executionAddress(uri);
    return address?.part === 'log' && executionName(address.target) === executionName(target);
  });
  return open?.uri ?? documentUri(deps, target, 'log');
}

/** The line of the document that shows this line of the log; undefined until the document has it. */
function findLine(logs: LogTexts, target: ExecutionTarget, document: vscode.TextDocument, line: number) {
  const rendered = logs.find(target);
  const at = rendered?.logLines.indexOf(line) ?? -1;
  if (rendered === undefined || at < 0 || at >= document.lineCount) return undefined;
  return document.lineAt(at).text === rendered.text.split('\n', at + 1)[at] ? at : undefined;
}

/** Resolves when the document has the line. Rejects with Cancelled if it's closed before. */
async function waitForLine(
  logs: LogTexts,
  target: ExecutionTarget,
  document: vscode.TextDocument,
  line: number,
): Promise<number> {
  const owned = new DisposableStore();
  try {
    return await new Promise<number>((resolve, reject) => {
      const look = () => {
        const at = findLine(logs, target, document, line);
        if (at !== undefined) resolve(at);
      };
      owned.add(vscode.workspace.onDidChangeTextDocument((change) => change.document === document && look()));
      owned.add(
        vscode.workspace.onDidCloseTextDocument((closed) => closed === document && reject(new Cancelled())),
      );
      look();
    });
  } finally {
    owned.dispose();
  }
}

/** Opens the log with this line in sight and selected. Without a filter, if the one that is set hides the line. */
export async function showLogLine(
  { logs, executionDocuments, ...deps }: LineDeps,
  target: ExecutionTarget,
  feed: LogFeed,
  line: number,
): Promise<string> {
  const uri = logUri({ ...deps, executionDocuments }, target);
  const isShown = findDocument(uri) !== undefined && logs.find(target)?.logLines.includes(line) === true;
  if (!isShown) logs.views.set(target, { place: placeOf(line, countLogLines(feed)), filter: wholeFilter });
  const document = await executionDocuments.open(uri);
  const at = await waitForLine(logs, target, document, line);
  const { range } = document.lineAt(at);
  const editor = await vscode.window.showTextDocument(document, { preview: true, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return uri.toString();
}
