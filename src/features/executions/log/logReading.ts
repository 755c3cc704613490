// What commands do with a whole log: load it, search it, and write it as text.
import { abortReason } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { LogEntry } from '../../../domain/logEntry.ts';
import { ifTold } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { renderLogLine, renderWholeLogLine } from '../../../ui/words/renderLogLine.ts';
import type { App } from '../../../ui/app.ts';
import type { LogFeed } from '../../../model/executions/logFeed.ts';
import { placeEntries, type PlacedEntry, readLogBlocks } from '../../../model/executions/wholeLog.ts';

type LoadingDeps = Pick<App, 'executions' | 'following'>;

/** One line of a log. */
export interface LogMatch {
  /** From 0. */
  readonly line: number;
  readonly text: string;
}

/** The feed stays the same until it's disposed of. */
export interface LoadedLog extends Disposable {
  readonly feed: LogFeed;
}

/** Loads all of the log of an execution that has ended, and follows one that goes on. Rejects with a ServiceError. */
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
  const execution = await ifTold(executions.get(target, signal));
  if (execution?.status.isTerminal === false) {
    following.follow(target);
    return;
  }
  if (feed.reading.kind === 'whole') return;
  await executions.readLogs(target, signal);
  if (feed.reading.kind !== 'part') return;
  const follow = following.follow(target);
  const state = await Promise.race([follow.done, aborted(signal)]);
  if (state.kind === 'failed') throw state.error;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
  });
}

/** Yields the lines that contain the text, whatever the case, in the batches that they're read in. */
export async function* searchLog(
  feed: LogFeed,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<readonly LogMatch[], void, void> {
  const wanted = text.toLowerCase();
  for await (const block of readLogBlocks(feed, { row: 0 }, signal)) {
    const matches = placeEntries(block).flatMap(({ entry, line }) =>
      renderLogLine('', entry.row)
        .split('\n')
        .map((shown, at) => ({ line: line + at, text: shown }))
        .filter((each) => each.text.toLowerCase().includes(wanted)),
    );
    if (matches.length > 0) yield matches;
  }
}

/** Returns the first entry that passes the test; undefined if there is none. */
export async function findEntry(
  feed: LogFeed,
  passes: (entry: LogEntry) => boolean,
  signal: AbortSignal,
): Promise<PlacedEntry | undefined> {
  for await (const block of readLogBlocks(feed, { row: 0 }, signal)) {
    const found = placeEntries(block).find(({ entry }) => passes(entry));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Yields the text of the whole log, long messages whole. `onRead`: called with the number of lines so far, as the log counts them and as
 * they're written.
 */
export async function* writeLog(
  feed: LogFeed,
  onRead: (lines: number, writtenLines: number) => void,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  let written = 0;
  for await (const block of readLogBlocks(feed, { row: 0 }, signal)) {
    const text = placeEntries(block)
      .map(({ entry }) => `${renderWholeLogLine(entry.row)}\n`)
      .join('');
    yield text;
    written += text.split('\n').length - 1;
    onRead(block.firstLine + block.lineCount, written);
  }
}
