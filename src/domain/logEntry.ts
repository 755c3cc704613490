import type { NodeLog } from './nodeLog.ts';

/** A row of a log, with what the log as a text needs to know of it. */
export interface LogEntry {
  /** Without input and output where it was kept in a file. */
  readonly row: NodeLog;
  /** How many lines it has in the text; 0 if the text leaves it out. */
  readonly lines: number;
  /** The key of its node run; null for a row of the execution itself. */
  readonly runKey: string | null;
  /** True if API keys in its texts are masked, since it was kept in a file. */
  readonly hasMaskedKeys?: boolean;
}

/** Successive rows of a log. Rows and lines are counted from 0, from the beginning of the whole log. */
export interface LogBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly firstLine: number;
  readonly lineCount: number;
  /** Empty if they are gone. */
  readonly entries: readonly LogEntry[];
}
