// What commands do with a whole log: load it, search it, and write it as text.
import * as vscode from 'vscode';
import { Slices } from '../../../base/slices.ts';
import { foldText } from '../../../domain/findText.ts';
import type { LogLine } from '../../../domain/logEntry.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { joined } from '../../../base/format.ts';
import { formats } from '../../../words/formats.ts';
import type { App } from '../../../ui/app.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { FeedReading, LogFeed } from '../../../model/log/logFeed.ts';
import type { LogSelection } from '../../../model/log/logTable.ts';
import { stepRows } from './logWindow.ts';
import { renderGone } from './renderLog.ts';

type LoadingDeps = Pick<App, 'executions' | 'following'>;

/** A row with a text. */
export interface LogMatch {
  readonly position: number;
  /** The first of its lines with the text, and which of them it is, from 0. */
  readonly text: string;
  readonly line: number;
}

/**
 * Works with the log of an execution, all of it if it has ended; follows one that goes on. The feed stays the same meanwhile. Rejects with a
 * ServiceError, and with what the work rejects with.
 */
export async function withLog<T>(
  deps: LoadingDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
  work: (feed: LogFeed) => Promise<T>,
): Promise<T> {
  const kept = deps.executions.keepLogs(target);
  try {
    await load(deps, target, kept.feed, signal);
    return await work(kept.feed);
  } finally {
    kept.dispose();
  }
}

async function load(
  { executions, following }: LoadingDeps,
  target: ExecutionTarget,
  feed: LogFeed,
  signal: AbortSignal,
): Promise<void> {
  const execution = await ifOffered(executions.get(target, signal));
  const isLive = execution?.status.isTerminal === false;
  if (feed.reading.kind === 'whole' || (isLive && following.isFollowing(target))) return;
  await following.readLog(target, signal);
  if (isLive) following.follow(target);
}

/** Yields where each step begins and ends, on the way from one position to another, forwards or backwards. Breaks so often that nothing is blocked. */
async function* steps(
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<readonly [begin: number, end: number], void, void> {
  const slices = new Slices(signal);
  const step = from <= to ? stepRows : -stepRows;
  for (let at = from; from <= to ? at < to : at > to; at += step) {
    signal.throwIfAborted();
    const next = from <= to ? Math.min(at + step, to) : Math.max(at + step, to);
    yield from <= to ? [at, next] : [next, at];
    if (slices.isOver) await slices.next();
  }
}

function toMatch({ position, text }: LogLine, wanted: string): LogMatch {
  const lines = text.split('\n');
  const line = lines.findIndex((each) => foldText(each).includes(foldText(wanted)));
  return { position, line: Math.max(0, line), text: lines[line] ?? text };
}

/** Yields the rows that contain the text, whatever the case, in the batches that they're read in. */
export async function* searchLog(
  feed: LogFeed,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<readonly LogMatch[], void, void> {
  for await (const [begin, end] of steps(0, feed.count, signal)) {
    const found = feed.lines(begin, end, { text });
    if (found.length > 0) yield found.map((line) => toMatch(line, text));
  }
}

/** Where a search goes on from a row. */
export type SearchDirection = 'next' | 'previous';

/** Returns the nearest row with the text before or after a position, from the other end of the log where there's none; undefined if no row has it. */
export async function findMatch(
  feed: LogFeed,
  {
    text,
    position,
    direction,
  }: { readonly text: string; readonly position: number; readonly direction: SearchDirection },
  signal: AbortSignal,
): Promise<LogMatch | undefined> {
  const { count } = feed;
  const ways =
    direction === 'next'
      ? [steps(Math.floor(position) + 1, count, signal), steps(0, Math.floor(position) + 1, signal)]
      : [
          steps(Math.max(0, Math.ceil(position)), 0, signal),
          steps(count, Math.max(0, Math.ceil(position)), signal),
        ];
  for (const way of ways)
    for await (const [begin, end] of way) {
      const found = feed.lines(begin, end, { text }).at(direction === 'next' ? 0 : -1);
      if (found !== undefined) return toMatch(found, text);
    }
  return undefined;
}

/** Returns the first of the selected lines that passes the test; undefined if there is none. */
export async function findLine(
  feed: LogFeed,
  selection: LogSelection,
  signal: AbortSignal,
  passes: (line: LogLine) => boolean = () => true,
): Promise<LogLine | undefined> {
  for await (const [begin, end] of steps(0, feed.count, signal)) {
    const found = feed.lines(begin, end, selection).find(passes);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says what of a log is missing; '' for one that's whole. `execution`: undefined where the service has no record of it. */
export function describeMissing(
  { goneRows, reading }: LogFeed,
  execution: Pick<Execution, 'status'> | undefined,
): string {
  const ofBeginning =
    goneRows === 0
      ? undefined
      : vscode.l10n.t(
          'The first {0} log lines are no longer kept on this machine.',
          formats.number(goneRows),
        );
  return joined([ofBeginning, describeMissingEnd(reading, execution)], ' ');
}

function describeMissingEnd(
  { kind }: FeedReading,
  execution: Pick<Execution, 'status'> | undefined,
): string | undefined {
  if (kind === 'whole') return undefined;
  if (kind === 'part' || kind === 'failed' || execution?.status.isTerminal === true)
    return vscode.l10n.t('Only part of the log was read.');
  return execution === undefined
    ? vscode.l10n.t('More lines may follow if the execution is still running.')
    : vscode.l10n.t('Still running; more lines may follow.');
}

/**
 * Yields the text of the log, long messages whole, with a mark where lines are gone. API keys are masked; the last line says so where there
 * were any. `onRead`: called with the number of rows that were read so far, and of lines that were written.
 */
export async function* writeLog(
  feed: LogFeed,
  onRead: (rows: number, writtenLines: number) => void,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  let written = 0;
  let hasMaskedKeys = false;
  const { count, goneRows } = feed;
  if (goneRows > 0) yield `${renderGone(goneRows)}\n`;
  for await (const [begin, end] of steps(goneRows, count, signal)) {
    const lines = feed.wholeLines(begin, end);
    const text = lines.map((line) => `${line.text}\n`).join('');
    hasMaskedKeys ||= lines.some((line) => line.hasMaskedKeys);
    yield text;
    written += text.split('\n').length - 1;
    onRead(end, written);
  }
  if (hasMaskedKeys) yield `${vscode.l10n.t('... API keys in these lines are masked')}\n`;
}
