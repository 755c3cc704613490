// Converts node logs to rows, from lists, maps, trees or text.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { type Names, pick } from './fields.ts';

/** A row as received: a record, or one line of plain text. */
export type RawRow = JsonObject | string;

/** Members that contain the rows, in order: lists of rows first, then text and maps. */
const holders: Names = [
  'logs',
  'newLogs',
  'content',
  'data',
  'nodeLogs',
  'items',
  'results',
  'records',
  'entries',
  'nodes',
  'steps',
  'traceSpans',
  'runData',
];
const rowMarks: Names = [
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
];
const maximumDepth = 32;

function fromText(text: string): readonly RawRow[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const value = line.trimStart().startsWith('{') ? parseJson(line) : undefined;
    return isJsonObject(value) ? value : line;
  });
}

/** Adds a tree's node as a row, followed by its children. Appends to one list, because copying at each level would multiply the time by the depth. */
function addTree(rows: RawRow[], row: JsonObject, depth: number): void {
  const { children, ...own } = row;
  const isTree = isJsonArray(children) && depth <= maximumDepth;
  rows.push(isTree ? own : row);
  if (isTree) addArray(rows, children, depth + 1);
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

/** Reads a map from a node's name to its run, or to one run per loop iteration. */
function fromMap(map: JsonObject): readonly RawRow[] {
  return Object.entries(map).flatMap(([name, value]) => {
    const runs = isJsonArray(value) ? value.filter(isJsonObject) : [value];
    return runs.flatMap((run, turn) =>
      isJsonObject(run)
        ? [{ nodeId: name, nodeName: name, ...(runs.length > 1 ? { iteration: [turn] } : {}), ...run }]
        : [],
    );
  });
}

function isMap(record: JsonObject): boolean {
  const values = Object.values(record);
  return (
    values.length > 0 &&
    values.every((value) => isJsonObject(value) || (isJsonArray(value) && value.every(isJsonObject)))
  );
}

/** Returns all rows of a response in the order received; undefined when it contains nothing that looks like rows. */
export function logRows(body: JsonValue | undefined, depth = 0): readonly RawRow[] | undefined {
  if (typeof body === 'string') return fromText(body);
  if (isJsonArray(body)) return collected((rows) => addArray(rows, body, 0));
  if (!isJsonObject(body) || depth > 3) return undefined;
  if (pick(body, rowMarks) !== undefined) return collected((rows) => addTree(rows, body, 0));
  const holder = holders.find((name) => {
    const value = pick(body, [name]);
    return value !== undefined && (typeof value === 'string' || typeof value === 'object');
  });
  if (holder !== undefined) return logRows(pick(body, [holder]), depth + 1);
  return isMap(body) ? fromMap(body) : undefined;
}
