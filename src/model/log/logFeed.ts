import { stringifyJson } from '../../base/json.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { LogEntry } from '../../domain/logEntry.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { NodeRuns } from '../runs/nodeRuns.ts';
import { withoutValues } from '../runs/runSummary.ts';
import type { RunTree } from '../runs/runTree.ts';
import { EvictedRows } from './evictedRows.ts';
import type { HeldRow } from './heldRow.ts';
import type { ArchivedLog } from './logArchive.ts';
import { inOrder, LogRows } from './logRows.ts';

/**
 * How much of a feed was read. "begun": rows up to some moment. "whole": all rows of an execution that has ended. "part": it has more rows
 * than are read in one go.
 */
export type FeedReading =
  | { readonly kind: 'never' | 'begun' | 'part' | 'whole' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** In bytes: the size of a feed's rows in memory, without their values, from which on the oldest are handed to the archive. */
export const maximumTextBytes = 1024 * 1024;
/** The share that's evicted at once, so that eviction doesn't run on every append. */
const evictedShare = 1 / 4;

/**
 * The rows of one execution, in order. Removes duplicates: a service may repeat rows after a drop, and lists are read again, but each
 * key is held and announced once. The cost of a row doesn't grow with the number of rows. With an archive, the oldest rows are evicted from
 * memory beyond a limit; node runs stay, without some of their logs.
 */
export class LogFeed implements Disposable {
  readonly #appends = new Emitter<readonly NodeLog[]>();
  readonly #rows = new LogRows();
  readonly #nodeRuns = new NodeRuns();
  readonly #evicted = new EvictedRows();
  readonly #createArchive: (() => ArchivedLog) | undefined;
  readonly #onDidChange: (grownBytes: number) => void;
  readonly onDidAppend: Event<readonly NodeLog[]> = this.#appends.event;
  #archived: ArchivedLog | undefined;
  #reading: FeedReading = { kind: 'never' };
  /** Made on read. */
  #current: readonly NodeLog[] | undefined;

  /**
   * `onDidChange` is called for each batch with changes, before the rows are announced; it may truncate values. Without `createArchive`, which
   * is called once when it's needed, all rows stay in memory.
   */
  constructor(
    onDidChange: (grownBytes: number) => void = () => undefined,
    createArchive?: () => ArchivedLog,
  ) {
    this.#onDidChange = onDidChange;
    this.#createArchive = createArchive;
  }

  get reading(): FeedReading {
    return this.#reading;
  }

  /** The estimated size of what is in memory. */
  get bytes(): number {
    return this.#rows.bytes + this.#nodeRuns.keptBytes;
  }

  /** The estimated size that the rows would have if nothing had been truncated. */
  get wholeBytes(): number {
    return this.bytes + this.#rows.truncatedBytes;
  }

  /** True if values of some rows were truncated to save memory. Reading all rows again restores them. */
  get isTruncated(): boolean {
    return this.#rows.isTruncated;
  }

  /** The rows that were evicted; undefined if none was. */
  get archived(): ArchivedLog | undefined {
    return this.#archived;
  }

  /** How many rows were evicted. They are the first ones. */
  get evictedCount(): number {
    return this.#rows.evictedCount;
  }

  /** How many rows there are, in memory or not. */
  get count(): number {
    return this.#rows.count;
  }

  /** The rows in memory, ordered by sequence; rows without a sequence stay where they arrived. */
  get rows(): readonly NodeLog[] {
    return (this.#current ??= this.#rows.held.map(({ row }) => row));
  }

  /** The node runs of the rows, in the order of their first rows. The same list until a row changes it; unchanged runs keep their identity. */
  get nodeRuns(): readonly NodeRun[] {
    return this.#nodeRuns.current;
  }

  /** The same runs, with the iterations of a loop below the loop. Changes in place when it's read again. */
  get runTree(): RunTree {
    return this.#nodeRuns.tree;
  }

  /** The rows in memory from a position on. */
  entries(from: number): readonly LogEntry[] {
    return this.#rows.held.slice(from - this.evictedCount).map((held) => held.toEntry());
  }

  findNodeRun(key: string): NodeRun | undefined {
    return this.#nodeRuns.find(key);
  }

  /** The highest sequence so far; undefined when there is none. */
  get lastSequence(): number | undefined {
    return this.#rows.lastSequence;
  }

  /** Called by whoever has read rows, or couldn't. */
  noteReading(reading: FeedReading): void {
    this.#reading = reading;
  }

  /**
   * Adds a batch. Rows with new keys are announced, together and in order; a row with a known key replaces the earlier row. Returns the rows
   * that are new or have changed.
   */
  append(batch: readonly NodeLog[]): readonly NodeLog[] {
    const { bytes, count } = this;
    const added: HeldRow[] = [];
    const changed: NodeLog[] = [];
    for (const received of inOrder(batch)) {
      const held = this.#rows.find(received.key);
      const row = held === undefined ? received : withSequence(received, held.row.sequence);
      if (held === undefined) {
        if (this.#isNew(row)) added.push(this.#rows.push(row));
      } else if (!isSameRow(held.row, row)) {
        changed.push(row);
        this.#rows.replace(held, row);
        if (held.position < count) this.#nodeRuns.replace(held, row);
        else held.row = row;
      }
    }
    if (added.length === 0 && changed.length === 0) return [];
    this.#current = undefined;
    this.#rows.order(count);
    for (const held of added) this.#nodeRuns.add(held);
    this.#nodeRuns.settle();
    const rows = added.map(({ row }) => row);
    this.#evictBeyond(maximumTextBytes);
    this.#onDidChange(this.bytes - bytes);
    if (rows.length > 0) this.#appends.fire(rows);
    return [...changed, ...rows];
  }

  /** Resolves when the rows that were evicted are written. Whoever appends many rows waits for it, since those that wait to be written take memory. */
  async settled(): Promise<void> {
    await this.#archived?.written();
  }

  /** Evicts the oldest rows until the text of the others takes at most this many bytes. Does nothing without an archive. */
  shrink(textBytes: number): void {
    this.#evictBeyond(textBytes);
  }

  /** Deletes the rows that were evicted, for a feed that's used no longer. */
  forgetArchived(): void {
    this.#archived?.dispose();
  }

  /** Truncates values of the oldest rows until the feed is smaller by this many bytes, or nothing is left to truncate. */
  truncate(bytes: number): void {
    const wanted = this.bytes - bytes;
    this.#nodeRuns.truncateEvicted();
    this.#rows.truncate(this.bytes - wanted, (held, row) => this.#nodeRuns.replace(held, row));
    this.#nodeRuns.settle();
    this.#current = undefined;
  }

  dispose(): void {
    this.#appends.dispose();
    this.forgetArchived();
  }

  #evictBeyond(textBytes: number): void {
    if (this.#createArchive === undefined || this.#rows.textBytes <= textBytes) return;
    const evicted = this.#rows.evict(textBytes * (1 - evictedShare));
    this.#archived ??= this.#createArchive();
    this.#archived.append(evicted.map((held) => held.toEntry(withoutValues(held.row))));
    for (const { row } of evicted) this.#evicted.add(row);
    this.#nodeRuns.evict(evicted);
    this.#current = undefined;
  }

  /** An evicted row that the service repeats is new only if its node run has ended meanwhile. */
  #isNew(row: NodeLog): boolean {
    if (this.evictedCount === 0 || !this.#evicted.has(row)) return true;
    // A repeated end without a start would seem to end the run that goes on now.
    return !this.#evicted.hasEnd(row) && this.#nodeRuns.ends(row);
  }
}

function isSameRow(one: NodeLog, other: NodeLog): boolean {
  return one === other || stringifyJson(one) === stringifyJson(other);
}

/** A row keeps its number where it's repeated without one. */
function withSequence(row: NodeLog, sequence: number | null): NodeLog {
  return row.sequence === null && sequence !== null ? { ...row, sequence } : row;
}
