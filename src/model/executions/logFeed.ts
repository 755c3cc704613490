// Why: the rows of one execution, each once, in order, however often a stream repeats them.
import type { NodeLogReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Observable } from '../../base/observable.ts';
import type { NodeRun } from './nodeRuns.ts';

export interface LogFeed extends Disposable {
  /** By sequence; rows without one stay where they came. */
  readonly rows: readonly NodeLogReading[];
  /** Rows that were not there before, in order, each announced exactly once. */
  readonly onDidAppend: Event<readonly NodeLogReading[]>;
  /** The rows folded; unchanged runs keep their identity. */
  readonly nodeRuns: Observable<readonly NodeRun[]>;
  /** The highest sequence so far; undefined when there is none. */
  readonly lastSequence: number | undefined;
  /** Takes rows over; one with a known key replaces the earlier one. */
  add(rows: readonly NodeLogReading[]): void;
}

export declare function createLogFeed(): LogFeed;
