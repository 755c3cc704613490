import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServiceError } from '../../domain/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { NodeRuns } from './nodeRuns.ts';
import type { PlacedRow } from './runRows.ts';
import { RunTree } from './runTree.ts';

/** How much of a feed was read. "begun": rows up to some moment. "whole": all rows of an execution that has ended. */
export type FeedReading =
  { readonly kind: 'never' | 'begun' | 'whole' } | { readonly kind: 'failed'; readonly error: ServiceError };

interface HeldRow extends PlacedRow {
  /** The estimated size of the row. */
  bytes: number;
  /** The estimated size of the values that were cut from it. */
  cutBytes: number;
}

/** In bytes. Cutting smaller values saves too little. */
const leastCut = 1024;
/** The size of a row without its message and values, and of the node run made from it. */
const rowBytes = 600;

/**
 * The rows of one execution, in order. Removes duplicates: a service may repeat rows after a drop, and lists are read again, but each
 * key is held and announced once. The cost of a row doesn't grow with the number of rows.
 */
export class LogFeed implements Disposable {
  readonly #rows: NodeLog[] = [];
  /** The same rows, by their keys. */
  readonly #held = new Map<string, HeldRow>();
  readonly #appends = new Emitter<readonly NodeLog[]>();
  readonly #nodeRuns = new NodeRuns();
  readonly #runTree = new RunTree();
  readonly #onDidChange: (grownBytes: number) => void;
  readonly onDidAppend: Event<readonly NodeLog[]> = this.#appends.event;
  #bytes = 0;
  #cutBytes = 0;
  #cutRows = 0;
  /** Rows before this index contain nothing to cut. */
  #cutUpTo = 0;
  #lastSequence: number | undefined;
  /** Set by whoever reads it. */
  reading: FeedReading = { kind: 'never' };
  /** The index after the last row without a sequence. From here on, rows are in order. */
  #orderedFrom = 0;

  /** `onDidChange` is called for each batch with changes, before the rows are announced; it may cut rows. */
  constructor(onDidChange: (grownBytes: number) => void = () => undefined) {
    this.#onDidChange = onDidChange;
  }

  /** The estimated size of the rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The estimated size that the rows would have if nothing had been cut. */
  get wholeBytes(): number {
    return this.#bytes + this.#cutBytes;
  }

  /** True if values of some rows were cut to save memory. Reading all rows again restores them. */
  get isCut(): boolean {
    return this.#cutRows > 0;
  }

  /** Ordered by sequence; rows without a sequence stay where they arrived. Changes in place. */
  get rows(): readonly NodeLog[] {
    return this.#rows;
  }

  /** The node runs of the rows, in the order of their first rows. The same list until a row changes it; unchanged runs keep their identity. */
  get nodeRuns(): readonly NodeRun[] {
    return this.#nodeRuns.current;
  }

  /** The same runs, with the turns of a loop below the loop. */
  get runTree(): RunTree {
    this.#runTree.update(this.nodeRuns);
    return this.#runTree;
  }

  findNodeRun(key: string): NodeRun | undefined {
    return this.#nodeRuns.find(key);
  }

  /** The highest sequence so far; undefined when there is none. */
  get lastSequence(): number | undefined {
    return this.#lastSequence;
  }

  /** Adds a batch. Rows with new keys are announced, together and in order; a row with a known key replaces the earlier row. */
  append(batch: readonly NodeLog[]): void {
    const added = new Set<HeldRow>();
    const bytesBefore = this.#bytes;
    let isReplaced = false;
    for (const row of inOrder(batch)) {
      const held = this.#held.get(row.key);
      if (held === undefined) added.add(this.#push(row));
      else if (!isSameRow(held.row, row)) {
        isReplaced = true;
        this.#replace(held, row, added.has(held));
      }
    }
    if (added.size === 0 && !isReplaced) return;
    this.#order(this.#rows.length - added.size);
    for (const held of added) this.#nodeRuns.add(held);
    this.#nodeRuns.settle();
    const rows = [...added].map(({ row }) => row);
    this.#onDidChange(this.#bytes - bytesBefore);
    if (rows.length > 0) this.#appends.fire(rows);
  }

  /** Cuts values of the oldest rows until the feed is smaller by this many bytes, or nothing is left to cut. */
  cut(bytes: number): void {
    const wanted = this.#bytes - bytes;
    const before = this.#cutRows;
    for (; this.#bytes > wanted && this.#cutUpTo < this.#rows.length; this.#cutUpTo += 1) {
      const row = this.#rows[this.#cutUpTo];
      const held = row && this.#held.get(row.key);
      if (row === undefined || held === undefined) continue;
      const [input, output] = [cutOf(row.input), cutOf(row.output)];
      if (input === row.input && output === row.output) continue;
      const kept = { ...row, input, output };
      const saved = held.bytes - sizeOfRow(kept);
      if (held.cutBytes === 0) this.#cutRows += 1;
      held.cutBytes += saved;
      held.bytes -= saved;
      this.#cutBytes += saved;
      this.#bytes -= saved;
      this.#rows[this.#cutUpTo] = kept;
      this.#nodeRuns.replace(held, kept);
    }
    if (this.#cutRows > before) this.#nodeRuns.settle();
  }

  dispose(): void {
    this.#appends.dispose();
  }

  #push(row: NodeLog): HeldRow {
    const position = this.#rows.length;
    const held = { row, position, run: null, at: 0, bytes: sizeOfRow(row), cutBytes: 0 };
    this.#rows.push(row);
    this.#held.set(row.key, held);
    this.#bytes += held.bytes;
    return held;
  }

  #replace(held: HeldRow, row: NodeLog, isPending: boolean): void {
    const bytes = sizeOfRow(row);
    this.#bytes += bytes - held.bytes;
    if (held.cutBytes > 0) this.#cutRows -= 1;
    this.#cutBytes -= held.cutBytes;
    held.bytes = bytes;
    held.cutBytes = 0;
    this.#cutUpTo = Math.min(this.#cutUpTo, held.position);
    this.#rows[held.position] = row;
    if (row.sequence !== null) this.#noteSequence(row.sequence);
    if (isPending) held.row = row;
    else this.#nodeRuns.replace(held, row);
  }

  #noteSequence(sequence: number): void {
    this.#lastSequence = Math.max(this.#lastSequence ?? sequence, sequence);
  }

  /** Moves the rows from `start` on to their places; the rows before it are already in order. */
  #order(start: number): void {
    let begin = start;
    let highest = start > this.#orderedFrom ? (this.#rows[start - 1]?.sequence ?? -Infinity) : -Infinity;
    let lowestLate = Infinity;
    for (let at = start; at < this.#rows.length; at += 1) {
      const sequence = this.#rows[at]?.sequence ?? null;
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
    this.#sort(begin, this.#rows.length, lowestLate);
  }

  /** Sorts the rows from `begin` up to `end` into the rows in front of them; does nothing when none is late. */
  #sort(begin: number, end: number, lowestLate: number): void {
    if (lowestLate === Infinity) return;
    let from = begin;
    while (from > this.#orderedFrom && (this.#rows[from - 1]?.sequence ?? -Infinity) > lowestLate) from -= 1;
    const sorted = this.#rows.slice(from, end).sort(bySequence);
    for (const [index, row] of sorted.entries()) {
      this.#rows[from + index] = row;
      const held = this.#held.get(row.key);
      if (held) held.position = from + index;
    }
    this.#cutUpTo = Math.min(this.#cutUpTo, from);
  }
}

function bySequence(left: NodeLog, right: NodeLog): number {
  return (left.sequence ?? 0) - (right.sequence ?? 0);
}

/** Sorted by sequence if every row has one; otherwise in the order of arrival. */
function inOrder(rows: readonly NodeLog[]): readonly NodeLog[] {
  return rows.some(({ sequence }) => sequence === null) ? rows : rows.toSorted(bySequence);
}

/** Returns the value, or if cutting it saves memory the placeholder that a service uses for a cut value. */
function cutOf(value: JsonValue | undefined): JsonValue | undefined {
  const bytes = sizeOfValue(value);
  return bytes < leastCut ? value : { $cut: { bytes, preview: '' } };
}

function isSameRow(one: NodeLog, other: NodeLog): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** In bytes, at most about twice the real size. Estimated without serializing the row, which is precise enough for a limit. */
function sizeOfRow({ message, input, output }: NodeLog): number {
  return rowBytes + 2 * message.length + sizeOfValue(input) + sizeOfValue(output);
}

/** In bytes, estimated in the same way. */
export function sizeOfValue(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (Array.isArray(value)) {
    let sum = 24;
    for (const item of value as readonly JsonValue[]) sum += sizeOfValue(item);
    return sum;
  }
  if (!isJsonObject(value)) return 8;
  let sum = 32;
  for (const name in value) sum += 16 + name.length + sizeOfValue(value[name]);
  return sum;
}
