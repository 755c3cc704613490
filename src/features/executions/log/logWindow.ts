// Reads the part of a log that a view shows.
import type { LogFeed } from '../../../model/executions/logFeed.ts';
import {
  countLogLines,
  placeEntries,
  type PlacedEntry,
  readLogBlocks,
} from '../../../model/executions/wholeLog.ts';
import { shownMessage } from '../../../ui/words/renderLogLine.ts';
import {
  createTest,
  endBegin,
  isFiltered,
  type LogFilter,
  type LogView,
  type LogWindowPlace,
  windowLines,
} from './logView.ts';

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
  /** How many lines of the whole log pass the filter. */
  readonly passingLines: number;
}

/** A window with its entries, in order. */
export interface ReadWindow {
  readonly window: LogWindow;
  readonly entries: readonly PlacedEntry[];
}

/** The place of the lines after the window. The end shows the last ones that pass a filter, so it may leave out those in between. */
export function placeAfter({ filter, lineCount, hasLater, to }: LogWindow): LogWindowPlace {
  const isLast = isFiltered(filter) ? !hasLater : to >= endBegin(lineCount);
  return isLast ? { kind: 'end' } : { kind: 'from', line: to };
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

const endOf = ({ line, entry }: PlacedEntry): number => line + entry.lines;

/** Keeps no more of the message than is shown: it may have megabytes, and a window has thousands of them. */
function shorten(placed: PlacedEntry): PlacedEntry {
  const { row } = placed.entry;
  const message = shownMessage(row.message);
  if (message === row.message) return placed;
  return { ...placed, entry: { ...placed.entry, row: { ...row, message } } };
}

/** A message that goes on beyond the window's beginning or end is shown whole, in each window that has a line of it. */
async function readLines(feed: LogFeed, view: LogView, signal: AbortSignal): Promise<ReadWindow> {
  const lineCount = countLogLines(feed);
  const [first, end] = boundsOf(view, lineCount);
  const begin = Math.max(first, feed.archived?.goneLines ?? 0);
  const entries: PlacedEntry[] = [];
  for await (const block of readLogBlocks(feed, { line: begin }, signal)) {
    for (const placed of placeEntries(block))
      if (endOf(placed) > begin && placed.line < end) entries.push(shorten(placed));
    if (block.firstLine + block.lineCount >= end) break;
  }
  const last = entries.at(-1);
  const from = entries[0]?.line ?? begin;
  const to = last === undefined ? Math.min(end, lineCount) : endOf(last);
  const goneLines = feed.archived?.goneLines ?? 0;
  const window: LogWindow = {
    filter: view.filter,
    lineCount,
    goneLines,
    from,
    to,
    hasEarlier: from > goneLines,
    hasLater: to < lineCount,
    shownLines: countLines(entries),
    passingLines: lineCount,
  };
  return { window, entries };
}

interface Found {
  /** The first that pass from the view's place on, or the last ones before it, as the place asks. */
  readonly entries: readonly PlacedEntry[];
  /** How many lines of the rows so far pass before these entries and after them. */
  readonly before: number;
  readonly after: number;
}

/** The entries that pass a filter, found once in the rows that left memory, which don't change. */
export class FilteredLog {
  readonly #view: LogView;
  readonly #passes: ReturnType<typeof createTest>;
  #found: Found = { entries: [], before: 0, after: 0 };
  #nextRow = 0;

  constructor(view: LogView) {
    this.#view = view;
    this.#passes = createTest(view.filter);
  }

  async read(feed: LogFeed, signal: AbortSignal): Promise<ReadWindow> {
    const { place, filter } = this.#view;
    let found = this.#found;
    for await (const block of readLogBlocks(feed, { row: this.#nextRow }, signal)) {
      found = this.#add(
        found,
        placeEntries(block).filter(({ entry }) => this.#passes(entry)),
      );
      const end = block.firstRow + block.rowCount;
      if (end <= feed.leftCount) [this.#found, this.#nextRow] = [found, end];
    }
    const { entries, before, after } = found;
    const lineCount = countLogLines(feed);
    const placed = place.kind === 'end' ? lineCount : place.line;
    const [first, last] = [entries[0], entries.at(-1)];
    const shownLines = countLines(entries);
    const window: LogWindow = {
      filter,
      lineCount,
      goneLines: feed.archived?.goneLines ?? 0,
      from: first?.line ?? placed,
      to: last === undefined ? placed : endOf(last),
      hasEarlier: before > 0,
      hasLater: after > 0,
      shownLines,
      passingLines: before + shownLines + after,
    };
    return { window, entries };
  }

  /** Adds entries that pass to those before them. */
  #add(found: Found, passing: readonly PlacedEntry[]): Found {
    const { place } = this.#view;
    const isEarlier = ({ line }: PlacedEntry) => place.kind === 'from' && line < place.line;
    const isLater = ({ line }: PlacedEntry) => place.kind === 'before' && line >= place.line;
    const wanted = passing.filter((each) => !isEarlier(each) && !isLater(each)).map(shorten);
    const all = found.entries.concat(wanted);
    const surplus = Math.max(0, all.length - windowLines);
    const begin = place.kind === 'from' ? 0 : surplus;
    const entries = all.slice(begin, begin + windowLines);
    return {
      entries,
      before: found.before + countLines(passing.filter(isEarlier)) + countLines(all.slice(0, begin)),
      after: found.after + countLines(passing.filter(isLater)) + countLines(all.slice(begin + windowLines)),
    };
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
