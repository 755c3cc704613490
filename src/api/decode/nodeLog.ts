// Finds the rows of node logs in lists, maps, trees or text, and decodes and orders them.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { LogLevel, NodeLog } from '../../domain/nodeLog.ts';
import type { Status } from '../../domain/status.ts';
import { decodeRunError, pickOutput, runNames } from './execution.ts';
import {
  anyOf,
  decodeDuration,
  type Names,
  namesIn,
  parsedText,
  pick,
  pickNumber,
  pickPresent,
  pickText,
  pickTime,
} from './fields.ts';
import { decodeStatus } from './status.ts';

/** A row as received: a record, or one line of plain text. */
type RawRow = JsonObject | string;

/** Members that contain the rows, in order: lists of rows first, then text and maps. */
const holders = [
  'logs',
  'newLogs',
  'content',
  'data',
  'nodeLogs',
  'items',
  'results',
  'records',
  'list',
  'entries',
  'nodes',
  'nodeRuns',
  'steps',
  'traceSpans',
  'runData',
];
const rowMarks: Names = anyOf(
  'nodeId',
  'blockId',
  'stepId',
  'taskId',
  'nodeName',
  'message',
  'msg',
  'text',
  'line',
  'level',
  'sequence',
);
const maximumDepth = 32;

/** Reads lines of text or of JSON, or one JSON value that holds all rows. */
function fromText(text: string): readonly RawRow[] {
  const whole = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const held = isHolder(whole) ? logRows(whole, 1) : undefined;
  if (held !== undefined && held.length > 0) return held;
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const value = line.trimStart().startsWith('{') ? parseJson(line) : undefined;
    return isJsonObject(value) ? value : line;
  });
}

function isHolder(value: JsonValue | undefined): value is readonly JsonValue[] | JsonObject {
  return isJsonArray(value) || isJsonObject(value);
}

/** Adds a tree's node as a row, followed by its children. Appends to one list, because copying at each level would multiply the time by the depth. */
function addTree(rows: RawRow[], row: JsonObject, depth: number): void {
  if (!isJsonArray(row['children']) || depth > maximumDepth) {
    rows.push(row);
    return;
  }
  const { children, ...own } = row;
  rows.push(own);
  addArray(rows, children, depth + 1);
}

function addArray(rows: RawRow[], values: readonly JsonValue[], depth: number): void {
  for (const value of values) {
    if (typeof value === 'string') for (const row of fromText(value)) rows.push(row);
    else if (isJsonArray(value) && depth <= maximumDepth) addArray(rows, value, depth + 1);
    else if (isJsonObject(value)) addTree(rows, value, depth);
  }
}

function collected(add: (rows: RawRow[]) => void): readonly RawRow[] {
  const rows: RawRow[] = [];
  add(rows);
  return rows;
}

/** Reads a map from a node's name to its run, to one run per loop iteration, or to its lines of text. */
function fromMap(map: JsonObject): readonly RawRow[] {
  return Object.entries(map).flatMap(([name, value]) => {
    const node = { nodeId: name, nodeName: name };
    const items = isJsonArray(value) ? value : [value];
    const runs = items.filter(isJsonObject);
    if (runs.length === 0)
      return collected((rows) => addArray(rows, items, 0)).map((row) => ({
        ...node,
        ...(typeof row === 'string' ? { message: row } : row),
      }));
    return runs.map((run, iteration) => ({
      ...node,
      ...(runs.length > 1 ? { iteration: [iteration] } : {}),
      ...run,
    }));
  });
}

/** mayHoldText: false for a whole response, in which a text may be anything. */
function isMap(record: JsonObject, mayHoldText: boolean): boolean {
  const isRow = (value: JsonValue): boolean =>
    isJsonObject(value) || (mayHoldText && typeof value === 'string');
  const values = Object.values(record);
  return (
    values.length > 0 && values.every((value) => (isJsonArray(value) ? value.every(isRow) : isRow(value)))
  );
}

/** Returns all rows of a response in the order received; undefined when it contains nothing that looks like rows. */
export function logRows(body: JsonValue | undefined, depth = 0): readonly RawRow[] | undefined {
  if (typeof body === 'string') return fromText(body);
  if (isJsonArray(body)) return collected((rows) => addArray(rows, body, 0));
  if (!isJsonObject(body) || depth > 3) return undefined;
  if (pick(body, rowMarks) !== undefined) return collected((rows) => addTree(rows, body, 0));
  const holder = holders.find((name) => {
    const value = pick(body, anyOf(name));
    return typeof value === 'string' || isHolder(value);
  });
  if (holder !== undefined) return logRows(pick(body, anyOf(holder)), depth + 1);
  if (typeof body['event'] === 'string') return [body];
  return isMap(body, depth > 0) ? fromMap(body) : undefined;
}

/** Members of an execution's record that may contain its rows, in order. */
const inRecord = ['logs', 'nodeLogs', 'nodeRuns', 'nodes', 'steps', 'traceSpans', 'runData'];
const runMarks: Names = [
  ...runNames.startedAt,
  ...runNames.output,
  ...anyOf('status', 'state', 'error', 'message'),
];

/** Returns the rows in an execution's record; undefined when it has none. */
export function recordRows(record: JsonObject): readonly RawRow[] | undefined {
  let none: readonly RawRow[] | undefined;
  for (const name of inRecord) {
    const found = logRows(pick(record, anyOf(name)), 1);
    const rows = name === 'nodes' ? found?.filter(isRun).map(withNodeId) : found;
    if (rows !== undefined && rows.length > 0) return rows;
    none ??= rows;
  }
  return none;
}

/** False for a node of a definition, which says nothing about a run. */
function isRun(row: RawRow): boolean {
  return typeof row === 'string' || pickPresent(row, runMarks) !== undefined;
}

/** In a list of nodes, the id is the node's own. */
function withNodeId(row: RawRow): RawRow {
  if (typeof row === 'string' || pick(row, nodeLogNames.nodeId) !== undefined) return row;
  const id = pickText(row, anyOf('id'));
  return id === null ? row : { ...row, nodeId: id };
}

export const nodeLogNames = {
  id: anyOf('id', 'logId', '_id'),
  sequence: anyOf('sequence', 'seq', 'sequenceNumber'),
  nodeId: anyOf('nodeId', 'blockId', 'stepId', 'taskId'),
  nodeName: anyOf('nodeName', 'blockName', 'stepName', 'displayName', 'name', 'title'),
  nodeType: anyOf('nodeType', 'blockType', 'stepOp', 'type'),
  attempt: anyOf('attempt', 'attemptNumber', 'tryNumber'),
  iteration: anyOf('iteration', 'iterations', 'iterationIndex', 'loopIndex'),
  level: anyOf('level', 'severity'),
  message: anyOf('message', 'msg', 'text', 'line'),
  timestamp: anyOf('timestamp', 'time', 'ts', 'createdAt'),
  isError: anyOf('isError'),
  reusedFrom: anyOf('reusedFrom'),
  pinned: anyOf('pinned'),
  answered: anyOf('answered'),
} satisfies Record<string, Names>;

const rowNamesIn = namesIn({
  ...nodeLogNames,
  startedAt: runNames.startedAt,
  completedAt: runNames.completedAt,
  input: runNames.input,
  error: runNames.error,
});
/** The names that a row has. */
type RowNames = ReturnType<typeof rowNamesIn>;

/** Returns the text of a row. "event" may be anything else as well, such as an id. */
function messageOf(record: JsonObject, names: RowNames): string | null {
  const { event } = record;
  const reported =
    pickText(record, names.message) ?? (typeof event === 'string' && event !== '' ? event : null);
  return reported ?? (isJsonObject(event) ? pickText(event, nodeLogNames.message) : null);
}

const levelWords: readonly (readonly [LogLevel, RegExp])[] = [
  ['error', /^(err|error|fatal|critical|crit|emerg|alert|severe)/i],
  ['warn', /^warn/i],
  ['debug', /^(debug|trace|verbose|silly|fine)/i],
];

function readLevel(record: JsonObject, names: RowNames, status: Status | null): LogLevel {
  const word = pickText(record, names.level);
  if (word !== null) return levelWords.find(([, pattern]) => pattern.test(word))?.[0] ?? 'info';
  return status?.state === 'failed' || pick(record, names.isError) === true ? 'error' : 'info';
}

/** Maximum number of nested loops read from a row. */
const maximumLoops = 50;

function isCount(value: number | null): value is number {
  return Number.isSafeInteger(value) && value !== null && value >= 0;
}

/** Returns the iteration of each loop around a node, outermost first. */
export function readIteration(record: JsonObject, names: Names): readonly number[] {
  const value = pick(record, names);
  if (value === undefined) return [];
  const iterations = isJsonArray(value) ? value : [value];
  return iterations
    .slice(0, maximumLoops)
    .filter((iteration) => typeof iteration === 'number')
    .filter(isCount);
}

const byPosition = 'row:';

/** Returns the service's id, else what identifies the node run, else the sequence, else the row's position, which a full re-read keeps. */
function readKey(record: JsonObject, names: RowNames, row: Omit<NodeLog, 'key'>, position: number): string {
  const id = pickText(record, names.id);
  if (id !== null) return id;
  if (row.nodeId !== '' && row.startedAt)
    return `${row.nodeId}@${row.startedAt.toISOString()}#${row.attempt}`;
  const sequence = pickText(record, names.sequence) ?? '';
  if (/^\d+$/.test(sequence)) return `sequence:${sequence}`;
  return `${byPosition}${position}`;
}

/** False for a row that only its position identifies. */
export function hasOwnKey({ key }: NodeLog): boolean {
  return !key.startsWith(byPosition);
}

/** Only the local service reports it. */
function readExchange({ request, response }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(request) || typeof request['method'] !== 'string' || typeof request['url'] !== 'string')
    return undefined;
  return isJsonObject(response) ? { request, response } : { request };
}

/** Decodes one row; returns undefined when it has neither a node nor a message. position: its position among all rows. */
export function decodeNodeLog(raw: RawRow | JsonValue, position: number): NodeLog | undefined {
  const record = typeof raw === 'string' ? { message: raw } : raw;
  if (!isJsonObject(record)) return undefined;
  const names = rowNamesIn(record);
  const nodeName = pickText(record, names.nodeName);
  const nodeId = pickText(record, names.nodeId) ?? nodeName ?? '';
  const message = messageOf(record, names);
  if (nodeId === '' && message === null) return undefined;
  const startedAt = pickTime(record, names.startedAt);
  const completedAt = pickTime(record, names.completedAt);
  const status = decodeStatus(record, completedAt !== null);
  const error = decodeRunError(pick(record, names.error));
  const [sequence, attempt] = [pickNumber(record, names.sequence), pickNumber(record, names.attempt)];
  const row = {
    sequence: isCount(sequence) ? sequence : null,
    nodeId,
    nodeName: nodeName ?? nodeId,
    nodeType: pickText(record, names.nodeType),
    iteration: readIteration(record, names.iteration),
    attempt: isCount(attempt) ? attempt : 1,
    level: readLevel(record, names, status),
    message: message ?? error?.message ?? status?.word ?? '',
    status,
    input: parsedText(pickPresent(record, names.input)),
    output: pickOutput(record),
    exchange: readExchange(record),
    error,
    timestamp: pickTime(record, names.timestamp),
    startedAt,
    completedAt,
    durationMs: decodeDuration(record, startedAt, completedAt),
    reusedFrom: pickText(record, names.reusedFrom),
    isPinned: pick(record, names.pinned) === true,
    isAnswered: pick(record, names.answered) === true,
    children: [],
  };
  // With the spread first, V8 doesn't allocate the rows of a long log as long-lived objects, as it does with a literal of many survivors.
  return { ...row, key: readKey(record, names, row, position) };
}

const timeOf = (row: NodeLog): number | undefined => (row.startedAt ?? row.timestamp)?.getTime();

function compare(left: NodeLog, right: NodeLog): number {
  if (left.sequence !== null && right.sequence !== null) return left.sequence - right.sequence;
  const [earlier, later] = [timeOf(left), timeOf(right)];
  return earlier === undefined || later === undefined ? 0 : earlier - later;
}

/**
 * Returns each key once, a later row in place of an earlier one. Sorted by sequence where all rows have one, else by time where all have
 * one, else in the order received.
 */
export function orderNodeLogs(rows: readonly NodeLog[]): readonly NodeLog[] {
  if (rows.length <= 1) return rows;
  const unique = [...new Map(rows.map((row) => [row.key, row])).values()];
  const isComparable =
    unique.every((row) => row.sequence !== null) ||
    unique.every((row) => row.sequence === null && timeOf(row) !== undefined);
  return isComparable ? unique.toSorted(compare) : unique;
}
