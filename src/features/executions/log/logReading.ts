// What commands do with a whole log: load it, search it, and write it as text.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { KeyMask } from '../../../base/secrets.ts';
import type { LogEntry } from '../../../domain/logEntry.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { joined } from '../../../editor/format.ts';
import { settings } from '../../../editor/settings.ts';
import { formats } from '../../../ui/words/formats.ts';
import { renderLogLine, renderWholeLogLine } from '../../../ui/words/renderLogLine.ts';
import type { App } from '../../../ui/app.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { readLogBlocks } from '../../../model/log/readLog.ts';
import { isShown } from './logView.ts';
import { renderGone } from './renderLog.ts';

type LoadingDeps = Pick<App, 'executions' | 'following'>;

/** A row with a text. */
export interface LogMatch {
  readonly position: number;
  /** The first of its lines with the text, and which of them it is, from 0. */
  readonly text: string;
  readonly line: number;
}

/** The feed stays the same until it's disposed of. */
export interface LoadedLog extends Disposable {
  readonly feed: LogFeed;
}

/** Loads the log of an execution, all of it if it has ended, and follows one that goes on. Rejects with a ServiceError. */
export async function loadLog(
  deps: LoadingDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<LoadedLog> {
  const kept = deps.executions.keepLogs(target);
  try {
    await load(deps, target, kept.feed, signal);
    return kept;
  } catch (error) {
    kept.dispose();
    throw error;
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

/** Yields the rows that contain the text, whatever the case, in the batches that they're read in. */
export async function* searchLog(
  feed: LogFeed,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<readonly LogMatch[], void, void> {
  const wanted = text.toLowerCase();
  for await (const block of readLogBlocks(feed, 0, signal)) {
    const matches = block.entries.flatMap((entry) => {
      const lines = renderLogLine('', entry.row).split('\n');
      const line = lines.findIndex((each) => each.toLowerCase().includes(wanted));
      const text = lines[line];
      return text === undefined || !isShown(entry, feed) ? [] : [{ position: entry.position, line, text }];
    });
    if (matches.length > 0) yield matches;
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
  let [first, before, last]: (LogMatch | undefined)[] = [];
  for await (const matches of searchLog(feed, text, signal)) {
    const after = matches.find((match) => match.position > position);
    before = matches.findLast((match) => match.position < position) ?? before;
    if (after !== undefined && direction === 'next') return after;
    if (after !== undefined && before !== undefined) return before;
    first ??= matches[0];
    last = matches.at(-1);
  }
  return direction === 'next' ? first : (before ?? last);
}

/** Returns the first entry that passes the test; undefined if there is none. */
export async function findEntry(
  feed: LogFeed,
  passes: (entry: LogEntry) => boolean,
  signal: AbortSignal,
): Promise<LogEntry | undefined> {
  for await (const block of readLogBlocks(feed, 0, signal)) {
    const found = block.entries.find((entry) => passes(entry) && isShown(entry, feed));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says what of a log is missing; '' for one that's whole. */
export function describeMissing({ archived, reading }: LogFeed): string {
  const gone = archived?.goneRows ?? 0;
  const ofBeginning =
    gone === 0
      ? undefined
      : vscode.l10n.t('The first {0} log lines are no longer kept on this machine.', formats.number(gone));
  const ofEnd =
    reading.kind === 'whole'
      ? undefined
      : reading.kind === 'part'
        ? vscode.l10n.t('Only part of the log was read.')
        : vscode.l10n.t('Still running; more lines may follow.');
  return joined([ofBeginning, ofEnd], ' ');
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
  let isGoneSaid = false;
  let hasMaskedKeys = false;
  const mask = new KeyMask(settings.keyPrefix());
  for await (const block of readLogBlocks(feed, 0, signal)) {
    const isGone = block.entries.length === 0 && block.rowCount > 0;
    if (isGone && !isGoneSaid) yield `${renderGone(feed.archived?.goneRows ?? block.rowCount)}\n`;
    isGoneSaid ||= isGone;
    const entries = block.entries.filter((entry) => isShown(entry, feed));
    const text = entries.map(({ row }) => `${mask.hide(renderWholeLogLine(row))}\n`).join('');
    hasMaskedKeys ||= entries.some((entry) => entry.hasMaskedKeys === true);
    yield text;
    written += text.split('\n').length - 1;
    onRead(block.firstRow + block.rowCount, written);
  }
  if (hasMaskedKeys || mask.hasMasked) yield `${vscode.l10n.t('... API keys in these lines are masked')}\n`;
}
