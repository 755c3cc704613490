// Which open texts the key guard looks at, and when: bounded, once the typing pauses, and not at all while it is switched off.
import { workspace } from 'vscode';
import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import { schemes } from '../../../editor/ids.ts';
import { onDidChangeKeyGuard, settings } from '../../../editor/settings.ts';

/** A change is looked at once the typing pauses, in milliseconds. */
const pause = 300;
/** In UTF-16 units: larger documents are data, and would cost more than they give. */
const maximumLength = 1024 * 1024;

const ownSchemes: readonly string[] = Object.values(schemes);

/** True for what a person may have written a key into: files that can be changed, and untitled documents. */
function isGuarded({ uri, isClosed }: vscode.TextDocument): boolean {
  if (isClosed || ownSchemes.includes(uri.scheme)) return false;
  return uri.scheme === 'untitled' || workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

/** The text as far as the guard looks at it: nothing of a large document. */
export function guardedText(document: vscode.TextDocument): string {
  const length = document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
  return length > maximumLength ? '' : document.getText();
}

export interface TextsReader {
  /** These are to be looked at now: they were opened or changed. */
  readonly look: (documents: readonly vscode.TextDocument[]) => void;
  /** What was found does not count any more: the guard was switched off, or goes by another prefix. */
  readonly forget: () => void;
}

/** Hands over all open texts soon after the start and then those that change. While the setting is off it listens to nothing but the setting. */
export function readOpenTexts(clock: Pick<Clock, 'schedule'>, reader: TextsReader): Disposable {
  const waiting = new Set<vscode.TextDocument>();
  let listeners: readonly Disposable[] = [];
  let timer: Disposable | undefined;

  const lookSoon = (...documents: readonly vscode.TextDocument[]): void => {
    const guarded = documents.filter(isGuarded);
    if (guarded.length === 0) return;
    for (const document of guarded) waiting.add(document);
    timer?.dispose();
    timer = clock.schedule(() => {
      const due = [...waiting].filter(isGuarded);
      waiting.clear();
      reader.look(due);
    }, pause);
  };
  const stop = (): void => {
    for (const listener of listeners) listener.dispose();
    listeners = [];
    waiting.clear();
    timer?.dispose();
  };
  const start = (): void => {
    stop();
    if (!settings.keyGuard()) return;
    listeners = [
      workspace.onDidOpenTextDocument((document) => lookSoon(document)),
      workspace.onDidChangeTextDocument(({ document }) => lookSoon(document)),
    ];
    lookSoon(...workspace.textDocuments);
  };

  const switched = onDidChangeKeyGuard(() => {
    reader.forget();
    start();
  });
  start();
  return {
    dispose: () => {
      switched.dispose();
      stop();
    },
  };
}
