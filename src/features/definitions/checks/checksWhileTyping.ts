// Checks definitions while they are written: those of services, and files that end in ".workflow.json".
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { CheckAnswer, CheckOrder } from '../../../definition/checkMessages.ts';
import { CheckThread } from '../../../definition/checkThread.ts';
import { type DefinitionFault, toSentence } from '../../../definition/definitionFault.ts';
import { locate } from '../../../definition/places.ts';
import { listsSyntaxErrors } from '../../../editor/settings.ts';
import { definitionTarget, isTheirs } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';
import { findTextProblem } from '../textProblem.ts';
import type { DefinitionProblems } from './definitionProblems.ts';
import type { Problem } from './problem.ts';

export type ChecksDeps = Pick<App, 'clock' | 'connections' | 'definitionCheck' | 'logger'>;

/** How long nothing must be typed, in milliseconds. */
const pauseMs = 300;
/** Longer texts are checked by the service alone, in UTF-16 units. */
const maximumLength = 512 * 1024;

/** True for documents of which this extension says what is wrong. */
function isDefinition({ uri, languageId }: vscode.TextDocument): boolean {
  if (definitionTarget(uri) !== undefined) return !isTheirs(uri);
  if (languageId !== 'json' || !uri.path.endsWith('.workflow.json')) return false;
  // Not what version control and comparisons show.
  return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

export class ChecksWhileTyping implements Disposable {
  readonly #deps: ChecksDeps;
  readonly #problems: DefinitionProblems;
  readonly #thread: CheckThread;
  readonly #owned = new DisposableStore();
  /** The waiting or running check of each document. */
  readonly #checks = new Map<vscode.TextDocument, Disposable>();

  constructor(deps: ChecksDeps, problems: DefinitionProblems) {
    this.#deps = deps;
    this.#problems = problems;
    const { clock, definitionCheck: program } = deps;
    this.#thread = this.#owned.add(new CheckThread({ program, clock, words: vscode.l10n.bundle }));
    const { workspace } = vscode;
    this.#owned.add(workspace.onDidOpenTextDocument((document) => this.#schedule(document)));
    this.#owned.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#schedule(document);
      }),
    );
    this.#owned.add(workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    for (const document of workspace.textDocuments) this.#schedule(document);
  }

  /**
   * Checks a document at once, and shows what is wrong. Returns false if it can't be checked here. Rejects with an AbortError when the
   * text changes meanwhile.
   */
  async check(document: vscode.TextDocument): Promise<boolean> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#replace(document, { dispose: () => controller.abort() });
    const text = document.getText();
    const isLocal = this.#isForLocalService(document.uri);
    const answer = text.length > maximumLength ? undefined : await this.#ask({ text, isLocal }, signal);
    signal.throwIfAborted();
    this.#problems.showChecked(
      document,
      answer === null ? unreadableProblems(document, text) : placeFaults(text, answer?.faults ?? [], isLocal),
    );
    return answer !== undefined;
  }

  dispose(): void {
    for (const check of this.#checks.values()) check.dispose();
    this.#checks.clear();
    this.#owned.dispose();
  }

  #schedule(document: vscode.TextDocument): void {
    if (!isDefinition(document)) return;
    const timer = this.#deps.clock.schedule(() => {
      this.check(document).catch((error: unknown) => {
        if (!isAbortError(error)) this.#deps.logger.error('A definition could not be checked.', error);
      });
    }, pauseMs);
    this.#replace(document, timer);
  }

  #replace(document: vscode.TextDocument, check: Disposable): void {
    this.#checks.get(document)?.dispose();
    this.#checks.set(document, check);
  }

  /** The thread lives as long as there is a definition to check. */
  #forget(document: vscode.TextDocument): void {
    this.#checks.get(document)?.dispose();
    if (this.#checks.delete(document) && this.#checks.size === 0) this.#thread.end();
  }

  /** Returns undefined when the check fails or takes too long, and null if the text isn't a JSON object. */
  async #ask(order: CheckOrder, signal: AbortSignal): Promise<CheckAnswer | undefined> {
    try {
      return await this.#thread.check(order, signal);
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#deps.logger.warn(`A definition could not be checked: ${String(error)}`);
      return undefined;
    }
  }

  /** A file is meant for whichever service the user has. */
  #isForLocalService(uri: vscode.Uri): boolean {
    const { connections } = this.#deps;
    const target = definitionTarget(uri);
    return target === undefined
      ? connections.all.current.every(({ kind }) => kind === 'local')
      : connections.find(target.connectionId)?.kind === 'local';
  }
}

/** What isn't a matter of the graph holds for the local service; another one may see it differently. */
function placeFaults(text: string, faults: readonly DefinitionFault[], isLocal: boolean): readonly Problem[] {
  const root = faults.length === 0 ? undefined : readUnfinishedJsonTree(text);
  if (root === undefined) return [];
  return faults.map(({ path, within, message, rule }) => {
    const { offset, length } = locate(text, root, path, within);
    return { offset, length, message: toSentence(message), isError: isLocal || rule === 'structure' };
  });
}

/** Where the JSON language lists what isn't JSON, nothing else is said. */
function unreadableProblems(document: vscode.TextDocument, text: string): readonly Problem[] | undefined {
  const problem = findTextProblem(text);
  if (problem === undefined || (problem.isSyntax && listsSyntaxErrors(document))) return undefined;
  const { offset, length, message } = problem;
  return [{ offset, length, message, isError: true }];
}
