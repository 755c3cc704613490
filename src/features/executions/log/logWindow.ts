// Reads the part of a log that a view shows.
import type { LogFeed } from '../../../model/executions/logFeed.ts';
import {
  countLogLines,
  placeEntries,
  type PlacedEntry,
  readLogBlocks,
} from '../../../model/executions/wholeLog.ts';
import { createTest, endBegin, isFiltered, type LogFilter, type LogView, windowLines } from './logView.ts';

/** Which part of a log is shown. Lines count from 0, from the beginning of the whole log. */
export interface LogWindow {
  readonly filter: LogFilter;
  /** The lines of the whole log, those that are gone included. */
  readonly lineCount: number;
  /** How many lines of the beginning are gone. */
  readonly goneLines: number;
  /** The first line of the window, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Whether there's more to show before and after it. */
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
  /** How many lines are shown. With a filter not all between the first and the last one. */
  readonly shownLines: number;
}

/** A window with its entries, in order. */
export interface ReadWindow {
  readonly window: LogWindow;
  readonly entries: readonly PlacedEntry[];
}

function boundsOf({ place }: LogView, lineCount: number): readonly [from: number, to: number] {
  switch (place.kind) {
    case 'end':
      return [endBegin(lineCount), lineCount];
    case 'from':
      return [place.line, place.line + windowLines];
    case 'before':
      return [Math.max(0, place.line - windowLines), place.line];
  }
}

const countLines = (entries: readonly PlacedEntry[]): number =>
  entries.reduce((sum, { entry }) => sum + entry.lines, 0);

async function readLines(feed: LogFeed, view: LogView, signal: AbortSignal): Promise<ReadWindow> {
  const lineCount = countLogLines(feed);
  const [first, end] = boundsOf(view, lineCount);
  const goneLines = feed.archived?.goneLines ?? 0;
  const from = Math.max(first, goneLines);
  const entries: PlacedEntry[] = [];
  for await (const block of readLogBlocks(feed, { line: from }, signal)) {
    for (const placed of placeEntries(block))
      if (placed.line >= from && placed.line < end) entries.push(placed);
    if (block.firstLine + block.lineCount >= end) break;
  }
  const last = entries.at(-1);
  const to = last === undefined ? Math.min(end, lineCount) : last.line + last.entry.lines;
  const window: LogWindow = {
    filter: view.filter,
    lineCount,
    goneLines: feed.archived?.goneLines ?? 0,
    from: entries[0]?.line ?? from,
    to,
    hasEarlier: from > goneLines,
    hasLater: to < lineCount,
    shownLines: countLines(entries),
  };
  return { window, entries };
}

/** The entries that pass a filter, found once in the rows that left memory, which don't change. */
export class FilteredLog {
  readonly #view: LogView;
  readonly #passes: ReturnType<typeof createTest>;
  /** The first of them, or the last ones, as the view's place asks. */
  #found: PlacedEntry[] = [];
  #hasMore = false;
  #nextRow = 0;

  constructor(view: LogView) {
    this.#view = view;
    this.#passes = createTest(view.filter);
  }

  isOf(view: LogView): boolean {
    return this.#view === view;
  }

  async read(feed: LogFeed, signal: AbortSignal): Promise<ReadWindow> {
    const { place, filter } = this.#view;
    let found = this.#found;
    let hasMore = this.#hasMore;
    for await (const block of readLogBlocks(feed, { row: this.#nextRow }, signal)) {
      const passing = placeEntries(block).filter(
        ({ entry, line }) => this.#isWanted(line) && this.#passes(entry),
      );
      ({ found, hasMore } = this.#add(found, passing, hasMore));
      const end = block.firstRow + block.rowCount;
      if (end > feed.leftCount) continue;
      [this.#found, this.#hasMore, this.#nextRow] = [found, hasMore, end];
    }
    const lineCount = countLogLines(feed);
    const goneLines = feed.archived?.goneLines ?? 0;
    const isFrom = place.kind === 'from';
    const [first, last] = [found[0], found.at(-1)];
    const window: LogWindow = {
      filter,
      lineCount,
      goneLines,
      from: first?.line ?? (isFrom ? place.line : 0),
      to: last === undefined ? lineCount : last.line + last.entry.lines,
      hasEarlier: isFrom ? place.line > 0 : hasMore,
      hasLater: isFrom ? hasMore : place.kind === 'before',
      shownLines: countLines(found),
    };
    return { window, entries: found };
  }

  #isWanted(line: number): boolean {
    const { place } = this.#view;
    if (place.kind === 'end') return true;
    return place.kind === 'from' ? line >= place.line : line < place.line;
  }

  #add(found: PlacedEntry[], passing: readonly PlacedEntry[], hasMore: boolean) {
    const all = found.concat(passing);
    if (all.length <= windowLines) return { found: all, hasMore };
    const kept = this.#view.place.kind === 'from' ? all.slice(0, windowLines) : all.slice(-windowLines);
    return { found: kept, hasMore: true };
  }
}

/** Reads what the view shows. `filtered`: what was found before for the same view. */
export function readLogWindow(
  feed: LogFeed,
  view: LogView,
  filtered: FilteredLog,
  signal: AbortSignal,
): Promise<ReadWindow> {
  return isFiltered(view.filter) ? filtered.read(feed, signal) : readLines(feed, view, signal);
}
