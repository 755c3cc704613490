// Why: folds the rows of an execution into its node runs; a loop or a second attempt is a run of its own.
import type { NodeLogReading, RunError, Status } from '../../api/readings.ts';
import type { JsonValue } from '../../base/json.ts';

export interface NodeRun {
  /** Stable within the execution. */
  readonly key: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string | null;
  /** The turn of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
  readonly attempt: number;
  /** null: only plain lines so far. */
  readonly status: Status | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly error: RunError | null;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly logs: readonly NodeLogReading[];
}

/** Folds all rows, oldest first, into node runs in the order of their first row. Pure. */
export declare function foldNodeRuns(rows: readonly NodeLogReading[]): readonly NodeRun[];

/** Adds later rows; runs that no row touches keep their identity. Pure. */
export declare function addToNodeRuns(
  runs: readonly NodeRun[],
  rows: readonly NodeLogReading[],
): readonly NodeRun[];
