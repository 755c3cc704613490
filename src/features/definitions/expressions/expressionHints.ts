// What stands behind each expression of a definition: what it gave in the execution that the definition shows.
import * as vscode from 'vscode';
import { plainLine } from '../../../base/format.ts';
import type { DefinitionTexts } from '../../../ui/definitionTexts.ts';
import { rangeOfSpan } from '../../../editor/documents/documents.ts';
import { codeBlock, paragraphs, toMarkdownString } from '../../../editor/markdown.ts';
import { settings } from '../../../editor/settings.ts';
import type { Evaluations } from './evaluations.ts';
import { type ExpressionPlace, secretsRead } from '../../../definition/expressionPlaces.ts';
import type { ExpressionValues } from '../../../ui/expressions/expressionValues.ts';
import { type DataOn, type RecordedData, isAsRan } from '../../../ui/expressions/recordedData.ts';
import {
  type Failure,
  renderInFull,
  renderInText,
  type ShownValue,
  showValue,
  toShown,
} from '../../../ui/expressions/renderValue.ts';
import { isJsonArray, type JsonValue } from '../../../base/json.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import { isForEach, traitsOf } from '../../../definition/nodeTypes.ts';
import type { RunItem } from '../../../model/runs/runItems.ts';
import { scopeAtEnd, scopeOf, type ScopeSnapshot } from '../../../ui/expressions/scopeSnapshot.ts';

/** "gave": in the execution. "evaluated": on request, whatever ran. */
type HowKnown = 'gave' | 'evaluated';

const marks: Readonly<Record<HowKnown, string>> = { gave: '→', evaluated: '=' };

class ValueHint extends vscode.InlayHint {
  readonly how: HowKnown;
  readonly given: ShownValue | Failure;

  constructor(position: vscode.Position, how: HowKnown, given: ShownValue | Failure) {
    super(position, renderInText(marks[how], given));
    this.how = how;
    this.given = given;
    this.paddingLeft = true;
  }
}

export interface ExpressionHintsDeps {
  readonly definitionTexts: Pick<DefinitionTexts, 'of'>;
  readonly dataOn: DataOn;
  readonly evaluations: Evaluations;
  readonly values: ExpressionValues;
}

export async function listHints(
  deps: ExpressionHintsDeps,
  document: vscode.TextDocument,
  range: vscode.Range,
  signal: AbortSignal,
): Promise<vscode.InlayHint[]> {
  const shown = deps.dataOn(document);
  if (shown === undefined) return [];
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const places = [...deps.definitionTexts.of(document).byId.values()]
    .filter(({ offset, length }) => offset <= to && offset + length >= from)
    .flatMap((node) => node.expressions)
    // The values of secrets aren't known here.
    .filter(({ end, expression }) => from <= end && end <= to && secretsRead(expression).length === 0);
  const hints: vscode.InlayHint[] = [];
  const { version } = document;
  // One after the other: the thread takes them so anyway, and nothing else waits for more than one of them.
  for (const place of places) {
    const hint = await findHint(deps, document, { shown, place }, signal);
    if (document.version !== version) return [];
    if (hint !== undefined) hints.push(hint);
  }
  return hints;
}

/** Returns the whole value for the expression at the position, where the keyboard reaches it too. */
export async function explainExpression(
  deps: ExpressionHintsDeps,
  document: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.Hover | undefined> {
  const offset = document.offsetAt(position);
  const shown = deps.dataOn(document);
  const place = deps.definitionTexts
    .of(document)
    .nodeAt(offset)
    ?.expressions.find(({ start, end }) => start <= offset && offset <= end);
  if (shown === undefined || place === undefined) return undefined;
  const range = rangeOfSpan(document, place);
  const hint = await findHint(deps, document, { shown, place }, signal);
  return hint && new vscode.Hover(describeValue(hint.how, hint.given), range);
}

async function findHint(
  { evaluations, values }: ExpressionHintsDeps,
  document: vscode.TextDocument,
  { shown, place }: { readonly shown: RecordedData; readonly place: ExpressionPlace },
  signal: AbortSignal,
): Promise<ValueHint | undefined> {
  const evaluated = evaluations.find(document, place, shown);
  const gave =
    evaluated === undefined && settings.showExecution()
      ? await findGiven(values, shown, place, signal)
      : undefined;
  const given = evaluated ?? gave;
  const how = evaluated === undefined ? 'gave' : 'evaluated';
  return given && new ValueHint(document.positionAt(place.end), how, given);
}

/** Adds the whole value. */
export function resolveHint(hint: vscode.InlayHint): vscode.InlayHint {
  if (hint instanceof ValueHint) hint.tooltip = describeValue(hint.how, hint.given);
  return hint;
}

export function describeValue(how: HowKnown, given: ShownValue | Failure): vscode.MarkdownString {
  if (given.kind === 'failed') return toMarkdownString(paragraphs([plainLine(given.message, 1000)]));
  const said = paragraphs([
    how === 'gave'
      ? vscode.l10n.t('Value in this execution:')
      : vscode.l10n.t("Result with this execution's data:"),
    codeBlock(renderInFull(given), 'json'),
    given.isTruncated ? vscode.l10n.t('This is only the beginning of the value.') : undefined,
  ]);
  return toMarkdownString(said);
}

/** What the service recorded, else what the expression gives on the recorded data. Undefined for an expression that isn't the one that ran. */
export async function findGiven(
  values: ExpressionValues,
  shown: RecordedData,
  place: ExpressionPlace,
  signal: AbortSignal,
): Promise<ShownValue | undefined> {
  const { runTree, ran } = shown;
  const run = shown.runOf(place.nodeId);
  if (run === undefined || ran === undefined || !runTree.isNumbered || !isAsRan(place, ran)) return undefined;
  const found = findRan(run, place.path[0] ?? '', shown);
  if (found === undefined || found.recorded !== undefined) return found?.recorded;
  return values.giveAgain(place.expression, found.scope, shown, signal);
}

/** An expression that a run has evaluated. */
interface RanExpression {
  readonly scope: ScopeSnapshot;
  /** What the service recorded of it, if it records that. */
  readonly recorded: ShownValue | undefined;
}

/** The errors of nodes whose expressions gave nothing, or not all of them. */
const evaluationErrors = new Set([
  ...['config_invalid', 'expression_failed', 'expression_timed_out', 'out_of_memory'],
  ...['output_too_large', 'too_deep', 'node_crashed'],
]);

/** Returns undefined for an expression that the run hasn't come to, or of which that isn't known. */
function findRan(run: RunItem, member: string, { iterationOf }: RecordedData): RanExpression | undefined {
  const { state } = run.run.status ?? {};
  if (isForEach(run.run.nodeType) && member === 'result') {
    const iteration = iterationOf(run);
    if (iteration === undefined) return undefined;
    const { index, scope } = iteration;
    const hasEnded = state === 'completed' || run.iterations?.at(index + 1) !== undefined;
    if (!hasEnded) return undefined;
    const { output } = run.run;
    const results = state === 'completed' && isJsonArray(output) ? output : [];
    return { scope: scopeAtEnd(scope), recorded: toRecorded(results[index]) };
  }
  const isRecorded = traitsOf(run.run.nodeType ?? '')?.givesResult === true;
  if (state !== 'completed' && (isRecorded || !hasEvaluated(run))) return undefined;
  return { scope: scopeOf(run), recorded: isRecorded ? toRecorded(run.run.output) : undefined };
}

/** True for a run that hasn't completed but has evaluated its expressions: a failed one, or a loop in its iterations. */
function hasEvaluated({ run: { nodeType, status, error }, iterations }: RunItem): boolean {
  if (isForEach(nodeType)) return iterations !== null;
  return status?.state === 'failed' && !evaluationErrors.has(error?.code ?? '');
}

/** The record of a large value has at least its beginning. */
function toRecorded(value: JsonValue | undefined): ShownValue | undefined {
  if (value === undefined) return undefined;
  const truncated = truncatedValue(value);
  if (truncated === undefined) return showValue(value);
  return truncated.preview === '' ? undefined : { ...toShown(truncated.preview), isTruncated: true };
}
