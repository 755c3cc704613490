// What differs between two executions: as a whole, and in each node run. Its cost is bounded by slices of time, its size by counts.
import { type JsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import { Slices } from '../../base/slices.ts';
import { type Execution, type Output, outputValue, type RunError } from '../../domain/execution.ts';
import { readExchange } from '../../domain/httpExchange.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';
import type { FieldPath } from '../../base/fieldPath.ts';
import { type FieldPattern, matchesField } from './fieldPatterns.ts';
import { type Difference, walkDifferences } from './jsonDifferences.ts';
import { isTruncatedHere } from '../runs/rowSizes.ts';

/** All that is known of an execution that is compared. */
export interface ComparedFacts {
  readonly execution: Execution;
  readonly input: JsonValue;
  readonly output: Output;
  readonly nodeRuns: readonly NodeRun[];
  /** How many node runs are gone, to save memory. */
  readonly goneRuns: number;
}

export interface Differences {
  /** The first ones. */
  readonly shown: readonly Difference[];
  /** How many more there are. */
  readonly more: number;
  /** How many are ignored. */
  readonly ignored: number;
  /** The fields whose values were truncated, and which are the same as far as they're known. */
  readonly truncated: readonly FieldPath[];
}

/** The runs of one node in the same iteration and attempt that aren't the same on both sides. */
export interface DifferentRuns extends MatchedRuns {
  readonly differences: Differences;
}

export interface Comparison {
  readonly left: ComparedFacts;
  readonly right: ComparedFacts;
  /** Status, error, input and output of the executions themselves. */
  readonly whole: Differences;
  /** In the order in which they ran, the first ones. */
  readonly different: readonly DifferentRuns[];
  /** How many more differ. */
  readonly moreDifferent: number;
  /** Those without differences, some of them for their names. */
  readonly same: readonly NodeRun[];
  readonly sameCount: number;
  /** How many differences are ignored, in all. */
  readonly ignored: number;
  /** How many values are the same only as far as they're known, in all. */
  readonly truncatedCount: number;
}

const shownDifferences = 20;
const shownRuns = 500;
const shownSame = 20;

/** `hasNode`: false where the error is that of a node run, which names the node itself. */
function errorValue(error: RunError | null, hasNode: boolean): JsonObject {
  if (error === null) return {};
  const { message, code, nodeId } = error;
  return {
    message,
    ...(code === null ? {} : { code }),
    ...(nodeId === null || !hasNode ? {} : { nodeId }),
  };
}

type Part = readonly [name: string, left: JsonValue | undefined, right: JsonValue | undefined];

function partsOf({ left, right }: Pick<Comparison, 'left' | 'right'>): readonly Part[] {
  return [
    ['status', left.execution.status.word, right.execution.status.word],
    ['error', errorValue(left.execution.error, true), errorValue(right.execution.error, true)],
    ['input', left.input, right.input],
    ['output', outputValue(left.output), outputValue(right.output)],
  ];
}

function partsOfRuns(left: NodeRun, right: NodeRun): readonly Part[] {
  return [
    ['status', left.status?.word, right.status?.word],
    ['error', errorValue(left.error, false), errorValue(right.error, false)],
    ['input', left.input, right.input],
    ['output', left.output, right.output],
    ...exchangeParts(left, right),
  ];
}

/** The response of a run that completed is its output. */
function exchangeParts(left: NodeRun, right: NodeRun): readonly Part[] {
  if ([left, right].some(({ exchange }) => truncatedValue(exchange) !== undefined))
    return [['request', left.exchange, right.exchange]];
  const [one, other] = [readExchange(left.exchange), readExchange(right.exchange)];
  const hasOutput = (left.output ?? null) !== null && (right.output ?? null) !== null;
  return [
    ['request', one?.request, other?.request],
    ...(hasOutput ? [] : [['response', one?.response, other?.response] as const]),
  ];
}

/** A value that the service truncated is one field. Of one that was truncated here, to save memory, nobody knows whether it differs. */
function* walkPart([name, left, right]: Part, above: FieldPath): Generator<Difference | null> {
  if (isTruncatedHere(left) || isTruncatedHere(right)) return;
  const path = [...above, name];
  const truncated = [truncatedValue(left), truncatedValue(right)] as const;
  if (truncated[0] === undefined && truncated[1] === undefined) yield* walkDifferences(left, right, path);
  else if (truncated[0]?.bytes !== truncated[1]?.bytes || truncated[0]?.preview !== truncated[1]?.preview)
    yield { path, left, right };
}

const isTruncated = ([, left, right]: Part): boolean =>
  isTruncatedHere(left) ||
  isTruncatedHere(right) ||
  (truncatedValue(left) !== undefined && truncatedValue(right) !== undefined);

async function findDifferences(
  parts: readonly Part[],
  above: FieldPath,
  patterns: readonly FieldPattern[],
  slices: Slices,
): Promise<Differences> {
  const shown: Difference[] = [];
  const truncated: FieldPath[] = [];
  let [more, ignored] = [0, 0];
  for (const part of parts) {
    let isSame = true;
    for (const difference of walkPart(part, above)) {
      if (slices.isOver) await slices.next();
      if (difference === null) continue;
      isSame = false;
      if (patterns.some((pattern) => matchesField(pattern, difference.path))) ignored += 1;
      else if (shown.length < shownDifferences) shown.push(difference);
      else more += 1;
    }
    if (isSame && isTruncated(part)) truncated.push([...above, part[0]]);
  }
  return { shown, more, ignored, truncated };
}

const noDifferences: Differences = { shown: [], more: 0, ignored: 0, truncated: [] };

/** `ignored`: the fields that don't count. Rejects with the signal's reason. */
export async function compareExecutions(
  left: ComparedFacts,
  right: ComparedFacts,
  ignored: readonly FieldPattern[],
  signal: AbortSignal,
): Promise<Comparison> {
  const slices = new Slices(signal);
  const whole = await findDifferences(partsOf({ left, right }), [], ignored, slices);
  const different: DifferentRuns[] = [];
  const same: NodeRun[] = [];
  let [moreDifferent, sameCount, ignoredCount, truncatedCount] = [
    0,
    0,
    whole.ignored,
    whole.truncated.length,
  ];
  for (const runs of await matchRuns(left.nodeRuns, right.nodeRuns, slices)) {
    const isOnBoth = runs.left !== undefined && runs.right !== undefined;
    const differences = isOnBoth
      ? await findDifferences(
          partsOfRuns(runs.left, runs.right),
          ['nodes', runs.right.nodeId],
          ignored,
          slices,
        )
      : noDifferences;
    ignoredCount += differences.ignored;
    truncatedCount += differences.truncated.length;
    if (isOnBoth && differences.shown.length === 0) {
      sameCount += 1;
      if (same.length < shownSame) same.push(runs.right);
    } else if (different.length < shownRuns) different.push({ ...runs, differences });
    else moreDifferent += 1;
    if (slices.isOver) await slices.next();
  }
  return {
    left,
    right,
    whole,
    different,
    moreDifferent,
    same,
    sameCount,
    ignored: ignoredCount,
    truncatedCount,
  };
}

/** The runs of one node in the same iteration and attempt. At least one side has one. */
interface MatchedRuns {
  readonly left: NodeRun | undefined;
  readonly right: NodeRun | undefined;
}

/** Names the iteration and attempt of a node; if the service doesn't number the iterations, also which of the runs it is. */
class RunNames {
  readonly #counts = new Map<string, number>();

  next({ nodeId, iteration, attempt }: NodeRun): string {
    const name = stringifyJson([nodeId, iteration, attempt]);
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return `${name} ${count}`;
  }
}

async function nameRuns(runs: readonly NodeRun[], slices: Slices): Promise<ReadonlyMap<string, NodeRun>> {
  const names = new RunNames();
  const named = new Map<string, NodeRun>();
  for (const run of runs) {
    named.set(names.next(run), run);
    if (slices.isOver) await slices.next();
  }
  return named;
}

/** Returns all runs of both executions in the order of the right one; a run of the left one alone follows the run that it followed there. */
async function matchRuns(
  left: readonly NodeRun[],
  right: readonly NodeRun[],
  slices: Slices,
): Promise<readonly MatchedRuns[]> {
  const onLeft = await nameRuns(left, slices);
  const onRight = await nameRuns(right, slices);
  /** The runs of the left side alone, by the name of the run before them that both sides have; '' for none. */
  const alone = new Map<string, MatchedRuns[]>();
  let before = '';
  for (const [name, run] of onLeft) {
    if (onRight.has(name)) before = name;
    else {
      const others = alone.get(before) ?? [];
      others.push({ left: run, right: undefined });
      alone.set(before, others);
    }
    if (slices.isOver) await slices.next();
  }
  const matched = [...(alone.get('') ?? [])];
  for (const [name, run] of onRight) {
    matched.push({ left: onLeft.get(name), right: run }, ...(alone.get(name) ?? []));
    if (slices.isOver) await slices.next();
  }
  return matched;
}
