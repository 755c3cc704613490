// What is shown of a definition's expressions, as one part that is loaded when it's first asked for.
import type * as vscode from 'vscode';
import type { App } from '../../../ui/app.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { evaluateForCode, evaluateInText, type ExpressionSelection } from './evaluating.ts';
import { Evaluations } from './evaluations.ts';
import { explainExpression, listHints, resolveHint } from './expressionHints.ts';
import { ExpressionValues } from '../../../ui/expressions/expressionValues.ts';
import { type DataOn, readRecordedData } from '../../../ui/expressions/recordedData.ts';

export type ExpressionHelpDeps = Pick<
  App,
  | 'definitionTargets'
  | 'definitionTexts'
  | 'evaluator'
  | 'executions'
  | 'following'
  | 'ranDefinitions'
  | 'selection'
  | 'workflows'
>;

/** `announce` is called when something else is to be shown. */
export function createExpressionHelp(
  drawnExecutions: DrawnExecutions,
  deps: ExpressionHelpDeps,
  announce: () => void,
) {
  const { definitionTexts, evaluator } = deps;
  const dataOn: DataOn = (document) => {
    const drawn = drawnExecutions.find(document);
    if (drawn?.shown.kind !== 'execution') return undefined;
    const { execution, runTree, iterations } = drawn.shown;
    return readRecordedData(execution, runTree, iterations, drawn.text, drawn.ran);
  };
  const parts = {
    ...deps,
    dataOn,
    values: new ExpressionValues(evaluator),
    evaluations: new Evaluations(definitionTexts, announce),
  };
  return {
    resolveHint,
    listHints: (document: vscode.TextDocument, range: vscode.Range, signal: AbortSignal) =>
      listHints(parts, document, range, signal),
    explain: (document: vscode.TextDocument, position: vscode.Position, signal: AbortSignal) =>
      explainExpression(parts, document, position, signal),
    evaluateInText: (editor: vscode.TextEditor, wanted: ExpressionSelection, signal: AbortSignal) =>
      evaluateInText(parts, editor, wanted, signal),
    evaluateForCode: (
      document: vscode.TextDocument,
      asked: Parameters<typeof evaluateForCode>[2],
      signal: AbortSignal,
    ) => evaluateForCode(parts, document, asked, signal),
  };
}
