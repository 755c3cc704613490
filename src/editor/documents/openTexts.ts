// The open documents that may hold an API key, and when they're read. Runs before the app is loaded.
import { workspace } from 'vscode';
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Pulse } from '../../base/pulse.ts';
import { type Clock, systemClock } from '../../base/time.ts';
import { schemes } from '../ids.ts';
import { onDidChange, settings } from '../settings.ts';
import { findKeys } from '../../base/masking.ts';

/** Changed documents are read after a pause in typing, in milliseconds. */
const pause = 300;
/** In UTF-16 units. Larger documents are probably data, and searching them would be slow. */
const maximumLength = 1024 * 1024;

const ownSchemes: readonly string[] = Object.values(schemes);

/** True for documents that the user may have written a key into: writable files and untitled documents. */
function isGuarded({ uri, isClosed }: vscode.TextDocument): boolean {
  if (isClosed || ownSchemes.includes(uri.scheme)) return false;
  return uri.scheme === 'untitled' || workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

/** The text that the guard searches; empty for a large document. */
export function guardedText(document: vscode.TextDocument): string {
  const length = document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
  return length > maximumLength ? '' : document.getText();
}

interface TextsReader {
  /** Called with documents that were opened or changed. */
  readonly look: (documents: readonly vscode.TextDocument[]) => void;
  /** Called when earlier results are void: the guard was turned off, or the key prefix changed. */
  readonly forget: () => void;
}

/**
 * Passes all open documents soon after the start, and then those that are opened or change. While the guard is turned off, it
 * only listens to the setting.
 */
export class OpenTexts implements Disposable {
  readonly #reader: TextsReader;
  readonly #settings: Disposable;
  readonly #waiting = new Set<vscode.TextDocument>();
  #listeners: readonly Disposable[] = [];
  readonly #pulse: Pulse;

  constructor(clock: Clock, reader: TextsReader) {
    this.#pulse = new Pulse(clock, () => this.#look(), { first: pause });
    this.#reader = reader;
    this.#settings = onDidChange(
      () => [settings.keyGuard(), settings.keyPrefix()],
      () => {
        reader.forget();
        this.#start();
      },
    );
    this.#start();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#stop();
  }

  #start(): void {
    this.#stop();
    if (!settings.keyGuard()) return;
    this.#listeners = [
      workspace.onDidOpenTextDocument((document) => this.#lookSoon([document])),
      workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon([document])),
    ];
    this.#lookSoon(workspace.textDocuments);
  }

  #stop(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#listeners = [];
    this.#waiting.clear();
    this.#pulse.cancel();
  }

  #lookSoon(documents: readonly vscode.TextDocument[]): void {
    const guarded = documents.filter(isGuarded);
    if (guarded.length === 0) return;
    for (const document of guarded) this.#waiting.add(document);
    this.#pulse.askAtRest();
  }

  #look(): void {
    const due = [...this.#waiting].filter(isGuarded);
    this.#waiting.clear();
    this.#reader.look(due);
  }
}

/** Loads the app, which marks the keys, once an open document contains a key. Dispose of it after the app is loaded. */
export function watchForKeys(load: () => Promise<unknown>): Disposable {
  return new OpenTexts(systemClock, {
    look: (documents) => {
      const prefix = settings.keyPrefix();
      if (documents.some((document) => findKeys(guardedText(document), prefix).length > 0)) void load();
    },
    forget: () => undefined,
  });
}
