// Why: a key in a file is soon in somebody else's hands; it is marked where it stands, in what is open and nowhere else.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import { maskKey } from '../../base/redact.ts';
import { schemes } from '../../platform/ids.ts';
import { onDidChangeKeyGuard, settings } from '../../platform/settings.ts';
import { findKeys } from './findKeys.ts';

/** Marks our diagnostics, so that the quick fix finds them. */
export const problemCode = 'apiKeyInText';

/** A change is looked at once the typing pauses, in milliseconds. */
const pause = 300;
/** In UTF-16 units: larger documents are data, and would cost more than they give. */
const maximumLength = 1024 * 1024;

const ownSchemes: readonly string[] = Object.values(schemes);

/** True for what a person may have written a key into: files that can be changed, and untitled documents. */
function isGuarded(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  if (document.isClosed || ownSchemes.includes(scheme)) return false;
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

function findProblems(document: vscode.TextDocument): vscode.Diagnostic[] {
  if (!isGuarded(document) || lengthOf(document) > maximumLength) return [];
  const prefix = settings.keyPrefix();
  const text = document.getText();
  return findKeys(text, prefix).map(({ offset, length }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const masked = maskKey(text.slice(offset, offset + length), prefix);
    const problem = new vscode.Diagnostic(
      range,
      vscode.l10n.t('This looks like an API key ({0}). Who can read this text can use it.', masked),
      vscode.DiagnosticSeverity.Warning,
    );
    problem.source = 'Workflows';
    problem.code = problemCode;
    return problem;
  });
}

export function createKeyProblems(clock: Pick<Clock, 'schedule'>): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.keys'));
  const waiting = new Set<vscode.TextDocument>();
  let timer: Disposable | undefined;

  const check = (document: vscode.TextDocument): void => {
    const problems = findProblems(document);
    if (problems.length > 0) collection.set(document.uri, problems);
    else collection.delete(document.uri);
  };
  const checkWaiting = (): void => {
    timer = undefined;
    const documents = [...waiting];
    waiting.clear();
    if (!settings.keyGuard()) return;
    for (const document of documents) check(document);
  };
  const checkAll = (): void => {
    collection.clear();
    if (!settings.keyGuard()) return;
    for (const document of vscode.workspace.textDocuments) check(document);
  };
  const checkSoon = (document: vscode.TextDocument): void => {
    if (!settings.keyGuard() || !isGuarded(document)) return;
    waiting.add(document);
    timer?.dispose();
    timer = clock.schedule(checkWaiting, pause);
  };

  owned.add(vscode.workspace.onDidOpenTextDocument(checkSoon));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      checkSoon(document);
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      waiting.delete(document);
      // A new untitled document may have taken the address over already.
      const address = document.uri.toString();
      if (!vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === address))
        collection.delete(document.uri);
    }),
  );
  owned.add(onDidChangeKeyGuard(checkAll));
  owned.add({ dispose: () => timer?.dispose() });
  checkAll();
  return owned;
}
