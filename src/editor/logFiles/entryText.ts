// One row of a log as a line of JSON. What is read back is checked like anything that comes from outside.
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { type Hide, KeyMask } from '../../base/secrets.ts';
import type { LogEntry } from '../../domain/logEntry.ts';
import { type LogLevel, logLevels, type NodeLog } from '../../domain/nodeLog.ts';
import { nodeStatuses, type RunState } from '../../domain/status.ts';

/** In UTF-16 units. No more of an error's message is ever shown. */
const maximumReason = 16 * 1024;
const maximumName = 1000;

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
  message: text,
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

const Entry = v.object({
  run: nullableText,
  masked: v.optional(v.boolean()),
  row: Row,
});

const noValues = { input: undefined, output: undefined, exchange: undefined };

const unlessUsual = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);

/**
 * Members that a row doesn't have are left out, since most rows lack most of them. Keys are masked before a text is truncated, because a key
 * that was truncated may not be recognized.
 */
function plainRow(row: NodeLog, hide: Hide) {
  const { error, iteration, status } = row;
  const name = (text: string): string => hide(text).slice(0, maximumName);
  const unlessEmpty = (text: string): string | undefined => unlessUsual(name(text), '');
  return {
    key: name(row.key),
    sequence: row.sequence ?? undefined,
    nodeId: unlessEmpty(row.nodeId),
    nodeName: unlessEmpty(row.nodeName),
    nodeType: row.nodeType === null ? undefined : hide(row.nodeType),
    iteration: iteration.length > 0 ? iteration : undefined,
    attempt: unlessUsual(row.attempt, 1),
    level: unlessUsual(row.level, 'info'),
    // Whole, since a saved log has it whole. A response of a service is bounded, and so is this.
    message: hide(row.message),
    status: status === null ? undefined : { ...status, word: hide(status.word) },
    error: error === null ? undefined : plainError(error, hide),
    timestamp: row.timestamp?.getTime(),
    startedAt: row.startedAt?.getTime(),
    completedAt: row.completedAt?.getTime(),
    durationMs: row.durationMs ?? undefined,
    reusedFrom: row.reusedFrom === null ? undefined : hide(row.reusedFrom),
    isPinned: unlessUsual(row.isPinned, false),
    isAnswered: unlessUsual(row.isAnswered, false),
    children: row.children.length > 0 ? row.children.map(hide) : undefined,
  };
}

function plainError({ code, message, nodeId }: NonNullable<NodeLog['error']>, hide: Hide) {
  return {
    code: code === null ? null : hide(code),
    message: hide(message).slice(0, maximumReason),
    nodeId: nodeId === null ? null : hide(nodeId),
  };
}

/** Returns the entry as one line with its line feed, its keys masked. Values are left out: node runs have them. */
export function writeEntry({ row, runKey }: LogEntry, keyPrefix: string): string {
  const mask = new KeyMask(keyPrefix);
  const run = runKey === null ? null : mask.hide(runKey);
  const plain = plainRow(row, mask.hide);
  const masked = mask.hasMasked ? true : undefined;
  return `${stringifyJson({ run, masked, row: plain })}\n`;
}

/** `position`: the row's index in its log. Returns undefined if the line is no entry. */
export function readEntry(line: string, position: number): LogEntry | undefined {
  try {
    const { run, masked, row } = v.parse(Entry, parseJson(line));
    const entry = { position, runKey: run, row: { ...row, ...noValues } };
    return masked === true ? { ...entry, hasMaskedKeys: true } : entry;
  } catch {
    return undefined;
  }
}
