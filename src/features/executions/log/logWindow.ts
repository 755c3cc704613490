// Reads the part of a log that a view shows.
import type { LogEntry } from '../../../domain/logEntry.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { readLogBlocks } from '../../../model/log/readLog.ts';
import { shownMessage } from '../../../ui/words/renderLogLine.ts';
import {
  createTest,
  endBegin,
  isFiltered,
  isShown,
  type LogFilter,
  type LogView,
  type LogWindowPlace,
  windowRows,
} from './logView.ts';

/** Which part of a log is shown, counted in rows, of which each is a line of the log or several. */
export interface LogWindow {
  readonly filter: LogFilter;
  /** The rows of the whole log, those that are gone included. */
  readonly rowCount: number;
  /** How many rows of the beginning are gone. */
  readonly goneRows: number;
  /** The position of the window's first row, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Whether there's more to show before and after it. */
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
  /** How many rows are shown. With a filter not all between the first and the last one. */
  readonly shownRows: number;
  /** How many rows of the whole log match the filter. */
  readonly matchingRows: number;
}

/** A window with its entries, in order. */
export interface ReadWindow {
  readonly window: LogWindow;
  readonly entries: readonly LogEntry[];
}

/** The place of the rows after the window. The end shows the last ones that match a filter, so it may leave out those in between. */
export function placeAfter({ filter, rowCount, hasLater, to }: LogWindow): LogWindowPlace {
  const isLast = isFiltered(filter) ? !hasLater : to >= endBegin(rowCount);
  return isLast ? { kind: 'end' } : { kind: 'from', position: to };
}

function boundsOf({ place }: LogView, rowCount: number): readonly [from: number, to: number] {
  switch (place.kind) {
    case 'end':
      return [endBegin(rowCount), rowCount];
    case 'from':
      return [place.position, Math.min(place.position + windowRows, rowCount)];
    case 'before':
      return [Math.max(0, place.position - windowRows), place.position];
  }
}

/** Keeps no more of the message than is shown: it may have megabytes, and a window has thousands of them. */
function shorten(entry: LogEntry): LogEntry {
  const { row } = entry;
  const message = shownMessage(row.message);
  return message === row.message ? entry : { ...entry, row: { ...row, message } };
}

const goneRowsOf = ({ archived }: LogFeed): number => archived?.goneRows ?? 0;

async function readRows(feed: LogFeed, view: LogView, signal: AbortSignal): Promise<ReadWindow> {
  const rowCount = feed.count;
  const [first, end] = boundsOf(view, rowCount);
  const entries: LogEntry[] = [];
  for await (const block of readLogBlocks(feed, Math.max(first, goneRowsOf(feed)), signal)) {
    for (const entry of block.entries)
      if (entry.position < end && isShown(entry, feed)) entries.push(shorten(entry));
    if (block.firstRow + block.rowCount >= end) break;
  }
  const goneRows = goneRowsOf(feed);
  const from = Math.max(first, goneRows);
  const to = Math.max(from, end);
  const window: LogWindow = {
    filter: view.filter,
    rowCount,
    goneRows,
    from,
    to,
    hasEarlier: from > goneRows,
    hasLater: to < rowCount,
    shownRows: entries.length,
    matchingRows: rowCount,
  };
  return { window, entries };
}

interface Found {
  /** The first that match from the view's place on, or the last ones before it, as the place asks. */
  readonly entries: readonly LogEntry[];
  /** How many of the rows so far match before these entries and after them. */
  readonly before: number;
  readonly after: number;
}

/** The entries that match a filter, found once in the rows that were evicted, which don't change. */
export class FilteredLog {
  readonly #view: LogView;
  readonly #matches: ReturnType<typeof createTest>;
  #found: Found = { entries: [], before: 0, after: 0 };
  #next = 0;

  constructor(view: LogView) {
    this.#view = view;
    this.#matches = createTest(view.filter);
  }

  async read(feed: LogFeed, signal: AbortSignal): Promise<ReadWindow> {
    const { place, filter } = this.#view;
    let found = this.#found;
    for await (const block of readLogBlocks(feed, this.#next, signal)) {
      found = this.#add(
        found,
        block.entries.filter((entry) => this.#matches(entry) && isShown(entry, feed)),
      );
      const end = block.firstRow + block.rowCount;
      if (end <= feed.evictedCount) [this.#found, this.#next] = [found, end];
    }
    const { entries, before, after } = found;
    const rowCount = feed.count;
    const placed = place.kind === 'end' ? rowCount : place.position;
    const last = entries.at(-1);
    const window: LogWindow = {
      filter,
      rowCount,
      goneRows: goneRowsOf(feed),
      from: entries[0]?.position ?? placed,
      to: last === undefined ? placed : last.position + 1,
      hasEarlier: before > 0,
      hasLater: after > 0,
      shownRows: entries.length,
      matchingRows: before + entries.length + after,
    };
    return { window, entries };
  }

  /** Adds entries that match to those before them. */
  #add(found: Found, matching: readonly LogEntry[]): Found {
    const { place } = this.#view;
    const isEarlier = ({ position }: LogEntry) => place.kind === 'from' && position < place.position;
    const isLater = ({ position }: LogEntry) => place.kind === 'before' && position >= place.position;
    const wanted = matching.filter((each) => !isEarlier(each) && !isLater(each)).map(shorten);
    const all = found.entries.concat(wanted);
    const begin = place.kind === 'from' ? 0 : Math.max(0, all.length - windowRows);
    const entries = all.slice(begin, begin + windowRows);
    return {
      entries,
      before: found.before + matching.filter(isEarlier).length + begin,
      after: found.after + matching.filter(isLater).length + all.length - begin - entries.length,
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
  return isFiltered(view.filter) ? filtered.read(feed, signal) : readRows(feed, view, signal);
}
