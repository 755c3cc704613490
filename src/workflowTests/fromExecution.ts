// A test that expects what an execution did: its input, its output or failure, and what came from outside.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../base/json.ts';
import type { DefinitionText } from '../definition/definitionText.ts';
import { definitionFormats } from '../domain/definitionFormat.ts';
import { type Execution, type Output, outputValue } from '../domain/execution.ts';
import { readExchange } from '../domain/httpExchange.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { FieldPath } from '../base/fieldPath.ts';
import { matchesField, parseFieldPatterns, type FieldPattern } from '../model/comparison/fieldPatterns.ts';
import { truncatedValue } from '../protocol/truncatedValue.ts';
import { describeRunError } from './compareTest.ts';
import { escapeMatchers } from './matchers.ts';

export interface RecordedExecution {
  /** It has completed or failed. */
  readonly execution: Execution;
  readonly input: JsonValue | undefined;
  readonly output: Output;
  /** With whole values. */
  readonly nodeRuns: readonly NodeRun[];
  readonly definition: DefinitionText;
}

interface CreatedTest {
  readonly name: string;
  /** Patterns of fields that always differ, such as times and ids. Those that are met are ignored. */
  readonly ignored: readonly string[];
  /** The service takes answers of requests. */
  readonly takesAnswers: boolean;
}

/** The type of the nodes that publish a portal event. */
const eventType = 'portalEvent';

/** Whether there's an end to expect. */
export function canBeTested({ status }: Execution): boolean {
  return status.state === 'completed' || status.state === 'failed';
}

export function createTest(
  recorded: RecordedExecution,
  { name, ignored, takesAnswers }: CreatedTest,
): JsonObject {
  const { execution, input } = recorded;
  const isPinned = nodesWithoutEffect(recorded);
  const pinned = pinsOf(recorded, isPinned);
  const answers = takesAnswers ? answersOf(recorded, isPinned) : {};
  const expected = expectedOf(recorded);
  const { patterns } = parseFieldPatterns(ignored);
  const ignore = patterns.filter((pattern) => isMet(pattern, expected, [])).map(({ text }) => text);
  return {
    name,
    ...(isJsonObject(input) && Object.keys(input).length > 0 ? { input } : {}),
    ...(Object.keys(pinned).length > 0 ? { pinned } : {}),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
    expected,
    ...(ignore.length > 0 ? { ignore } : {}),
    ...(execution.durationMs !== null && execution.durationMs > 20_000
      ? { timeoutMs: Math.ceil(execution.durationMs / 10_000) * 30_000 }
      : {}),
  };
}

function expectedOf({ execution: { status, error }, output }: RecordedExecution): JsonObject {
  if (status.state === 'failed')
    return { status: status.state, ...(error === null ? {} : { error: describeRunError(error) }) };
  const value = outputValue(output) ?? null;
  return { status: status.state, ...(value === null ? {} : { output: escapeMatchers(value) }) };
}

/** Nodes that gave a pin or a result of another execution, and those that publish events. */
function nodesWithoutEffect({ nodeRuns, definition }: RecordedExecution): (nodeId: string) => boolean {
  const given = new Set(
    nodeRuns
      .filter(({ isPinned, reusedFrom }) => isPinned || reusedFrom !== null)
      .map(({ nodeId }) => nodeId),
  );
  const isService =
    definitionFormats[definition.format].requestType === definitionFormats.service.requestType;
  return (nodeId) => given.has(nodeId) || (isService && definition.byId.get(nodeId)?.type === eventType);
}

/** A pin gives one value, so the runs of a node in a loop must have given the same; of those that publish, the ids differ. */
function pinsOf(
  { nodeRuns, definition }: RecordedExecution,
  isPinned: (nodeId: string) => boolean,
): JsonObject {
  const byNode = Map.groupBy(
    nodeRuns.filter(({ nodeId }) => isPinned(nodeId) && definition.byId.has(nodeId)),
    ({ nodeId }) => nodeId,
  );
  return Object.fromEntries(
    [...byNode].flatMap(([nodeId, runs]) => {
      const completed = runs.filter(({ status }) => status?.state === 'completed');
      const values = new Set(completed.map(({ output }) => stringifyJson(output)));
      const value = completed[0]?.output;
      const isTrigger = definition.incoming(nodeId).length === 0;
      const isLoop = definition.outgoing(nodeId).some(({ branch }) => branch === 'each');
      const isSame = values.size === 1 || definition.byId.get(nodeId)?.type === eventType;
      if (!isSame || completed.length !== runs.length || isTrigger || isLoop) return [];
      return value === undefined || truncatedValue(value) !== undefined ? [] : [[nodeId, value] as const];
    }),
  );
}

function answersOf(
  { nodeRuns, definition }: RecordedExecution,
  isPinned: (nodeId: string) => boolean,
): JsonObject {
  const { requestType } = definitionFormats[definition.format];
  const byNode = Map.groupBy(
    nodeRuns.filter(({ nodeId }) => definition.byId.get(nodeId)?.type === requestType && !isPinned(nodeId)),
    ({ nodeId }) => nodeId,
  );
  return Object.fromEntries(
    [...byNode].flatMap(([nodeId, runs]) => {
      const answers = answersOfRuns(runs);
      return answers === undefined ? [] : [[nodeId, answers] as const];
    }),
  );
}

/** The answers that HTTP request nodes got in these runs; one where all are the same, since the last one answers again and again. */
export function answersOfRuns(runs: readonly NodeRun[]): readonly JsonObject[] | undefined {
  const answers = runs.map(answerOf).filter((answer) => answer !== undefined);
  const [first] = answers;
  if (first === undefined) return undefined;
  const isSame = answers.every((answer) => stringifyJson(answer) === stringifyJson(first));
  return isSame ? [first] : answers;
}

/** undefined: nothing was sent, or not all is known of what came. */
function answerOf({ exchange, error }: NodeRun): JsonObject | undefined {
  const { response } = readExchange(exchange) ?? {};
  if (response === undefined) {
    if (error?.code === 'request_timed_out') return { error: 'timeout' };
    return error?.code === 'request_failed' ? { error: 'unreachable' } : undefined;
  }
  const { status, headers, body } = response;
  if (truncatedValue(body) !== undefined) return undefined;
  const shown = Object.entries(headers).filter(([, value]) => value !== masked);
  return {
    status,
    ...(shown.length > 0 ? { headers: Object.fromEntries(shown) } : {}),
    ...(body === null ? {} : { body }),
  };
}

/** What the service shows instead of headers that authorize. */
const masked = '***';

/** Whether a field of the value is one that the pattern means. */
function isMet(pattern: FieldPattern, value: JsonValue, path: FieldPath): boolean {
  if (path.length > 0 && matchesField(pattern, path)) return true;
  if (isJsonArray(value)) return value.some((item, at) => isMet(pattern, item, [...path, at]));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([name, member]) => isMet(pattern, member, [...path, name]))
  );
}
