import * as vscode from 'vscode';
import { unlessAborted } from '../../../base/async.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { toError } from '../../../base/reason.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { findDocument } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { Cancelled } from '../../../editor/prompts/prompts.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import type { App } from '../../../ui/app.ts';
import type { OpeningDeps } from '../commands/opening.ts';
import { isDocumentOf } from '../documents/documentSource.ts';
import { documentUri } from '../../../ui/executionUris.ts';
import type { LogTexts } from './logTexts.ts';
import { type LogView, type LogWindowPlace, placeOf, wholeFilter, windowAt } from './logView.ts';

export interface LineDeps extends OpeningDeps {
  readonly logs: LogTexts;
}

export type LogDeps = LineDeps & Pick<App, 'contextKeys' | 'following' | 'requestWaits'>;

/** The open document of the log, or else the URI that it's opened with. */
export function logUri(deps: OpeningDeps, target: ExecutionTarget): vscode.Uri {
  const open = vscode.workspace.textDocuments.find(({ uri }) => isDocumentOf(uri, 'log', target));
  return open?.uri ?? documentUri(deps, target, 'log');
}

/** The first line of the document that shows the row at this position; undefined until the document has it. */
function findLine(logs: LogTexts, target: ExecutionTarget, document: vscode.TextDocument, position: number) {
  const rendered = logs.find(target);
  const at = rendered?.positions.indexOf(position) ?? -1;
  if (rendered === undefined || at < 0 || at >= document.lineCount) return undefined;
  return document.lineAt(at).text === rendered.text.split('\n', at + 1)[at] ? at : undefined;
}

/** Resolves with what `look` finds as soon as it finds something in the document. Rejects with Cancelled if it's closed before, and with what `look` throws. */
async function waitFor(
  logs: LogTexts,
  document: vscode.TextDocument,
  look: () => number | undefined,
): Promise<number> {
  const owned = new DisposableStore();
  try {
    return await new Promise<number>((resolve, reject) => {
      const lookNow = () => {
        try {
          const found = look();
          if (found !== undefined) resolve(found);
        } catch (error) {
          reject(toError(error));
        }
      };
      owned.add(
        vscode.workspace.onDidChangeTextDocument((change) => change.document === document && lookNow()),
      );
      // A text that equals the one before doesn't change the document.
      owned.add(logs.onDidRender(lookNow));
      owned.add(
        vscode.workspace.onDidCloseTextDocument((closed) => closed === document && reject(new Cancelled())),
      );
      lookNow();
    });
  } finally {
    owned.dispose();
  }
}

async function select(document: vscode.TextDocument, line: number): Promise<void> {
  const { range } = document.lineAt(line);
  const editor = await vscode.window.showTextDocument(document, { preview: true, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows a part of the log, from its first line if it goes on from there, else with its last line in sight. */
export async function showLogView(
  { logs, executionDocuments, ...deps }: LineDeps,
  target: ExecutionTarget,
  view: LogView,
): Promise<string> {
  const uri = logUri({ ...deps, executionDocuments }, target);
  logs.views.set(target, view);
  const document = await executionDocuments.open(uri);
  const line = await waitFor(logs, document, () => {
    // The end of a live log changes all the time, so its beginning must do.
    const lines = logs.find(target, view)?.text.split('\n', 2);
    const isShown = lines?.every((text, at) => at < document.lineCount && document.lineAt(at).text === text);
    if (isShown !== true) return undefined;
    return view.place.kind === 'from' ? 0 : lastLine(document);
  });
  await goTo(document, line);
  return uri.toString();
}

async function goTo(document: vscode.TextDocument, line: number): Promise<void> {
  const cursor = new vscode.Range(line, 0, line, 0);
  const editor = await vscode.window.showTextDocument(document, { preview: true, selection: cursor });
  editor.revealRange(cursor);
}

/** The last line with a text: the document ends with a line end. */
const lastLine = ({ lineCount }: vscode.TextDocument): number => Math.max(0, lineCount - 2);

/** Goes to the end of a log that is in its document; with a feed once the document has all of that. */
export async function showLogEnd(
  { logs }: LineDeps,
  target: ExecutionTarget,
  document: vscode.TextDocument,
  feed?: LogFeed,
): Promise<void> {
  const findEnd = (): number | undefined => {
    if (feed === undefined) return lastLine(document);
    const rendered = logs.find(target);
    const isWhole =
      rendered?.window.rowCount === feed.count && rendered.text.split('\n').length === document.lineCount;
    return isWhole ? lastLine(document) : undefined;
  };
  await goTo(document, await waitFor(logs, document, findEnd));
}

/** The position of the row that has the cursor; -1 where its document isn't in front. */
export function cursorPosition({ logs }: LineDeps, target: ExecutionTarget): number {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isDocumentOf(editor.document.uri, 'log', target)) return -1;
  return logs.find(target)?.positions[editor.selection.active.line] ?? -1;
}

/** Where a row is, and which of its lines is meant; default: the first. */
interface RowPlace {
  readonly position: number;
  readonly line?: number;
}

/**
 * Opens the log with a row in sight and one of its lines selected. Without a filter, if the one that is set hides the row. Rejects with a
 * PlainError if the log no longer has the row, with Cancelled if the document is closed before, and with the signal's reason.
 */
export async function showLogRow(
  { logs, executionDocuments, ...deps }: LineDeps,
  target: ExecutionTarget,
  feed: LogFeed,
  { position, line: lineOfRow = 0 }: RowPlace,
  signal?: AbortSignal,
): Promise<string> {
  const uri = logUri({ ...deps, executionDocuments }, target);
  const isThere = findDocument(uri) !== undefined && logs.find(target)?.positions.includes(position) === true;
  if (!isThere) logs.views.set(target, { place: placeOf(position, feed.count), filter: wholeFilter });
  const document = await executionDocuments.open(uri);
  const look = (): number | undefined => {
    const view = logs.views.get(target);
    if (logs.find(target, view)?.positions.includes(position) === false) {
      const { place } = view;
      if (place.kind === 'from' && place.position === windowAt(position).position)
        throw new PlainError(vscode.l10n.t('The log no longer has this line.'));
      // The end of a log moves on while rows come.
      logs.views.set(target, { place: windowAt(position), filter: wholeFilter });
    }
    return findLine(logs, target, document, position);
  };
  const waiting = waitFor(logs, document, look);
  const line = await (signal === undefined ? waiting : unlessAborted(waiting, signal));
  await select(document, line + lineOfRow);
  return uri.toString();
}

/** Shows another part of the log, with the filter that is set. */
export function openView(deps: LineDeps, target: ExecutionTarget, place: LogWindowPlace): Promise<string> {
  return showLogView(deps, target, { ...deps.logs.views.get(target), place });
}
