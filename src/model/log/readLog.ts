import type { LogBlock } from '../../domain/logEntry.ts';
import type { LogFeed } from './logFeed.ts';

async function readBlock(feed: LogFeed, position: number): Promise<LogBlock | undefined> {
  if (feed.archived !== undefined && position < feed.evictedCount) return feed.archived.read(position);
  const entries = feed.entries(position);
  return { firstRow: position, rowCount: entries.length, entries };
}

/** Leaves out the rows before the position: it may be in the midst of a block, where memory ended when it was read. */
function beginAt(block: LogBlock, position: number): LogBlock {
  const skipped = position - block.firstRow;
  if (skipped <= 0) return block;
  return { firstRow: position, rowCount: block.rowCount - skipped, entries: block.entries.slice(skipped) };
}

/**
 * Yields the log of an execution in blocks, first from the file that has its beginning, then from memory: from the row at a position on, up
 * to the row that is the last one now, since a live log may grow faster than it's read. What is gone is a block without entries. Rows that
 * leave memory meanwhile are neither missed nor doubled. Rejects with the signal's reason.
 */
export async function* readLogBlocks(
  feed: LogFeed,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LogBlock, void, void> {
  const { count } = feed;
  for (let position = from; position < count;) {
    signal.throwIfAborted();
    const block = await readBlock(feed, position);
    if (block === undefined) return;
    yield beginAt(block, position);
    position = block.firstRow + block.rowCount;
  }
}
