// Announces changed documents to the editor in batches. Changes while a document is being opened aren't lost.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';

export interface DocumentChanges extends Disposable {
  readonly onDidChange: vscode.Event<vscode.Uri>;
  /** Provides a document's text. The editor ignores changes until it has opened the document, so a change in the meantime is announced afterwards. */
  provide(uri: vscode.Uri, read: () => Promise<string>): Promise<string>;
  /** Announces a change of the concerned documents that are open or being opened. */
  announce(isConcerned: (uri: vscode.Uri) => boolean): void;
}

/** Milliseconds between two updates of a growing document. */
const pauseMs = 200;

export function createDocumentChanges(clock: Clock): DocumentChanges {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  const touched = new Map<string, vscode.Uri>();
  /** Documents whose text was requested, but that aren't open yet. */
  const opening = new Map<string, vscode.Uri>();
  let timer: Disposable | undefined;

  const tell = (): void => {
    timer = undefined;
    for (const [key, uri] of [...touched]) {
      if (opening.has(key)) continue;
      touched.delete(key);
      changes.fire(uri);
    }
  };
  const schedule = (): void => {
    if (touched.size > 0) timer ??= clock.schedule(tell, pauseMs);
  };
  const forget = (uri: vscode.Uri): void => {
    opening.delete(uri.toString());
    touched.delete(uri.toString());
  };

  owned.add({ dispose: () => timer?.dispose() });
  owned.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (opening.delete(uri.toString())) schedule();
    }),
  );
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri)));
  return {
    onDidChange: changes.event,
    provide: async (uri, read) => {
      const key = uri.toString();
      const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
      if (!isOpen) opening.set(key, uri);
      try {
        return await read();
      } catch (error) {
        if (!isOpen) forget(uri);
        throw error;
      }
    },
    announce: (isConcerned) => {
      const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
      for (const uri of [...open, ...opening.values()]) {
        if (isConcerned(uri)) touched.set(uri.toString(), uri);
      }
      schedule();
    },
    dispose: () => owned.dispose(),
  };
}
