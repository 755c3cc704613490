// A row as it's kept: as its line, and as JSON of what the line doesn't have.
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { type Hide, KeyMask } from '../../base/secrets.ts';
import type { LogLines } from '../../domain/logEntry.ts';
import { type LogLevel, logLevels, type NodeLog } from '../../domain/nodeLog.ts';
import { nodeStatuses, type RunState } from '../../domain/status.ts';

const time = v.pipe(
  v.optional(v.nullable(v.number()), null),
  v.transform((at) => (at === null ? null : new Date(at))),
);
const text = v.optional(v.string(), '');
const nullableText = v.optional(v.nullable(v.string()), null);
const nullableNumber = v.optional(v.nullable(v.number()), null);
const states: readonly RunState[] = [...nodeStatuses, 'unknown'];
const levels: readonly LogLevel[] = logLevels;

const Row = v.object({
  key: v.string(),
  sequence: nullableNumber,
  nodeId: text,
  nodeName: text,
  nodeType: nullableText,
  iteration: v.optional(v.array(v.number()), []),
  attempt: v.optional(v.number(), 1),
  level: v.optional(v.picklist(levels), 'info'),
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
  /** The row's key. */
  readonly key: string;
  readonly nodeId: string;
  readonly line: string;
  /** Members that a row doesn't have are left out, since most rows lack most of them. Values are never in it. */
  readonly json: string;
  readonly hasMaskedKeys: boolean;
}

/** False for a message that isn't well-formed Unicode, which the line would lose. */
const endsWith = (line: string, message: string): boolean =>
  line.endsWith(message) && !/\p{Surrogate}/u.test(message);

function writeJson(row: NodeLog, line: string): string {
  const { message, iteration, error, status } = row;
  return stringifyJson({
    key: row.key,
    sequence: row.sequence ?? undefined,
    nodeId: unlessUsual(row.nodeId, ''),
    nodeName: unlessUsual(row.nodeName, ''),
    nodeType: row.nodeType ?? undefined,
    iteration: iteration.length > 0 ? iteration : undefined,
    attempt: unlessUsual(row.attempt, 1),
    level: unlessUsual(row.level, 'info'),
    message: endsWith(line, message) ? message.length : message,
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

/** Masks API keys, wherever they stand: what is kept may come to lie on a disk. */
export function writeRow(row: NodeLog, { render }: Pick<LogLines, 'render'>, keyPrefix: string): RowText {
  const mask = new KeyMask(keyPrefix);
  const line = render(row);
  mask.hide(textOf(row, line));
  if (!mask.hasMasked) {
    const { key, nodeId } = row;
    return { key, nodeId, line, json: writeJson(row, line), hasMaskedKeys: false };
  }
  const masked = maskRow(row, mask.hide);
  const maskedLine = mask.hide(render(masked));
  const { key, nodeId } = masked;
  return { key, nodeId, line: maskedLine, json: writeJson(masked, maskedLine), hasMaskedKeys: true };
}

/** Returns the row without values. Throws an error for what isn't a row. */
export function readRow(json: string, line: string): NodeLog {
  const { message, ...row } = v.parse(Row, parseJson(json));
  return {
    ...row,
    message: typeof message === 'string' ? message : line.slice(line.length - message),
    input: undefined,
    output: undefined,
    exchange: undefined,
  };
}
