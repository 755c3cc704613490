import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Observable } from '../../base/observable.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { sizeOfRow, sizeOfValue } from './logSize.ts';
import { NodeRuns } from './nodeRuns.ts';
import type { PlacedRow } from './runRows.ts';

interface HeldRow extends PlacedRow {
  /** What it holds, estimated. */
  bytes: number;
  /** What was cut of it. */
  cutBytes: number;
}

/** A value that was cut, as a service says it. */
function cutValue(bytes: number): JsonValue {
  return { $cut: { bytes, preview: '' } };
}
/** In bytes: cutting less saves too little. */
const leastCut = 1024;

/**
 * The rows of one execution, in order. This is where duplicates end: a service may repeat rows after a drop, and lists are read
 * again, but each key is held and announced once. A row costs the same however many came before.
 */
export class LogFeed implements Disposable {
  readonly #rows: NodeLog[] = [];
  /** The same rows, by their keys. */
  readonly #held = new Map<string, HeldRow>();
  readonly #appends = new Emitter<readonly NodeLog[]>();
  readonly #nodeRuns = new NodeRuns();
  readonly #onDidChange: (grownBytes: number) => void;
  readonly onDidAppend: Event<readonly NodeLog[]> = this.#appends.event;
  #bytes = 0;
  #cutBytes = 0;
  #cutRows = 0;
  /** Rows before this index hold nothing that could be cut. */
  #cutUpTo = 0;
  #lastSequence: number | undefined;
  /** Behind the last row without a sequence: from here on rows are in order. */
  #orderedFrom = 0;

  /** onDidChange: called with each batch that changed something, before the rows are announced; it may cut. */
  constructor(onDidChange: (grownBytes: number) => void = () => undefined) {
    this.#onDidChange = onDidChange;
  }

  /** What its rows hold, estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What its rows would hold if nothing had been cut. */
  get wholeBytes(): number {
    return this.#bytes + this.#cutBytes;
  }

  /** True where values of some rows were cut to save memory; reading all rows again brings them back. */
  get isCut(): boolean {
    return this.#cutRows > 0;
  }

  /** By sequence; rows without one stay where they came. Changes in place. */
  get rows(): readonly NodeLog[] {
    return this.#rows;
  }

  /** The rows folded; unchanged runs keep their identity. */
  get nodeRuns(): Observable<readonly NodeRun[]> {
    return this.#nodeRuns;
  }

  /** The highest sequence so far; undefined when there is none. */
  get lastSequence(): number | undefined {
    return this.#lastSequence;
  }

  /** Takes a batch over. Announces the rows whose keys are new, together and in order; one with a known key replaces the earlier one. */
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

  /** Cuts values of its oldest rows until it holds that much less, in bytes, or has none left. */
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
    this.#nodeRuns.dispose();
  }

  /** Puts a row at the end. */
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

  /** Brings the rows from an index on to where they belong; those before it are in order. */
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

  /** Sorts the rows from `begin` to before `end` in among the rows in front of them; does nothing where none is late. */
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

/** Sorted by sequence where every row has one; else as they came. */
function inOrder(rows: readonly NodeLog[]): readonly NodeLog[] {
  return rows.some(({ sequence }) => sequence === null) ? rows : rows.toSorted(bySequence);
}

/** The value, or what stands in its place where cutting it saves memory. */
function cutOf(value: JsonValue | undefined): JsonValue | undefined {
  const size = sizeOfValue(value);
  return size < leastCut ? value : cutValue(size);
}

function isSameRow(one: NodeLog, other: NodeLog): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
