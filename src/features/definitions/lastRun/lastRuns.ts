// The execution that each open definition shows, from opening its document until closing it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { ShownExecutionSource, type ShownExecution } from '../../../model/executions/shownExecution.ts';
import { definitionTarget, isTheirs } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { findNodePositions, type NodePosition } from './nodePositions.ts';

export type LastRunsDeps = Pick<App, 'chosenExecutions' | 'clock' | 'executions' | 'following' | 'logger' | 'shownTurns'>;

/** What to draw on a document. */
export interface LastRun {
  readonly document: vscode.TextDocument;
  readonly shown: ShownExecution;
  /** The positions of the nodes in the current text; none without an execution. */
  readonly positions: readonly NodePosition[];
}

interface Held {
  readonly document: vscode.TextDocument;
  readonly source: ShownExecutionSource;
  positions: { readonly version: number; readonly found: readonly NodePosition[] } | undefined;
}

/** Changes are announced at most this often, in milliseconds. */
const pauseMs = 100;

export class LastRuns implements Disposable {
  readonly #deps: LastRunsDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<LastRun>());
  readonly #closings = this.#owned.add(new Emitter<vscode.Uri>());
  /** Fires when the text, the execution or the node runs change. Changes in quick succession fire once. */
  readonly onDidChange = this.#changes.event;
  readonly onDidClose = this.#closings.event;
  readonly #held = new Map<vscode.TextDocument, Held>();
  readonly #changed = new Set<Held>();
  #timer: Disposable | undefined;

  constructor(deps: LastRunsDeps) {
    this.#deps = deps;
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(this.#open));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(this.#close));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const held = this.#held.get(document);
        if (held) this.#announce(held);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#open(document);
  }

  find(document: vscode.TextDocument): LastRun | undefined {
    const held = this.#held.get(document);
    return held && describe(held);
  }

  /** The execution, without the positions in the text. */
  shownOn(document: vscode.TextDocument): ShownExecution | undefined {
    return this.#held.get(document)?.source.shown.current;
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const { source } of this.#held.values()) source.dispose();
    this.#held.clear();
    this.#owned.dispose();
  }

  readonly #open = (document: vscode.TextDocument): void => {
    const target = definitionTarget(document.uri);
    if (target === undefined || isTheirs(document.uri) || this.#held.has(document)) return;
    const held: Held = {
      document,
      source: new ShownExecutionSource(this.#deps, target),
      positions: undefined,
    };
    this.#held.set(document, held);
    held.source.shown.onDidChange(() => this.#announce(held));
    this.#announce(held);
  };

  readonly #close = (document: vscode.TextDocument): void => {
    const held = this.#held.get(document);
    if (held === undefined) return;
    this.#held.delete(document);
    this.#changed.delete(held);
    held.source.dispose();
    this.#closings.fire(document.uri);
  };

  #announce(held: Held): void {
    this.#changed.add(held);
    this.#timer ??= this.#deps.clock.schedule(() => {
      this.#timer = undefined;
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const each of changed) this.#changes.fire(describe(each));
    }, pauseMs);
  }
}

/** Searches the text once per version, and only for an execution, because a definition may be large. */
function describe(held: Held): LastRun {
  const { document, source } = held;
  const shown = source.shown.current;
  if (shown.kind !== 'execution') return { document, shown, positions: [] };
  if (held.positions?.version !== document.version)
    held.positions = { version: document.version, found: findNodePositions(document.getText()) };
  return { document, shown, positions: held.positions.found };
}
