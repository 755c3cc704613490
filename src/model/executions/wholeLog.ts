// Reads the whole log of an execution, row after row, from the file that has its beginning and from memory, which has the rest.
import type { LogBlock, LogEntry } from '../../domain/logEntry.ts';
import type { LogPlace } from './logArchive.ts';
import type { LogFeed } from './logFeed.ts';

/** An entry that has lines, with the index of its first line. */
export interface PlacedEntry {
  readonly entry: LogEntry;
  readonly line: number;
}

function linesOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { lines }) => sum + lines, 0);
}

/** How many lines the log has, those that are gone included. Costs as much as there are rows in memory. */
export function countLogLines(feed: LogFeed): number {
  return (feed.archived?.lineCount ?? 0) + linesOf(feed.entries());
}

/** Returns the rows in memory; undefined if none of them has the place. */
function blockInMemory(feed: LogFeed, place: LogPlace): LogBlock | undefined {
  const entries = feed.entries();
  const [firstRow, firstLine] = [feed.leftCount, feed.archived?.lineCount ?? 0];
  const [rowCount, lineCount] = [entries.length, linesOf(entries)];
  const hasPlace = 'row' in place ? place.row < firstRow + rowCount : place.line < firstLine + lineCount;
  return hasPlace ? { firstRow, rowCount, firstLine, lineCount, entries } : undefined;
}

/** Leaves out the rows before the place if it's a row: it may be in the midst of a block, where memory ended when it was read. */
function beginAt(block: LogBlock, place: LogPlace): LogBlock {
  const skipped = 'row' in place ? place.row - block.firstRow : 0;
  if (skipped <= 0 || block.entries.length === 0) return block;
  const lines = linesOf(block.entries.slice(0, skipped));
  return {
    firstRow: block.firstRow + skipped,
    rowCount: block.rowCount - skipped,
    firstLine: block.firstLine + lines,
    lineCount: block.lineCount - lines,
    entries: block.entries.slice(skipped),
  };
}

async function readBlock(feed: LogFeed, place: LogPlace): Promise<LogBlock | undefined> {
  const { archived } = feed;
  const isArchived =
    archived !== undefined &&
    ('row' in place ? place.row < archived.rowCount : place.line < archived.lineCount);
  const block = isArchived ? await archived.read(place) : blockInMemory(feed, place);
  return block && beginAt(block, place);
}

/**
 * Yields the log in blocks from the one with the place on, up to the one with the row that is the last one now: a live log may grow faster
 * than it's read. What is gone is a block without entries. Rows that leave memory meanwhile are neither missed nor doubled. Rejects with
 * the signal's reason.
 */
export async function* readLogBlocks(
  feed: LogFeed,
  from: LogPlace,
  signal: AbortSignal,
): AsyncGenerator<LogBlock, void, void> {
  const { count } = feed;
  let place = from;
  for (;;) {
    signal.throwIfAborted();
    const block = await readBlock(feed, place);
    if (block === undefined) return;
    yield block;
    const row = block.firstRow + block.rowCount;
    if (row >= count) return;
    place = { row };
  }
}

/** The entries of a block that have lines, with their places. */
export function placeEntries({ firstLine, entries }: LogBlock): readonly PlacedEntry[] {
  let line = firstLine;
  const placed: PlacedEntry[] = [];
  for (const entry of entries) {
    if (entry.lines > 0) placed.push({ entry, line });
    line += entry.lines;
  }
  return placed;
}
