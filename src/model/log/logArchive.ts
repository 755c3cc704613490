import type { Disposable } from '../../base/disposable.ts';
import type { LogBlock, LogEntry } from '../../domain/logEntry.ts';

/** The beginning of one execution's log, which is no longer in memory. Disposing of it deletes it. */
export interface ArchivedLog extends Disposable {
  /** How many rows were given, those that are gone included. */
  readonly rowCount: number;
  /** How many rows of the beginning are gone: removed to stay within the limit, or never written. */
  readonly goneRows: number;
  /** Adds rows at the end. They can be read at once. */
  append(entries: readonly LogEntry[]): void;
  /** Resolves when everything was written, or given up. Never rejects. */
  written(): Promise<void>;
  /** Returns the block with the row at this position; undefined after the end. Without entries if they are gone; never rejects otherwise. */
  read(position: number): Promise<LogBlock | undefined>;
}

/** Keeps what doesn't fit into memory. */
export interface LogArchive {
  /** Begins the log of an execution. `name` identifies the execution. */
  create(name: string): ArchivedLog;
}
