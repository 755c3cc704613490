import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { schemes } from '../../editor/ids.ts';
import { listsSyntaxErrors } from '../../editor/settings.ts';
import { parseInput } from '../../model/inputs/inputText.ts';

interface InputProblem {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  /** True if it isn't JSON at all. */
  readonly isSyntax: boolean;
}

/** Returns why a text is no input, mostly as the JSON language reports it; undefined if it's one JSON object. */
export function findInputProblem(text: string): InputProblem | undefined {
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
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(
    vscode.languages.createDiagnosticCollection('workflowAutomation.input'),
  );

  constructor() {
    const checkInput = (document: vscode.TextDocument): void => {
      if (document.uri.scheme === schemes.input) this.check(document);
    };
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(checkInput));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => checkInput(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)));
  }

  /** Shows the document's problem, if any. Returns its input, or undefined if it can't be sent. */
  check(document: vscode.TextDocument): JsonObject | undefined {
    const text = document.getText();
    const input = parseInput(text);
    const problem = input === undefined ? findInputProblem(text) : undefined;
    const isListed = problem?.isSyntax === true && listsSyntaxErrors(document);
    this.#collection.set(
      document.uri,
      problem === undefined || isListed ? [] : [toDiagnostic(document, problem)],
    );
    return input;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

function toDiagnostic(
  document: vscode.TextDocument,
  { offset, length, message }: InputProblem,
): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'Workflows';
  return diagnostic;
}
