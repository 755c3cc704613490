// What of a log its document shows.
import { Emitter } from '../../../base/event.ts';
import type { LogEntry } from '../../../domain/logEntry.ts';
import { type LogLevel, logLevels, type NodeLog } from '../../../domain/nodeLog.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { renderLogLine, isBareStart } from '../../../ui/words/renderLogLine.ts';

/** Rows of a window. What follows the last whole window is shown together with it. */
export const windowRows = 2000;

/** "end": the last rows, growing. "from", "before": as many as a window has, from a position on or before it. */
export type LogWindowPlace =
  | { readonly kind: 'end' }
  | { readonly kind: 'from'; readonly position: number }
  | { readonly kind: 'before'; readonly position: number };

/** Shows the rows of this level and more severe ones, of this node, and with this text, whatever its case. null: all. */
export interface LogFilter {
  readonly level: LogLevel | null;
  readonly nodeId: string | null;
  readonly text: string | null;
}

export interface LogView {
  readonly place: LogWindowPlace;
  readonly filter: LogFilter;
}

export const wholeFilter: LogFilter = { level: null, nodeId: null, text: null };
const usualView: LogView = { place: { kind: 'end' }, filter: wholeFilter };

export function isFiltered({ level, nodeId, text }: LogFilter): boolean {
  return level !== null || nodeId !== null || text !== null;
}

/** Where the window at the end of a log begins: it grows by a whole window before its beginning moves. */
export function endBegin(rowCount: number): number {
  return Math.max(0, Math.floor(rowCount / windowRows) - 1) * windowRows;
}

/** The place of the window with the row at this position. */
export function placeOf(position: number, rowCount: number): LogWindowPlace {
  if (position >= endBegin(rowCount)) return { kind: 'end' };
  return { kind: 'from', position: position - (position % windowRows) };
}

/** False for a row that only says that its node run has started once the run says more, so that a short one is one line. */
export function isShown({ row, runKey }: LogEntry, feed: LogFeed): boolean {
  if (!isBareStart(row)) return true;
  const last = runKey === null ? undefined : feed.findNodeRun(runKey)?.logs.at(-1);
  return last?.key === row.key && isBareStart(last);
}

/** Returns the test that the filter's rows pass. */
export function createTest({ level, nodeId, text }: LogFilter): (entry: LogEntry) => boolean {
  const levels = logLevels.slice(level === null ? 0 : logLevels.indexOf(level));
  const wanted = text?.toLowerCase() ?? '';
  const hasText = (row: NodeLog) => wanted === '' || renderLogLine('', row).toLowerCase().includes(wanted);
  return ({ row }) =>
    levels.includes(row.level) && (nodeId === null || row.nodeId === nodeId) && hasText(row);
}

/** The views of the logs whose documents are open. */
export class LogViews {
  readonly #views = new Map<string, LogView>();
  readonly #changes = new Emitter<ExecutionTarget>();
  readonly onDidChange = this.#changes.event;

  get(target: ExecutionTarget): LogView {
    return this.#views.get(executionName(target)) ?? usualView;
  }

  set(target: ExecutionTarget, view: LogView): void {
    this.#views.set(executionName(target), view);
    this.#changes.fire(target);
  }

  forget(target: ExecutionTarget): void {
    this.#views.delete(executionName(target));
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
