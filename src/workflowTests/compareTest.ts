// What an execution did, beside what a test expects of it.
import * as l10n from '@vscode/l10n';
import { truncateText } from '../base/format.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  stringifyJson,
} from '../base/json.ts';
import type { InputChecker } from '../definition/inputSchema.ts';
import type { RunError } from '../domain/execution.ts';
import { readExchange } from '../domain/httpExchange.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { RunState } from '../domain/status.ts';
import { type FieldPath, formatField } from '../base/fieldPath.ts';
import { matchesField, parseFieldPatterns } from '../model/comparison/fieldPatterns.ts';
import { type Difference, walkDifferences } from '../model/comparison/jsonDifferences.ts';
import { matches, readMatcher } from './matchers.ts';
import type { ExpectedNode, TestSpec } from './testSpec.ts';

/** What is known of an execution that a test started. */
export interface TestFacts {
  readonly status: RunState;
  readonly error: RunError | null;
  /** undefined: there's none, or it isn't expected. */
  readonly output: JsonValue | undefined;
  readonly nodeRuns: readonly NodeRun[];
}

/** Whether a regular expression finds something in a text; bounded in time. Rejects with words if it takes too long. */
export type PatternTest = (pattern: string, text: string, signal: AbortSignal) => Promise<boolean>;

/** Tries a pattern as that of a schema, which is checked in a thread and ends after some time. */
export function patternTestBy(checker: InputChecker): PatternTest {
  return async (pattern, text, signal) => {
    const { faults } = await checker.checkInput({ type: 'string', pattern }, stringifyJson(text), signal);
    return faults.length === 0;
  };
}

export interface TestComparison {
  /** The left side is what's expected; paths are those in `expected`. In the order in which it expects them. */
  readonly differences: readonly Difference[];
  /** What came, as far as the test expects something there. */
  readonly actual: JsonObject;
  /** The same, with what was expected wherever that differs. */
  readonly expected: JsonObject;
}

const maximumDifferences = 100;

interface Part {
  readonly path: FieldPath;
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
  readonly isPartial: boolean;
}

/** Rejects with the signal's reason, and as `testPattern` does. */
export async function compareTest(
  spec: TestSpec,
  facts: TestFacts,
  testPattern: PatternTest,
  signal: AbortSignal,
): Promise<TestComparison> {
  const parts = partsOf(spec, facts);
  const { patterns } = parseFieldPatterns(spec.ignore);
  const differences: Difference[] = [];
  for (const part of parts) {
    for (const found of walkDifferences(part.expected, part.actual, part.path, {
      decide: decideByMatcher,
      isPartial: part.isPartial,
    })) {
      signal.throwIfAborted();
      if (found === null || patterns.some((pattern) => matchesField(pattern, found.path))) continue;
      if (await isFoundIn(found, testPattern, signal)) continue;
      differences.push(found);
      if (differences.length === maximumDifferences) return assemble(parts, differences);
    }
  }
  return assemble(parts, differences);
}

/** A pattern that is to be tried counts as a difference until then. */
function decideByMatcher(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): boolean | undefined {
  const matcher = readMatcher(expected);
  if (matcher === undefined) return undefined;
  return !('fault' in matcher) && matches(matcher, actual) === true;
}

async function isFoundIn(
  { left, right }: Difference,
  testPattern: PatternTest,
  signal: AbortSignal,
): Promise<boolean> {
  const matcher = readMatcher(left);
  if (matcher === undefined || 'fault' in matcher || matcher.kind !== 'match') return false;
  return typeof right === 'string' && testPattern(matcher.pattern, right, signal);
}

function partsOf(spec: TestSpec, facts: TestFacts): readonly Part[] {
  const { expected, match } = spec;
  const { status, output } = expected;
  const isPartial = match === 'partial';
  return [
    { path: ['status'], expected: status, actual: facts.status, isPartial },
    ...errorParts(spec, facts),
    ...(output === undefined
      ? []
      : [{ path: ['output'], expected: output, actual: facts.output, isPartial }]),
    ...Object.entries(expected.nodes).flatMap(([nodeId, node]) =>
      nodeParts(
        ['nodes', nodeId],
        node,
        facts.nodeRuns.filter((run) => run.nodeId === nodeId),
        isPartial,
      ),
    ),
  ];
}

/** An error that nobody expects tells more than the status. */
function errorParts({ expected: { status, error } }: TestSpec, facts: TestFacts): readonly Part[] {
  const actual = facts.error === null ? undefined : describeRunError(facts.error);
  if (error === undefined)
    return status === 'completed' && actual !== undefined
      ? [{ path: ['error'], expected: undefined, actual, isPartial: true }]
      : [];
  const isMessage = typeof error === 'string' || readMatcher(error) !== undefined;
  return [
    { path: ['error'], expected: error, actual: isMessage ? facts.error?.message : actual, isPartial: true },
  ];
}

export function describeRunError({ code, message, nodeId }: RunError): JsonObject {
  return { ...(code === null ? {} : { code }), message, ...(nodeId === null ? {} : { nodeId }) };
}

function nodeParts(
  path: FieldPath,
  node: ExpectedNode,
  all: readonly NodeRun[],
  isPartial: boolean,
): readonly Part[] {
  const runs = all.filter(({ status }) => status?.state !== 'skipped');
  const last = all.at(-1);
  const { status, output, runs: count, requests } = node;
  const parts: readonly Part[] = [
    { path: [...path, 'status'], expected: status, actual: last?.status?.state, isPartial },
    { path: [...path, 'runs'], expected: count, actual: runs.length, isPartial },
    { path: [...path, 'output'], expected: output, actual: last?.output, isPartial },
    {
      path: [...path, 'requests'],
      expected: requests?.map(withPlainHeaders),
      actual: requests && runs.flatMap((run) => requestOf(run) ?? []),
      isPartial: true,
    },
  ];
  return parts.filter(({ expected }) => expected !== undefined);
}

/** What a node run sent, or would have sent. */
function requestOf(run: NodeRun): JsonObject | undefined {
  const request = readExchange(run.exchange)?.request;
  if (request === undefined) return undefined;
  const { method, url, headers, body } = request;
  return withPlainHeaders({ method, url, headers, body });
}

/** The names of headers are the same in any case. */
function withPlainHeaders(request: JsonObject): JsonObject {
  const { headers } = request;
  if (!isJsonObject(headers)) return request;
  const plain = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...request, headers: Object.fromEntries(plain) };
}

function assemble(parts: readonly Part[], differences: readonly Difference[]): TestComparison {
  let actual: JsonValue = {};
  for (const part of parts) actual = withValue(actual, part.path, shownOf(part));
  let expected = actual;
  // From the end, so that items that are removed don't move others.
  for (const { path, left } of differences.toReversed()) expected = withValue(expected, path, left);
  return {
    differences,
    actual: isJsonObject(actual) ? actual : {},
    expected: isJsonObject(expected) ? expected : {},
  };
}

function shownOf({ expected, actual, isPartial }: Part): JsonValue | undefined {
  return isPartial && actual !== undefined && expected !== undefined ? narrowed(expected, actual) : actual;
}

/** The parts of a value that are expected. */
function narrowed(expected: JsonValue, actual: JsonValue): JsonValue {
  if (readMatcher(expected) !== undefined) return actual;
  if (isJsonArray(expected) && isJsonArray(actual))
    return actual.map((item, at) => {
      const other = expected[at];
      return other === undefined ? item : narrowed(other, item);
    });
  if (!isJsonObject(expected) || !isJsonObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(expected).flatMap(([name, member]) => {
      const other = memberOf(actual, name);
      return other === undefined ? [] : [[name, narrowed(member, other)]];
    }),
  );
}

/** Returns the value with another one at the path; without what is there if that's undefined. */
export function withValue(root: JsonValue, path: FieldPath, value: JsonValue | undefined): JsonValue {
  const [segment, ...others] = path;
  if (segment === undefined) return value ?? null;
  if (isJsonArray(root) && typeof segment === 'number') {
    const items = [...root];
    if (others.length === 0 && value === undefined) items.splice(segment, 1);
    else items[segment] = withValue(items[segment] ?? {}, others, value);
    return items;
  }
  const members = new Map(Object.entries(isJsonObject(root) ? root : {}));
  const name = String(segment);
  if (others.length === 0 && value === undefined) members.delete(name);
  else members.set(name, withValue(members.get(name) ?? {}, others, value));
  return Object.fromEntries(members);
}

const maximumValue = 200;

/** "output.total: 5 is expected, but 4 came." */
export function describeDifferences(differences: readonly Difference[]): string {
  const [first] = differences;
  if (first === undefined) return '';
  const { path, left, right } = first;
  const words = l10n.t('{0}: {1} is expected, but {2} came.', formatField(path), short(left), short(right));
  const more = differences.length - 1;
  if (more === 0) return words;
  return more === 1
    ? l10n.t('{0} One more field differs.', words)
    : l10n.t('{0} {1} more fields differ.', words, more);
}

function short(value: JsonValue | undefined): string {
  if (value === undefined) return l10n.t('nothing');
  return truncateText(stringifyJson(value), maximumValue);
}
