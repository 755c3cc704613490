import * as vscode from 'vscode';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { describeJsonError } from '../../ui/words/describeJsonError.ts';
import { schemes } from '../../editor/ids.ts';
import { parseInput } from '../../model/inputs/inputText.ts';

interface InputProblem {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

/** Returns the problems of an input text, most of them as the JSON language reports them. */
export function findInputProblems(text: string): readonly InputProblem[] {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  if (errors.length > 0 || root === undefined) {
    const [first] = errors;
    return [
      {
        offset: first?.offset ?? 0,
        length: Math.max(1, first?.length ?? 1),
        message: vscode.l10n.t(
          'This is not valid JSON yet, so it cannot be executed: {0}.',
          describeJsonError(first === undefined ? '' : printParseErrorCode(first.error)),
        ),
      },
    ];
  }
  if (root.type === 'object') return [];
  return [
    {
      offset: root.offset,
      length: Math.max(1, root.length),
      message: vscode.l10n.t('The input must be a JSON object: {"name": value, …}.'),
    },
  ];
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

  /** Shows the document's problems. Returns its input, or undefined if it can't be sent. */
  check(document: vscode.TextDocument): JsonObject | undefined {
    const text = document.getText();
    const input = parseInput(text);
    const problems = input === undefined ? findInputProblems(text) : [];
    this.#collection.set(
      document.uri,
      problems.map(({ offset, length, message }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Workflows';
        return diagnostic;
      }),
    );
    return input;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
