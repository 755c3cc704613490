// A row as it's kept: as its line and some columns, and as JSON of what these don't have.
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { type Hide, KeyMask } from '../../base/masking.ts';
import type { LogLines } from '../../domain/logEntry.ts';
import { logLevels, type NodeLog } from '../../domain/nodeLog.ts';
import { nodeStatuses, type RunState } from '../../domain/status.ts';

const time = v.pipe(
  v.optional(v.nullable(v.number()), null),
  v.transform((at) => (at === null ? null : new Date(at))),
);
const nullableText = v.optional(v.nullable(v.string()), null);
const nullableNumber = v.optional(v.nullable(v.number()), null);
const states: readonly RunState[] = [...nodeStatuses, 'unknown'];

const Row = v.object({
  sequence: nullableNumber,
  nodeId: v.optional(v.string()),
  /** Missing: the id. */
  nodeName: v.optional(v.string()),
  nodeType: nullableText,
  iteration: v.optional(v.array(v.number()), []),
  attempt: v.optional(v.number(), 1),
  /** A number: the line ends with it, and it has so many characters. */
  message: v.union([v.string(), v.number()]),
  status: v.optional(
    v.nullable(
      v.object({
        state: v.picklist(states),
        word: v.string(),
        isTerminal: v.boolean(),
        hasWarning: v.boolean(),
      }),
    ),
    null,
  ),
  error: v.optional(
    v.nullable(
      v.object({ code: v.nullable(v.string()), message: v.string(), nodeId: v.nullable(v.string()) }),
    ),
    null,
  ),
  timestamp: time,
  startedAt: time,
  completedAt: time,
  durationMs: nullableNumber,
  reusedFrom: nullableText,
  isPinned: v.optional(v.boolean(), false),
  isAnswered: v.optional(v.boolean(), false),
  children: v.optional(v.array(v.string()), []),
});

const unlessUsual = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);

export interface RowText {
  /** The row's key, which must be one that is kept. */
  readonly key: string;
  readonly nodeId: string;
  /** The position of the row's level among all levels. */
  readonly level: number;
  readonly line: string;
  /** Members that a row doesn't have are left out, since most rows lack most of them. Values are never in it. */
  readonly json: string;
  readonly hasMaskedKeys: boolean;
}

/** False for a text that isn't well-formed Unicode, which SQLite would lose. */
export const isKept = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const unlessKept = (text: string): string | undefined => (isKept(text) ? undefined : text);

function writeJson(row: NodeLog, line: string): string {
  const { message, iteration, error, status } = row;
  return stringifyJson({
    sequence: row.sequence ?? undefined,
    nodeId: unlessKept(row.nodeId),
    nodeName: unlessUsual(row.nodeName, row.nodeId),
    nodeType: row.nodeType ?? undefined,
    iteration: iteration.length > 0 ? iteration : undefined,
    attempt: unlessUsual(row.attempt, 1),
    message: line.endsWith(message) && isKept(message) ? message.length : message,
    status: status === null ? undefined : { ...status },
    error: error === null ? undefined : { ...error },
    timestamp: row.timestamp?.getTime(),
    startedAt: row.startedAt?.getTime(),
    completedAt: row.completedAt?.getTime(),
    durationMs: row.durationMs ?? undefined,
    reusedFrom: row.reusedFrom ?? undefined,
    isPinned: unlessUsual(row.isPinned, false),
    isAnswered: unlessUsual(row.isAnswered, false),
    children: row.children.length > 0 ? row.children : undefined,
  });
}

function maskRow(row: NodeLog, hide: Hide): NodeLog {
  const hideOrNull = (each: string | null): string | null => (each === null ? null : hide(each));
  const { error, status } = row;
  return {
    ...row,
    key: hide(row.key),
    nodeId: hide(row.nodeId),
    nodeName: hide(row.nodeName),
    nodeType: hideOrNull(row.nodeType),
    message: hide(row.message),
    status: status === null ? null : { ...status, word: hide(status.word) },
    error:
      error === null
        ? null
        : { code: hideOrNull(error.code), message: hide(error.message), nodeId: hideOrNull(error.nodeId) },
    reusedFrom: hideOrNull(row.reusedFrom),
    children: row.children.map(hide),
  };
}

/** All texts of a row, and its line: one long text is searched faster than many short ones. */
function textOf(row: NodeLog, line: string): string {
  const { error, status, children, message } = row;
  const names = `${line}\n${row.key}\n${row.nodeId}\n${row.nodeName}\n${row.nodeType ?? ''}\n${row.reusedFrom ?? ''}`;
  const more = line.endsWith(message) ? '' : `\n${message}`;
  const state = status === null ? '' : `\n${status.word}`;
  const reason = error === null ? '' : `\n${error.code ?? ''}\n${error.message}\n${error.nodeId ?? ''}`;
  return `${names}${state}${more}${reason}\n${children.join('\n')}`;
}

function toText(row: NodeLog, line: string, hasMaskedKeys: boolean): RowText {
  const { key, nodeId, level } = row;
  return { key, nodeId, level: logLevels.indexOf(level), line, json: writeJson(row, line), hasMaskedKeys };
}

/** Masks API keys, wherever they stand: what is kept may come to lie on a disk. */
export function writeRow(row: NodeLog, { render }: Pick<LogLines, 'render'>, keyPrefix: string): RowText {
  const line = render(row);
  if (!hasKeys(textOf(row, line), keyPrefix)) return toText(row, line, false);
  const { hide } = new KeyMask(keyPrefix);
  const masked = maskRow(row, hide);
  return toText(masked, hide(render(masked)), true);
}

/** The same for several rows, faster: mostly none of them has a key. */
export function writeRows(
  rows: readonly NodeLog[],
  lines: Pick<LogLines, 'render'>,
  keyPrefix: string,
): readonly RowText[] {
  const rendered = rows.map((row) => ({ row, line: lines.render(row) }));
  const all = rendered.map(({ row, line }) => textOf(row, line)).join('\n');
  return hasKeys(all, keyPrefix)
    ? rows.map((row) => writeRow(row, lines, keyPrefix))
    : rendered.map(({ row, line }) => toText(row, line, false));
}

function hasKeys(text: string, keyPrefix: string): boolean {
  const mask = new KeyMask(keyPrefix);
  mask.hide(text);
  return mask.hasMasked;
}

/** Returns the row without values. Throws an error for what isn't a row. */
export function readRow(text: Pick<RowText, 'key' | 'nodeId' | 'level' | 'line' | 'json'>): NodeLog {
  const { key, line } = text;
  const { message, nodeId = text.nodeId, nodeName, ...row } = v.parse(Row, parseJson(text.json));
  return {
    ...row,
    key,
    nodeId,
    nodeName: nodeName ?? nodeId,
    level: logLevels[text.level] ?? 'info',
    message: typeof message === 'string' ? message : line.slice(line.length - message),
    input: undefined,
    output: undefined,
    exchange: undefined,
  };
}
