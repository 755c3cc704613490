// What of a log its document shows.
import { Emitter } from '../../../base/event.ts';
import type { LogFilter } from '../../../domain/logEntry.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';

/** Rows of a window. What follows the last whole window is shown together with it. */
export const windowRows = 2000;

/** "end": the last rows, growing. "from", "before": as many as a window has, from a position on or before it. */
export type LogWindowPlace =
  | { readonly kind: 'end' }
  | { readonly kind: 'from'; readonly position: number }
  | { readonly kind: 'before'; readonly position: number };

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
  return position >= endBegin(rowCount) ? { kind: 'end' } : windowAt(position);
}

/** The same for a window that stays where it is. */
export function windowAt(position: number): Extract<LogWindowPlace, { readonly kind: 'from' }> {
  return { kind: 'from', position: position - (position % windowRows) };
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
