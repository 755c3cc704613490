import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { LogEntry } from '../../domain/logEntry.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { LeftRows } from './leftRows.ts';
import type { ArchivedLog } from './logArchive.ts';
import { countMessageLines, saysOnlyStart } from './logLines.ts';
import { HeldEntry, HeldRow, onlyThose } from './heldRow.ts';
import { NodeRuns } from '../runs/nodeRuns.ts';
import { bySequence, inOrder, isSameRow } from './rowOrder.ts';
import { cutOf, sizeOfRow, sizeOfText } from '../runs/rowSizes.ts';
import { leavingRow } from '../runs/runSummary.ts';
import type { RunTree } from '../runs/runTree.ts';

/**
 * How much of a feed was read. "begun": rows up to some moment. "whole": all rows of an execution that has ended. "part": it has more rows
 * than are read in one go.
 */
export type FeedReading =
  | { readonly kind: 'never' | 'begun' | 'part' | 'whole' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** In bytes: the size of a feed's rows in memory, without their values, from which on the oldest are handed to the archive. */
export const maximumTextBytes = 1024 * 1024;
/** The share that leaves memory at once. */
const leavingShare = 1 / 4;

/**
 * The rows of one execution, in order. Removes duplicates: a service may repeat rows after a drop, and lists are read again, but each
 * key is held and announced once. The cost of a row doesn't grow with the number of rows. With an archive, the oldest rows leave memory
 * beyond a limit; node runs stay, without some of their logs.
 */
export class LogFeed implements Disposable {
  // Lists that rows come to and go from are made anew when rows leave: in one that stays, all rows would live until the engine's next
  // full collection.
  /** The rows in memory. Positions count from the first row of all. */
  #rows: NodeLog[] = [];
  /** The same rows, by their keys. */
  #held = new Map<string, HeldRow>();
  readonly #appends = new Emitter<readonly NodeLog[]>();
  readonly #nodeRuns = new NodeRuns();
  readonly #left = new LeftRows();
  readonly #createArchive: (() => ArchivedLog) | undefined;
  readonly #onDidChange: (grownBytes: number) => void;
  readonly onDidAppend: Event<readonly NodeLog[]> = this.#appends.event;
  #archived: ArchivedLog | undefined;
  #bytes = 0;
  #textBytes = 0;
  #cutBytes = 0;
  #cutRows = 0;
  /** Rows before this position contain nothing to cut. */
  #cutUpTo = 0;
  #lastSequence: number | undefined;
  /** Set by whoever reads it. */
  reading: FeedReading = { kind: 'never' };
  /** The position after the last row without a sequence, and after all that left memory. From here on, rows are in order. */
  #orderedFrom = 0;

  /**
   * `onDidChange` is called for each batch with changes, before the rows are announced; it may cut rows. Without `createArchive`, which
   * is called once when it's needed, all rows stay in memory.
   */
  constructor(
    onDidChange: (grownBytes: number) => void = () => undefined,
    createArchive?: () => ArchivedLog,
  ) {
    this.#onDidChange = onDidChange;
    this.#createArchive = createArchive;
  }

  /** The estimated size of what is in memory. */
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

  /** The rows that left memory; undefined if none has. */
  get archived(): ArchivedLog | undefined {
    return this.#archived;
  }

  /** How many rows left memory. They are the first ones. */
  get leftCount(): number {
    return this.#archived?.rowCount ?? 0;
  }

  /** How many rows there are, in memory or not. */
  get count(): number {
    return this.leftCount + this.#rows.length;
  }

  /** The rows in memory, ordered by sequence; rows without a sequence stay where they arrived. Changes in place until rows leave memory. */
  get rows(): readonly NodeLog[] {
    return this.#rows;
  }

  /** The node runs of the rows, in the order of their first rows. The same list until a row changes it; unchanged runs keep their identity. */
  get nodeRuns(): readonly NodeRun[] {
    return this.#nodeRuns.current;
  }

  /** The same runs, with the iterations of a loop below the loop. Changes in place when it's read again. */
  get runTree(): RunTree {
    return this.#nodeRuns.tree;
  }

  /** The rows in memory from an index on, with what the log's text needs. */
  entries(from = 0): readonly LogEntry[] {
    return this.#rows.slice(from).flatMap((row) => this.#entryOf(row) ?? []);
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
      if (held === undefined) {
        if (this.#isNew(row)) added.add(this.#push(row));
      } else if (!isSameRow(held.row, row)) {
        isReplaced = true;
        this.#replace(held, row, added.has(held));
      }
    }
    if (added.size === 0 && !isReplaced) return;
    this.#order(this.count - added.size);
    for (const held of added) this.#nodeRuns.add(held);
    this.#nodeRuns.settle();
    const rows = [...added].map(({ row }) => row);
    this.#leaveBeyond(maximumTextBytes);
    this.#onDidChange(this.#bytes - bytesBefore);
    if (rows.length > 0) this.#appends.fire(rows);
  }

  /** Resolves when the rows that left memory were written. Whoever appends many rows waits for it, since those that wait to be written take memory. */
  async settled(): Promise<void> {
    await this.#archived?.written();
  }

  /** Lets the oldest rows leave memory until their text takes at most this many bytes. Does nothing without an archive. */
  shrink(textBytes: number): void {
    this.#leaveBeyond(textBytes);
  }

  /** Deletes the rows that left memory, for a feed that's used no longer. */
  forgetArchived(): void {
    this.#archived?.dispose();
  }

  /** Cuts values of the oldest rows until the feed is smaller by this many bytes, or nothing is left to cut. */
  cut(bytes: number): void {
    const wanted = this.#bytes - bytes;
    this.#bytes -= this.#nodeRuns.cutLeft();
    const before = this.#cutRows;
    for (; this.#bytes > wanted && this.#cutUpTo < this.count; this.#cutUpTo += 1) {
      const index = this.#cutUpTo - this.leftCount;
      const row = this.#rows[index];
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
      this.#rows[index] = kept;
      this.#nodeRuns.replace(held, kept);
    }
    if (this.#cutRows > before) this.#nodeRuns.settle();
  }

  dispose(): void {
    this.#appends.dispose();
    this.forgetArchived();
  }

  /** Beyond the limit, a share of it leaves at once, so that eviction doesn't run on every append. */
  #leaveBeyond(textBytes: number): void {
    if (this.#createArchive === undefined || this.#textBytes <= textBytes) return;
    const wanted = textBytes * (1 - leavingShare);
    let count = 0;
    for (let bytes = this.#textBytes; bytes > wanted && count < this.#rows.length; count += 1) {
      const row = this.#rows[count];
      if (row !== undefined) bytes -= sizeOfText(row);
    }
    if (count > 0) this.#leave(count, (this.#archived ??= this.#createArchive()));
  }

  /** Hands the first rows to the archive. */
  #leave(count: number, archived: ArchivedLog): void {
    const rows = this.#rows.slice(0, count);
    const entries = rows.flatMap((row) => this.#entryOf(row, leavingRow(row)) ?? []);
    const leaving = rows.flatMap((row) => this.#held.get(row.key) ?? []);
    this.#rows = this.#rows.slice(count);
    archived.append(entries);
    for (const held of leaving) {
      this.#left.add(held.row);
      this.#textBytes -= sizeOfText(held.row);
      this.#bytes -= held.bytes;
      this.#cutBytes -= held.cutBytes;
      if (held.cutBytes > 0) this.#cutRows -= 1;
    }
    this.#held = onlyThose(this.#held, this.#rows);
    this.#orderedFrom = Math.max(this.#orderedFrom, archived.rowCount);
    this.#cutUpTo = Math.max(this.#cutUpTo, archived.rowCount);
    this.#bytes += this.#nodeRuns.leave(leaving);
  }

  /** `told`: the row as the entry has it. */
  #entryOf(row: NodeLog, told = row): LogEntry | undefined {
    const held = this.#held.get(row.key);
    if (held === undefined) return undefined;
    const { run } = held;
    // A node run that says more isn't announced first, so that a short one is one line.
    const isLeftOut = run?.last !== held && saysOnlyStart(row);
    return new HeldEntry(told, isLeftOut ? 0 : held.lines, run?.key ?? null);
  }

  /** An evicted row that the service repeats is new only if its node run has ended meanwhile. */
  #isNew(row: NodeLog): boolean {
    return this.leftCount === 0 || !this.#left.has(row) || this.#nodeRuns.ends(row);
  }

  #push(row: NodeLog): HeldRow {
    const position = this.count;
    const held = new HeldRow(row, position);
    this.#rows.push(row);
    this.#held.set(row.key, held);
    this.#bytes += held.bytes;
    this.#textBytes += sizeOfText(row);
    return held;
  }

  #replace(held: HeldRow, row: NodeLog, isPending: boolean): void {
    const bytes = sizeOfRow(row);
    this.#bytes += bytes - held.bytes;
    this.#textBytes += sizeOfText(row) - sizeOfText(held.row);
    if (held.cutBytes > 0) this.#cutRows -= 1;
    this.#cutBytes -= held.cutBytes;
    held.bytes = bytes;
    held.cutBytes = 0;
    held.lines = countMessageLines(row);
    this.#cutUpTo = Math.min(this.#cutUpTo, held.position);
    this.#rows[held.position - this.leftCount] = row;
    if (row.sequence !== null) this.#noteSequence(row.sequence);
    if (isPending) held.row = row;
    else this.#nodeRuns.replace(held, row);
  }

  #noteSequence(sequence: number): void {
    this.#lastSequence = Math.max(this.#lastSequence ?? sequence, sequence);
  }

  /** The sequence of the row at a position; null also for one that left memory. */
  #sequenceAt(position: number): number | null {
    return this.#rows[position - this.leftCount]?.sequence ?? null;
  }

  /** Moves the rows from the position `start` on to their places; the rows before it are already in order. */
  #order(start: number): void {
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

  /** Sorts the rows from `begin` up to `end` into the rows in front of them; does nothing when none is late. */
  #sort(begin: number, end: number, lowestLate: number): void {
    if (lowestLate === Infinity) return;
    let from = begin;
    while (from > this.#orderedFrom && (this.#sequenceAt(from - 1) ?? -Infinity) > lowestLate) from -= 1;
    const first = from - this.leftCount;
    const sorted = this.#rows.slice(first, end - this.leftCount).sort(bySequence);
    for (const [index, row] of sorted.entries()) {
      this.#rows[first + index] = row;
      const held = this.#held.get(row.key);
      if (held) held.position = from + index;
    }
    this.#cutUpTo = Math.min(this.#cutUpTo, from);
  }
}
