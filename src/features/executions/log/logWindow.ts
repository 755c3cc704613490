// Reads the part of a log that a view shows.
import { Slices } from '../../../base/slices.ts';
import { countBefore } from '../../../base/sorted.ts';
import type { LogFilter, LogLine } from '../../../domain/logEntry.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { endBegin, isFiltered, type LogView, type LogWindowPlace, windowRows } from './logView.ts';

/** How many rows are looked at without a break. */
export const stepRows = 1000;

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

/** A window with its lines, in order. */
export interface ReadWindow {
  readonly window: LogWindow;
  readonly lines: readonly LogLine[];
}

/** The place of the rows after the window. The end shows the last ones that match a filter, so it may leave out those in between. */
export function placeAfter({ filter, rowCount, hasLater, to }: LogWindow): LogWindowPlace {
  const isLast = isFiltered(filter) ? !hasLater : to >= endBegin(rowCount);
  return isLast ? { kind: 'end' } : { kind: 'from', position: to };
}

function boundsOf(place: LogWindowPlace, rowCount: number): readonly [from: number, to: number] {
  switch (place.kind) {
    case 'end':
      return [endBegin(rowCount), rowCount];
    case 'from':
      return [place.position, Math.min(place.position + windowRows, rowCount)];
    case 'before':
      return [Math.max(0, place.position - windowRows), place.position];
  }
}

/** `mostRows`: how many of the last rows are shown at the end of a log. */
function readRows(feed: LogFeed, { place, filter }: LogView, mostRows = Infinity): ReadWindow {
  const { count: rowCount, goneRows } = feed;
  const [begin, end] = boundsOf(place, rowCount);
  const first = place.kind === 'end' ? Math.max(begin, rowCount - mostRows) : begin;
  const from = Math.max(first, goneRows);
  const to = Math.max(from, end);
  const lines = feed.lines(from, to);
  const [hasEarlier, hasLater] = [from > goneRows, to < rowCount];
  const counts = { rowCount, goneRows, shownRows: lines.length, matchingRows: rowCount };
  return { window: { filter, from, to, hasEarlier, hasLater, ...counts }, lines };
}

/** The rows that match the filter of a view, looked for once in those that stay as they are. */
class FilteredRows {
  readonly #filter: LogFilter;
  #positions: number[] = [];
  /** Those of rows that are hidden once their node run says more. */
  #starts: readonly number[] = [];
  #next = 0;
  #revision: number | undefined;

  constructor(filter: LogFilter) {
    this.#filter = filter;
  }

  /** Returns their positions. */
  async find(feed: LogFeed, signal: AbortSignal): Promise<readonly number[]> {
    const slices = new Slices(signal);
    for (;;) {
      if (this.#revision !== feed.revision)
        [this.#positions, this.#starts, this.#next, this.#revision] = [[], [], 0, feed.revision];
      if (this.#next >= feed.count) break;
      const to = Math.min(this.#next + stepRows, feed.count);
      const found = feed.positions(this.#next, to, this.#filter);
      for (const { position } of found) this.#positions.push(position);
      const starts = found.filter(({ isBareStart }) => isBareStart);
      this.#starts = [...this.#starts, ...starts.map(({ position }) => position)];
      this.#next = to;
      if (slices.isOver) await slices.next();
    }
    this.#leaveOutHidden(feed);
    return this.#positions;
  }

  #leaveOutHidden(feed: LogFeed): void {
    const shown = new Set(feed.linesAt(this.#starts).map(({ position }) => position));
    const hidden = new Set(this.#starts.filter((position) => !shown.has(position)));
    if (hidden.size === 0) return;
    this.#starts = [...shown];
    this.#positions = this.#positions.filter((position) => !hidden.has(position));
  }
}

async function readMatching(
  feed: LogFeed,
  { place, filter }: LogView,
  rows: FilteredRows,
  signal: AbortSignal,
): Promise<ReadWindow> {
  const all = await rows.find(feed, signal);
  const { count: rowCount, goneRows } = feed;
  const placed = place.kind === 'end' ? rowCount : place.position;
  const split = countBefore(all, (position) => position < placed);
  const [begin, end] =
    place.kind === 'from' ? [split, split + windowRows] : [Math.max(0, split - windowRows), split];
  const shown = all.slice(begin, end);
  const last = shown.at(-1);
  const lines = feed.linesAt(shown);
  const window: LogWindow = {
    filter,
    rowCount,
    goneRows,
    from: shown[0] ?? placed,
    to: last === undefined ? placed : last + 1,
    hasEarlier: begin > 0,
    hasLater: end < all.length,
    shownRows: lines.length,
    matchingRows: all.length,
  };
  return { window, lines };
}

/** How many of the last rows are shown while they come faster than anybody reads: each reading makes a text of its own. */
const floodRows = 500;

/** Reads the windows of logs. */
export class LogWindows {
  readonly #filtered = new WeakMap<LogView, FilteredRows>();
  /** What was read of each log last, and how many rows it had. */
  readonly #last = new WeakMap<LogFeed, { readonly view: LogView; readonly rowCount: number }>();

  async read(feed: LogFeed, view: LogView, signal: AbortSignal): Promise<ReadWindow> {
    if (!isFiltered(view.filter))
      return readRows(feed, view, this.#isFlooded(feed, view) ? floodRows : Infinity);
    const rows = this.#filtered.get(view) ?? new FilteredRows(view.filter);
    this.#filtered.set(view, rows);
    return readMatching(feed, view, rows, signal);
  }

  /** True if more rows than a window has came since the same was read, and more may come. */
  #isFlooded(feed: LogFeed, view: LogView): boolean {
    const { count: rowCount, reading } = feed;
    const last = this.#last.get(feed);
    this.#last.set(feed, { view, rowCount });
    return last?.view === view && rowCount - last.rowCount > windowRows && reading.kind !== 'whole';
  }
}
