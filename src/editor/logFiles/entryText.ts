// One row of a log as a line of JSON. What is read back is checked like anything that comes from outside.
import * as v from 'valibot';
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
});

const Entry = v.object({ lines: v.number(), run: nullableText, row: Row });

const told = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);
const toldText = (text: string): string | undefined => told(text.slice(0, maximumName), '');

/** Members that a row doesn't have are left out, since most rows lack most of them. */
function plainRow(row: NodeLog) {
  const { error, iteration } = row;
  return {
    key: row.key.slice(0, maximumName),
    sequence: row.sequence ?? undefined,
    nodeId: toldText(row.nodeId),
    nodeName: toldText(row.nodeName),
    nodeType: row.nodeType ?? undefined,
    iteration: iteration.length > 0 ? iteration : undefined,
    attempt: told(row.attempt, 1),
    level: told(row.level, 'info'),
    // Whole, since a saved log has it whole. An answer of a service is bounded, and so is this.
    message: row.message,
    status: row.status ?? undefined,
    error: error === null ? undefined : { ...error, message: error.message.slice(0, maximumReason) },
    timestamp: row.timestamp?.getTime(),
    startedAt: row.startedAt?.getTime(),
    completedAt: row.completedAt?.getTime(),
    durationMs: row.durationMs ?? undefined,
  };
}

/** Returns the entry as one line with its line feed. Values are left out: node runs have them. */
export function writeEntry({ row, lines, runKey }: LogEntry): string {
  return `${JSON.stringify({ lines, run: runKey, row: plainRow(row) })}\n`;
}

/** Returns undefined if the line is no entry. */
export function readEntry(line: string): LogEntry | undefined {
  try {
    const { lines, run, row } = v.parse(Entry, JSON.parse(line));
    return { lines, runKey: run, row: { ...row, input: undefined, output: undefined } };
  } catch {
    return undefined;
  }
}
