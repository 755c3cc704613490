import * as vscode from 'vscode';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Disposable } from '../../base/disposable.ts';
import { describeJsonError } from '../../ui/words/describeJsonError.ts';
import { schemes } from '../../editor/ids.ts';

export interface InputProblem {
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

export interface InputProblems extends Disposable {
  /** Checks a document and shows its problems. Returns true if it may be sent. */
  check(document: vscode.TextDocument): boolean;
}

export function createInputProblems(): InputProblems {
  const collection = vscode.languages.createDiagnosticCollection('workflowAutomation.input');
  const check = (document: vscode.TextDocument): boolean => {
    const problems = findInputProblems(document.getText());
    collection.set(
      document.uri,
      problems.map(({ offset, length, message }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Workflows';
        return diagnostic;
      }),
    );
    return problems.length === 0;
  };
  const subscriptions = [
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.uri.scheme === schemes.input) check(document);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === schemes.input) check(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  ];
  return {
    check,
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      collection.dispose();
    },
  };
}
