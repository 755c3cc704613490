import type { LogEntry } from '../../domain/logEntry.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { sizeOfRow } from '../runs/rowSizes.ts';
import type { PlacedRow, RunRows } from '../runs/runRows.ts';

/** A row in the memory of a feed. */
export class HeldRow implements PlacedRow {
  row: NodeLog;
  position: number;
  run: RunRows | null = null;
  at = 0;
  /** The estimated size of the row. */
  bytes: number;
  /** The estimated size of the values that were truncated in it. */
  truncatedBytes = 0;

  constructor(row: NodeLog, position: number) {
    this.row = row;
    this.position = position;
    this.bytes = sizeOfRow(row);
  }

  /** `row`: the row as the entry has it. */
  toEntry(row = this.row): LogEntry {
    return { row, position: this.position, runKey: this.run?.key ?? null };
  }
}
