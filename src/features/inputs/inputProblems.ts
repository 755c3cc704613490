import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import type { TextProblem } from '../../definition/definitionProblem.ts';
import { DocumentMarks, lookWhileTyping, type Mark } from '../../editor/documents/documentMarks.ts';
import { schemes } from '../../editor/ids.ts';
import { listsSyntaxErrors } from '../../editor/settings.ts';
import { parseInput } from '../../model/inputs/inputText.ts';

/** Returns why a text is no input, mostly as the JSON language reports it; undefined if it's one JSON object. */
export function findInputProblem(text: string): TextProblem | undefined {
  const { root, error } = readJsonText(text);
  if (error !== undefined) {
    const { offset, length, isSyntax, reason } = error;
    return { offset, length, isSyntax, message: vscode.l10n.t('Invalid JSON: {0}.', reason) };
  }
  if (root.type === 'object') return undefined;
  return {
    offset: root.offset,
    length: Math.max(1, root.length),
    isSyntax: false,
    message: vscode.l10n.t('The input must be a JSON object: {"name": value, …}.'),
  };
}

/** Shows the problems of input documents while the user types. */
export class InputProblems implements Disposable {
  readonly #marks = new DocumentMarks({
    name: 'input',
    selector: { scheme: schemes.input },
    find: findMarks,
    watch: lookWhileTyping,
  });

  /** Shows the document's problem, if any. Returns its input, or undefined if it can't be sent. */
  check(document: vscode.TextDocument): JsonObject | undefined {
    this.#marks.look(document);
    return parseInput(document.getText());
  }

  dispose(): void {
    this.#marks.dispose();
  }
}

function findMarks(document: vscode.TextDocument): readonly Mark[] {
  const text = document.getText();
  const problem = parseInput(text) === undefined ? findInputProblem(text) : undefined;
  if (problem === undefined || (problem.isSyntax && listsSyntaxErrors(document))) return [];
  const { offset, length, message } = problem;
  return [{ offset, length, message, severity: 'Error' }];
}
