import type { LogEntry } from '../../domain/logEntry.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { countMessageLines } from './logLines.ts';
import { sizeOfRow } from '../runs/rowSizes.ts';
import type { PlacedRow, RunRows } from '../runs/runRows.ts';

// Classes, since V8 allocates literals of which many survive as long-lived objects, and what these refer to then lives as long.

/** A row in the memory of a feed. */
export class HeldRow implements PlacedRow {
  row: NodeLog;
  position: number;
  run: RunRows | null = null;
  at = 0;
  /** The estimated size of the row. */
  bytes: number;
  /** The estimated size of the values that were cut from it. */
  cutBytes = 0;
  /** How many lines its message has. */
  lines: number;

  constructor(row: NodeLog, position: number) {
    this.row = row;
    this.position = position;
    this.bytes = sizeOfRow(row);
    this.lines = countMessageLines(row);
  }
}

/** An entry of a row in memory. */
export class HeldEntry implements LogEntry {
  readonly row: NodeLog;
  readonly lines: number;
  readonly runKey: string | null;

  constructor(row: NodeLog, lines: number, runKey: string | null) {
    this.row = row;
    this.lines = lines;
    this.runKey = runKey;
  }
}

/** Returns a new map with those that belong to the rows. */
export function onlyThose(
  held: ReadonlyMap<string, HeldRow>,
  rows: readonly NodeLog[],
): Map<string, HeldRow> {
  const those = new Map<string, HeldRow>();
  for (const { key } of rows) {
    const row = held.get(key);
    if (row !== undefined) those.set(key, row);
  }
  return those;
}
