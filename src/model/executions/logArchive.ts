import type { Disposable } from '../../base/disposable.ts';
import type { LogBlock, LogEntry } from '../../domain/logEntry.ts';

/** Where a place in a log is: the row with this index, or the row that has this line. */
export type LogPlace = { readonly row: number } | { readonly line: number };

/** The beginning of one execution's log, which is no longer in memory. Disposing of it deletes it. */
export interface ArchivedLog extends Disposable {
  /** How many rows and lines were given, those that are gone included. */
  readonly rowCount: number;
  readonly lineCount: number;
  /** How many lines of the beginning are gone: removed to stay within the limit, or never written. */
  readonly goneLines: number;
  /** Adds rows at the end. They can be read at once. */
  append(entries: readonly LogEntry[]): void;
  /** Resolves when everything was written, or given up. Never rejects. */
  written(): Promise<void>;
  /** Returns the block with the place; undefined after the end. Without entries if they are gone; never rejects otherwise. */
  read(place: LogPlace): Promise<LogBlock | undefined>;
}

/** Keeps what doesn't fit into memory. */
export interface LogArchive {
  /** Begins the log of an execution. `name` identifies the execution. */
  create(name: string): ArchivedLog;
}
