import type { NodeLog } from '../../domain/nodeLog.ts';
import { countMessageLines } from './logLines.ts';
import { sizeOfRow } from './rowSizes.ts';
import type { PlacedRow } from './runRows.ts';

/** A row in the memory of a feed. */
export interface HeldRow extends PlacedRow {
  /** The estimated size of the row. */
  bytes: number;
  /** The estimated size of the values that were cut from it. */
  cutBytes: number;
  /** How many lines its message has. */
  lines: number;
}

export function holdRow(row: NodeLog, position: number): HeldRow {
  const [bytes, lines] = [sizeOfRow(row), countMessageLines(row)];
  return { row, position, run: null, at: 0, bytes, cutBytes: 0, lines };
}
