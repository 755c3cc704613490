import type { NodeLog } from './nodeLog.ts';

/** A row in its log. */
export interface LogEntry {
  /** Without input and output where it was kept in a file. */
  readonly row: NodeLog;
  /** Its index among all rows of the log. */
  readonly position: number;
  /** The key of its node run; null for a row of the execution itself. */
  readonly runKey: string | null;
  /** True if API keys in its texts are masked, since it was kept in a file. */
  readonly hasMaskedKeys?: boolean;
}

/** Successive rows of a log. */
export interface LogBlock {
  /** The position of the first row. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Empty if they are gone. */
  readonly entries: readonly LogEntry[];
}
