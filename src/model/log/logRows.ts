import type { NodeLog } from '../../domain/nodeLog.ts';
import { sizeOfRow, sizeOfText, truncateRow } from '../runs/rowSizes.ts';
import { HeldRow } from './heldRow.ts';

/**
 * The rows of a log that are in memory, each key once, ordered by sequence; rows without a sequence stay where they arrived. Knows how much
 * memory they take. The cost of a row doesn't grow with the number of rows.
 */
export class LogRows {
  // Lists are made anew when rows are evicted: in one that stays, all rows would live until the engine's next full collection.
  #held: HeldRow[] = [];
  #byKey = new Map<string, HeldRow>();
  /** How many rows were evicted, which is the position of the first row in memory. */
  #evicted = 0;
  #bytes = 0;
  #textBytes = 0;
  #truncatedBytes = 0;
  #truncatedRows = 0;
  /** Rows before this position contain nothing to truncate. */
  #truncatedUpTo = 0;
  #lastSequence: number | undefined;
  /** The position after the last row without a sequence, and after all that were evicted. From here on, rows are in order. */
  #orderedFrom = 0;

  get held(): readonly HeldRow[] {
    return this.#held;
  }

  /** How many rows there are, evicted or not. */
  get count(): number {
    return this.#evicted + this.#held.length;
  }

  get evictedCount(): number {
    return this.#evicted;
  }

  /** The estimated size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The estimated size without values. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** The estimated size of what was truncated. */
  get truncatedBytes(): number {
    return this.#truncatedBytes;
  }

  get isTruncated(): boolean {
    return this.#truncatedRows > 0;
  }

  /** The highest sequence so far; undefined when there is none. */
  get lastSequence(): number | undefined {
    return this.#lastSequence;
  }

  find(key: string): HeldRow | undefined {
    return this.#byKey.get(key);
  }

  /** Adds a row at the end; `order` moves it to its place. */
  push(row: NodeLog): HeldRow {
    const held = new HeldRow(row, this.count);
    this.#held.push(held);
    this.#byKey.set(row.key, held);
    this.#bytes += held.bytes;
    this.#textBytes += sizeOfText(row);
    return held;
  }

  /** Counts another row in the place of one with the same key, and returns the one that was there. */
  replace(held: HeldRow, row: NodeLog): void {
    const bytes = sizeOfRow(row);
    this.#bytes += bytes - held.bytes;
    this.#textBytes += sizeOfText(row) - sizeOfText(held.row);
    if (held.truncatedBytes > 0) this.#truncatedRows -= 1;
    this.#truncatedBytes -= held.truncatedBytes;
    held.bytes = bytes;
    held.truncatedBytes = 0;
    this.#truncatedUpTo = Math.min(this.#truncatedUpTo, held.position);
    if (row.sequence !== null) this.#noteSequence(row.sequence);
  }

  /** Moves the rows from the position `start` on to their places; the rows before it are already in order. */
  order(start: number): void {
    let begin = start;
    let highest = start > this.#orderedFrom ? (this.#sequenceAt(start - 1) ?? -Infinity) : -Infinity;
    let lowestLate = Infinity;
    for (let at = start; at < this.count; at += 1) {
      const sequence = this.#sequenceAt(at);
      if (sequence === null) {
        this.#sort(begin, at, lowestLate);
        begin = at + 1;
        this.#orderedFrom = begin;
        [highest, lowestLate] = [-Infinity, Infinity];
        continue;
      }
      this.#noteSequence(sequence);
      if (sequence < highest) lowestLate = Math.min(lowestLate, sequence);
      highest = Math.max(highest, sequence);
    }
    this.#sort(begin, this.count, lowestLate);
  }

  /** Removes the first rows until the text of the others takes at most this many bytes, and returns them. */
  evict(textBytes: number): readonly HeldRow[] {
    let count = 0;
    for (let bytes = this.#textBytes; bytes > textBytes && count < this.#held.length; count += 1) {
      const held = this.#held[count];
      if (held !== undefined) bytes -= sizeOfText(held.row);
    }
    const evicted = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    this.#byKey = new Map(this.#held.map((held) => [held.row.key, held]));
    for (const { row, bytes, truncatedBytes } of evicted) {
      this.#textBytes -= sizeOfText(row);
      this.#bytes -= bytes;
      this.#truncatedBytes -= truncatedBytes;
      if (truncatedBytes > 0) this.#truncatedRows -= 1;
    }
    this.#evicted += count;
    this.#orderedFrom = Math.max(this.#orderedFrom, this.#evicted);
    this.#truncatedUpTo = Math.max(this.#truncatedUpTo, this.#evicted);
    return evicted;
  }

  /** Truncates values of the oldest rows until those in memory are smaller by this many bytes. `onTruncate` is called with each row that was truncated. */
  truncate(bytes: number, onTruncate: (held: HeldRow, row: NodeLog) => void): void {
    const wanted = this.#bytes - bytes;
    for (; this.#bytes > wanted && this.#truncatedUpTo < this.count; this.#truncatedUpTo += 1) {
      const held = this.#held[this.#truncatedUpTo - this.#evicted];
      if (held === undefined) continue;
      const kept = truncateRow(held.row);
      if (kept === held.row) continue;
      const saved = held.bytes - sizeOfRow(kept);
      if (held.truncatedBytes === 0) this.#truncatedRows += 1;
      held.truncatedBytes += saved;
      held.bytes -= saved;
      this.#truncatedBytes += saved;
      this.#bytes -= saved;
      onTruncate(held, kept);
    }
  }

  #noteSequence(sequence: number): void {
    this.#lastSequence = Math.max(this.#lastSequence ?? sequence, sequence);
  }

  /** The sequence of the row at a position; null also for one that was evicted. */
  #sequenceAt(position: number): number | null {
    return this.#held[position - this.#evicted]?.row.sequence ?? null;
  }

  /** Sorts the rows from `begin` up to `end` into the rows in front of them; does nothing when none is late. */
  #sort(begin: number, end: number, lowestLate: number): void {
    if (lowestLate === Infinity) return;
    let from = begin;
    while (from > this.#orderedFrom && (this.#sequenceAt(from - 1) ?? -Infinity) > lowestLate) from -= 1;
    const first = from - this.#evicted;
    const sorted = this.#held.slice(first, end - this.#evicted);
    sorted.sort((one, other) => bySequence(one.row, other.row));
    for (const [index, held] of sorted.entries()) {
      this.#held[first + index] = held;
      held.position = from + index;
    }
    this.#truncatedUpTo = Math.min(this.#truncatedUpTo, from);
  }
}

function bySequence(left: NodeLog, right: NodeLog): number {
  return (left.sequence ?? 0) - (right.sequence ?? 0);
}

/** Sorted by sequence if every row has one; otherwise in the order of arrival. */
export function inOrder(rows: readonly NodeLog[]): readonly NodeLog[] {
  return rows.some(({ sequence }) => sequence === null) ? rows : rows.toSorted(bySequence);
}
