// Evaluates expressions of a definition on the data of the execution that it shows. Nothing runs on the service.
import * as vscode from 'vscode';
import { equalJson, type JsonValue, parseJson } from '../../../base/json.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { rangeOfSpan } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { findShownId } from '../../../model/selection/shownExecution.ts';
import type { App } from '../../../ui/app.ts';
import { nodeGone } from '../showNode.ts';
import { findScope } from './evaluations.ts';
import type { ExpressionHintsDeps } from './expressionHints.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { ExpressionPlace } from '../../../definition/expressionPlaces.ts';
import { settle } from '../../../ui/expressions/expressionValues.ts';
import { evaluateOwnExpression } from '../../../ui/expressions/ownExpressions.ts';
import { readNamedValues, whyUnknown } from '../../../ui/expressions/namedValues.ts';
import { readRecordedData, type RecordedData } from '../../../ui/expressions/recordedData.ts';
import type { Failure, ShownValue } from '../../../ui/expressions/renderValue.ts';

export type EvaluatingDeps = ExpressionHintsDeps &
  Pick<App, 'definitionTargets' | 'executions' | 'following' | 'ranDefinitions' | 'selection'>;

/** Which expressions of a text are evaluated. */
export interface ExpressionSelection {
  /** Those of this node; else the one at the cursor, or all of the node there. */
  readonly nodeId: string | undefined;
  /** Of the node's, only those on the line of the string with this path. */
  readonly path: readonly string[] | undefined;
}

export async function evaluateInText(
  deps: EvaluatingDeps,
  editor: vscode.TextEditor,
  { nodeId, path }: ExpressionSelection,
  signal: AbortSignal,
): Promise<void> {
  const { dataOn, definitionTargets, definitionTexts, evaluations } = deps;
  const { document, selection } = editor;
  const { version } = document;
  const text = definitionTexts.of(document);
  const places =
    nodeId === undefined
      ? placesAt(text, document.offsetAt(selection.active))
      : placesOf(document, text.byId.get(nodeId)?.expressions ?? [], path);
  const [first] = places;
  if (first === undefined)
    throw new PlainError(
      vscode.l10n.t('Place the cursor inside an expression, or inside a node with expressions.'),
    );
  const data = dataOn(document);
  const target = definitionTargets.of(document.uri);
  if (data === undefined || target === undefined) throw noExecution();
  const { connectionId } = target;
  for (const place of places) {
    const given = await evaluatePlace(deps, place, { connectionId, data, text }, signal);
    evaluations.show(document, place, data, given);
  }
  // Whoever types on meanwhile keeps the cursor, and the places are other ones.
  if (document.version === version) await showInHover(editor, first);
}

/** What stands behind an expression is out of sight on a long line. */
async function showInHover(editor: vscode.TextEditor, place: ExpressionPlace): Promise<void> {
  const range = rangeOfSpan(editor.document, place);
  if (!range.contains(editor.selection.active))
    editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(
    new vscode.Range(editor.selection.active, editor.selection.active),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
}

async function evaluatePlace(
  { executions, values }: EvaluatingDeps,
  place: ExpressionPlace,
  {
    connectionId,
    data,
    text,
  }: { readonly connectionId: string; readonly data: RecordedData; readonly text: DefinitionText },
  signal: AbortSignal,
): Promise<ShownValue | Failure> {
  const scope = findScope(data, place, text);
  if (scope === undefined) return { kind: 'failed', message: unknownIteration(), isOfUnknown: true };
  const { expression } = place;
  const message = whyUnknown(expression);
  if (message !== undefined) return { kind: 'failed', message, isOfUnknown: true };
  const target = { connectionId, executionId: data.executionId };
  const known = await readNamedValues(executions, target, expression, { scope, data }, signal);
  return settle(values.evaluate(expression, known.scope, known.data, signal));
}

/** All of a node's, or those on the line of the string with the path. */
function placesOf(
  document: vscode.TextDocument,
  places: readonly ExpressionPlace[],
  path: readonly string[] | undefined,
): readonly ExpressionPlace[] {
  if (path === undefined) return places;
  const lineOf = ({ start }: ExpressionPlace): number => document.positionAt(start).line;
  const first = places.find((place) => equalJson(place.path, path));
  return first === undefined ? [] : places.filter((place) => lineOf(place) === lineOf(first));
}

function placesAt(text: DefinitionText, offset: number): readonly ExpressionPlace[] {
  const withExpressions = [...text.byId.values()].filter(({ expressions }) => expressions.length > 0);
  const places = text.nodeAt(offset, withExpressions)?.expressions ?? [];
  const place = places.find(({ start, end }) => start <= offset && offset <= end);
  return place === undefined ? places : [place];
}

interface Asked {
  readonly target: WorkflowTarget;
  readonly expression: string;
  /** The node that it's evaluated for; else what is there at the end. */
  readonly nodeId: string | undefined;
  /** Default: the one that the definition shows. */
  readonly executionId: string | undefined;
}

/** `document`: of the definition. Rejects with an error in words. */
export async function evaluateForCode(
  deps: EvaluatingDeps,
  document: vscode.TextDocument,
  { target, expression, nodeId = '', executionId }: Asked,
  signal: AbortSignal,
): Promise<{ readonly executionId: string; readonly value: JsonValue }> {
  const refusal = whyUnknown(expression);
  if (refusal !== undefined) throw new PlainError(refusal);
  const data = await readData(deps, document, target, executionId);
  const text = deps.definitionTexts.of(document);
  const isKnown = nodeId === '' || data.runOf(nodeId) !== undefined || text.byId.has(nodeId);
  if (!isKnown) throw nodeGone(nodeId);
  const scope = findScope(data, { nodeId, nodeType: '', path: [] }, text);
  if (scope === undefined) throw new PlainError(unknownIteration());
  const execution = { connectionId: target.connectionId, executionId: data.executionId };
  const own = evaluateOwnExpression(text.format, expression, scope);
  if (own?.kind === 'failed') throw new PlainError(own.message);
  if (own !== undefined) return { executionId: data.executionId, value: own.value };
  const known = await readNamedValues(deps.executions, execution, expression, { scope, data }, signal);
  const json = await deps.values.evaluate(expression, known.scope, known.data, signal);
  return { executionId: data.executionId, value: parseJson(json) ?? null };
}

/** Reads what an execution recorded; by default the one that the definition shows. */
async function readData(
  deps: EvaluatingDeps,
  document: vscode.TextDocument,
  target: WorkflowTarget,
  given: string | undefined,
): Promise<RecordedData> {
  const { definitionTexts, executions, following, ranDefinitions, selection } = deps;
  const { connectionId } = target;
  if (given === undefined && selection.findExecution(target) === null) await executions.refresh(target);
  const executionId = given ?? findShownId(deps, target, 'definition');
  if (executionId === undefined) throw noExecution();
  const execution: ExecutionTarget = { connectionId, executionId };
  const record = await executions.get(execution);
  const { runTree } = await following.readLog(execution);
  const ran = ranDefinitions.find(target, record)?.nodes;
  const selected = selection.findIterations(execution);
  return readRecordedData(record, runTree, selected, definitionTexts.of(document), ran);
}

function noExecution(): PlainError {
  return new PlainError(
    vscode.l10n.t("No execution of this workflow is shown, so there's no data to evaluate with."),
  );
}

function unknownIteration(): string {
  return vscode.l10n.t(
    "The loop around this node has no iterations in this execution, so its item isn't known.",
  );
}
