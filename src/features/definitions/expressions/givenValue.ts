// What an expression gave in an execution, as far as that's known.
import { isJsonArray, type JsonValue } from '../../../base/json.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import { isForEach, traitsOf } from '../../../definition/nodeTypes.ts';
import type { RunItem } from '../../../model/runs/runItems.ts';
import { scopeAtEnd, scopeOf, type ScopeSnapshot } from '../../../ui/expressions/scopeSnapshot.ts';
import type { ExpressionPlace } from '../../../definition/expressionPlaces.ts';
import type { ExpressionValues } from '../../../ui/expressions/expressionValues.ts';
import { isAsRan } from '../../../ui/expressions/ranNodes.ts';
import type { RecordedData } from '../../../ui/expressions/recordedData.ts';
import { type ShownValue, showValue, toShown } from '../../../ui/expressions/renderValue.ts';

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
