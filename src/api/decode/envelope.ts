// Finds what responses wrap around records: envelopes, lists, and a failure in a 2xx body.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { anyOf, type Names, pick } from './fields.ts';

/** Members that hold what a response wraps. */
export const envelopes: readonly string[] = ['data', 'result', 'workflow', 'execution', 'item', 'payload'];
export const maximumLayers = 3;

/** Unwraps a record from at most three envelopes; returns undefined when the body contains no object. */
export function unwrapRecord(body: JsonValue | undefined, known: Names): JsonObject | undefined {
  let record = body;
  for (let layer = 0; layer < maximumLayers && isJsonObject(record); layer += 1) {
    if (pick(record, known) !== undefined) return record;
    const outer: JsonObject = record;
    const inner = envelopes.map((name) => outer[name]).find((value) => isJsonObject(value));
    if (inner === undefined) return record;
    record = inner;
  }
  return isJsonObject(record) ? record : undefined;
}

const lists: Names = anyOf('data', 'items', 'results', 'records', 'list');

/** Each resource's own names for its list, in addition to the usual ones. */
export const listNames = {
  workflows: anyOf('workflows'),
  executions: anyOf('executions', 'runs', 'workflowRuns', 'dagRuns'),
  logs: anyOf('logs', 'nodeLogs'),
  portalEvents: anyOf('events', 'portalEvents'),
  keys: anyOf('keys', 'apiKeys'),
  secrets: anyOf('secrets'),
} satisfies Record<string, Names>;

function arrayIn(record: JsonObject, names: Names): readonly JsonValue[] | undefined {
  for (const name of names) {
    const value = pick(record, [name]);
    if (isJsonArray(value)) return value;
  }
  return undefined;
}

/** Returns the rows of a list body; undefined when it contains none. */
export function unwrapList(body: JsonValue | undefined, own: Names): readonly JsonValue[] | undefined {
  if (isJsonArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  const names = [...lists, ...own];
  const direct = arrayIn(body, names);
  if (direct) return direct;
  const inside = body['data'];
  const nested = isJsonObject(inside) ? arrayIn(inside, names) : undefined;
  if (nested) return nested;
  // A refusal can have a list as well.
  const arrays = Object.entries(body).flatMap(([name, value]) =>
    name !== 'errors' && isJsonArray(value) ? [value] : [],
  );
  return arrays.length === 1 ? arrays[0] : undefined;
}

/** True when a 2xx body says that the call failed. A record with an id reports its own success instead of the call's. */
export function reportsFailure(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body)) return false;
  if (pick(body, anyOf('id', 'executionId', 'runId', 'workflowId')) !== undefined) return false;
  return body['success'] === false || body['ok'] === false;
}
