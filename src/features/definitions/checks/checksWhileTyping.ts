// Checks definitions while they are written: those of services, and files that end in ".workflow.json".
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { TextCheck, CheckRules } from '../../../definition/checkText.ts';
import { placeFaults } from '../../../definition/definitionProblem.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { listsSyntaxErrors } from '../../../editor/settings.ts';
import { isForLocalService } from '../../../ui/definitionTargets.ts';
import type { App } from '../../../ui/app.ts';
import type { DefinitionProblems } from './definitionProblems.ts';

export type ChecksDeps = Pick<
  App,
  'connections' | 'definitionTargets' | 'definitionTexts' | 'evaluator' | 'logger'
>;

/** Longer texts are checked by the service alone, in UTF-16 units. */
const maximumLength = 512 * 1024;

interface Running {
  readonly text: DefinitionText;
  readonly controller: AbortController;
  readonly result: Promise<boolean>;
}

export class ChecksWhileTyping implements Disposable {
  readonly #deps: ChecksDeps;
  readonly #problems: DefinitionProblems;
  readonly #owned = new DisposableStore();
  /** The check of each document that is under way. */
  readonly #running = new Map<vscode.TextDocument, Running>();

  constructor(deps: ChecksDeps, problems: DefinitionProblems) {
    this.#deps = deps;
    this.#problems = problems;
    this.#owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.#abort(document)));
    this.#owned.add(deps.definitionTexts.onDidRest((document) => void this.#checkQuietly(document)));
  }

  /**
   * Checks a document at once, and shows what is wrong. Returns false if it can't be checked here. Rejects with an AbortError when the
   * text changes meanwhile.
   */
  check(document: vscode.TextDocument): Promise<boolean> {
    const text = this.#deps.definitionTexts.of(document);
    const running = this.#running.get(document);
    if (running?.text === text) return running.result;
    this.#abort(document);
    const controller = new AbortController();
    const result = this.#check(document, text, controller.signal);
    this.#running.set(document, { text, controller, result });
    return result;
  }

  dispose(): void {
    for (const document of this.#running.keys()) this.#abort(document);
    this.#owned.dispose();
  }

  async #check(document: vscode.TextDocument, text: DefinitionText, signal: AbortSignal): Promise<boolean> {
    const isLocal = isForLocalService(this.#deps, document.uri) && text.format === 'service';
    try {
      const result = await this.#ask(text, isLocal ? 'local' : text.format, signal);
      signal.throwIfAborted();
      if (text !== this.#deps.definitionTexts.of(document))
        throw new DOMException('The text has changed.', 'AbortError');
      // Where the JSON language lists what isn't JSON, nothing else is said.
      const isListed = text.reading.error?.isSyntax === true && listsSyntaxErrors(document);
      const found = result === undefined ? [] : placeFaults(text, result, isLocal);
      this.#problems.showChecked(document, result === null && isListed ? undefined : found);
      return result !== undefined;
    } finally {
      if (this.#running.get(document)?.text === text) this.#running.delete(document);
    }
  }

  async #checkQuietly(document: vscode.TextDocument): Promise<void> {
    try {
      await this.check(document);
    } catch (error) {
      if (!isAbortError(error)) this.#deps.logger.error('A definition could not be checked.', error);
    }
  }

  #abort(document: vscode.TextDocument): void {
    this.#running.get(document)?.controller.abort();
    this.#running.delete(document);
  }

  /** Returns undefined when the check fails or takes too long, and null if the text isn't a JSON object. */
  async #ask(
    { text }: DefinitionText,
    rules: CheckRules,
    signal: AbortSignal,
  ): Promise<TextCheck | undefined> {
    if (text.length > maximumLength) return undefined;
    try {
      return await this.#deps.evaluator.checkText(text, rules, signal);
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#deps.logger.warn(`A definition could not be checked: ${String(error)}`);
      return undefined;
    }
  }
}
