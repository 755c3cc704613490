import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { LogLine } from '../../domain/logEntry.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { NodeRuns, type OwnedRow } from '../runs/nodeRuns.ts';
import type { RunTree } from '../runs/runTree.ts';
import { RunValues } from '../runs/runValues.ts';
import type { FoundPosition, LogSelection, LogTable, StoredRow } from './logTable.ts';

/**
 * How much of a feed was read. "begun": rows up to some moment. "whole": all rows of an execution that has ended. "part": it has more rows
 * than are read in one go.
 */
export type FeedReading =
  | { readonly kind: 'never' | 'begun' | 'part' | 'whole' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** How many rows are read together at most, for who only shows the end of a log. */
export const newestRows = 2000;

/** In bytes: a node run with its place in the tree, without its values. Measured with two runs in each iteration of a loop. */
const bytesOfRun = 3200;

/** The rows of one batch, in order. */
export interface AppendedRows {
  readonly rows: readonly NodeLog[];
  /** The line of each. */
  readonly lines: readonly LogLine[];
}

/**
 * The rows of one execution, in order. Removes duplicates: a service may repeat rows after a drop, and lists are read again, but each
 * key is held and announced once. In memory are only the node runs and the values of rows; the rows are in their table.
 */
export class LogFeed implements Disposable {
  readonly #appends = new Emitter<AppendedRows>();
  readonly #table: LogTable;
  readonly #values = new RunValues();
  readonly #nodeRuns: NodeRuns;
  readonly #onDidChange: () => void;
  /** Fires with the rows that are new. */
  readonly onDidAppend: Event<AppendedRows> = this.#appends.event;
  #reading: FeedReading = { kind: 'never' };
  #lastSequence: number | undefined;

  /** `onDidChange` is called for each batch with changes, before the rows are announced; it may truncate values and forget node runs. */
  constructor(table: LogTable, onDidChange: () => void = () => undefined) {
    this.#table = table;
    this.#onDidChange = onDidChange;
    this.#nodeRuns = new NodeRuns({
      nextRunId: () => table.nextRunId(),
      ofRuns: (runIds) =>
        table
          .ofRuns(runIds)
          .map(({ id, place, runId, row }) => ({ id, place, runId, row: this.#withValues(row) })),
      logsOf: (runId, count) => table.logsOf(runId, count).map((row) => this.#withValues(row)),
      valuesOf: (key) => this.#values.get(key),
    });
  }

  get reading(): FeedReading {
    return this.#reading;
  }

  /** The estimated size of the values that are in memory. */
  get valueBytes(): number {
    return this.#values.bytes;
  }

  /** The estimated size that they would have if none had been truncated or forgotten. */
  get wholeBytes(): number {
    return this.valueBytes + this.#values.truncatedBytes;
  }

  /** The estimated size of the node runs. */
  get runBytes(): number {
    return bytesOfRun * this.#nodeRuns.count;
  }

  /** How many node runs are gone, to save memory. Their rows are still there. */
  get goneRuns(): number {
    return this.#nodeRuns.forgottenCount;
  }

  /** True if values of some rows were truncated or forgotten to save memory. Reading all rows again restores them. */
  get isTruncated(): boolean {
    return this.#values.isTruncated;
  }

  /** How many rows there are, those that are gone included. */
  get count(): number {
    return this.#table.count;
  }

  /** Changes with everything but rows that come at the end. */
  get revision(): number {
    return this.#table.revision;
  }

  /** How many rows of the beginning are gone, for want of room. */
  get goneRows(): number {
    return this.#table.goneRows;
  }

  /** The node runs of the rows, in the order of their first rows. The same list until a row changes it; unchanged runs keep their identity. */
  get nodeRuns(): readonly NodeRun[] {
    return this.#nodeRuns.current;
  }

  /** The same runs, with the iterations of a loop below the loop. Changes in place when it's read again. */
  get runTree(): RunTree {
    return this.#nodeRuns.tree;
  }

  /** The highest sequence so far; undefined when there is none. */
  get lastSequence(): number | undefined {
    return this.#lastSequence;
  }

  findNodeRun(key: string): NodeRun | undefined {
    return this.#nodeRuns.find(key);
  }

  /** Returns the node run of a line. */
  nodeRunOf({ runId }: Pick<LogLine, 'runId'>): NodeRun | undefined {
    return runId === null ? undefined : this.#nodeRuns.ofId(runId);
  }

  /** Returns what selects the rows of the node run with this key; undefined if there's none. */
  selectRun(key: string): LogSelection | undefined {
    const runId = this.#nodeRuns.idOf(key);
    return runId === undefined ? undefined : { runId };
  }

  /** The newest rows, ordered by sequence; rows without a sequence stay where they arrived. */
  get rows(): readonly NodeLog[] {
    return this.lastRows(newestRows);
  }

  lastRows(count: number): readonly NodeLog[] {
    return this.#table.lastRows(count).map((row) => this.#withValues(row));
  }

  /** The lines from one position up to another that are selected and shown. */
  lines(from: number, to: number, selection?: LogSelection): readonly LogLine[] {
    return this.#table.lines(from, to, selection);
  }

  /** The last lines that are selected and shown, in order. */
  lastLines(count: number, selection: LogSelection): readonly LogLine[] {
    return this.#table.lastLines(count, selection);
  }

  /** The lines at these positions. */
  linesAt(positions: readonly number[]): readonly LogLine[] {
    return this.#table.linesAt(positions);
  }

  /** The positions of these lines alone, and whether each may be hidden by a later row. */
  positions(from: number, to: number, selection: LogSelection): readonly FoundPosition[] {
    return this.#table.positions(from, to, selection);
  }

  /** The lines from one position up to another, with their whole messages. */
  wholeLines(from: number, to: number): readonly LogLine[] {
    return this.#table.wholeLines(from, to);
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
    if (batch.length === 0) return [];
    const { added, replaced, returned } = this.#sort(this.#table.prepare(batch));
    if (added.length + replaced.length + returned.length === 0) return [];
    for (const [earlier, row] of replaced) this.#replace(earlier, row);
    for (const { row } of [...returned, ...added]) this.#note(row, false);
    for (const each of returned) this.#nodeRuns.add(each);
    const owned = added.map((each) => ({ ...each, runId: this.#nodeRuns.add(each) }));
    const lines = this.#table.add(owned);
    this.#table.move(this.#nodeRuns.settle());
    const rows = added.map(({ row }) => row);
    this.#onDidChange();
    if (rows.length > 0) this.#appends.fire({ rows, lines });
    return [...replaced.map(([, row]) => row), ...returned.map(({ row }) => row), ...rows];
  }

  /** Truncates or forgets values of the oldest rows until the feed is smaller by this many bytes, or has none. */
  reduceValues(bytes: number): void {
    this.#nodeRuns.noteReduced(new Set(this.#values.reduce(this.#values.bytes - bytes)));
  }

  /** Forgets node runs, with the values of their rows, until they are smaller by this many bytes. Mostly the oldest ones, see NodeRuns. */
  forgetRuns(bytes: number): void {
    const runIds = this.#nodeRuns.forget(Math.ceil(bytes / bytesOfRun));
    this.#values.delete(this.#table.keysWithValues(runIds));
  }

  /** Deletes the rows, for a feed that's used no longer. */
  dispose(): void {
    this.#appends.dispose();
    this.#table.dispose();
  }

  /**
   * Tells the rows that are new, in order, from those that replace others. `returned`: those that were gone; they may say that their node runs
   * have ended, but there's no room for them.
   */
  #sort(batch: readonly NodeLog[]): {
    readonly added: readonly Omit<OwnedRow, 'runId'>[];
    readonly replaced: readonly (readonly [earlier: StoredRow, row: NodeLog])[];
    readonly returned: readonly Omit<OwnedRow, 'runId'>[];
  } {
    const known = this.#table.find(batch.map(({ key }) => key));
    const added = new Map<string, Omit<OwnedRow, 'runId'>>();
    const replaced = new Map<string, readonly [earlier: StoredRow, row: NodeLog]>();
    const { firstPlace } = this.#table;
    let highest = 0;
    for (const received of batch) {
      const { key } = received;
      const earlier = known.get(key);
      const other = added.get(key);
      if (other !== undefined)
        added.set(key, { ...other, row: withSequence(received, () => other.row.sequence) });
      else if (earlier === undefined) {
        const place = this.#table.placeOf(received, highest);
        highest = Math.max(highest, place);
        added.set(key, { id: this.#table.nextRowId(), place, row: received });
      } else replaced.set(key, [earlier, withSequence(received, () => earlier.row.sequence)]);
    }
    const inOrder = [...added.values()].sort((one, other) => one.place - other.place || one.id - other.id);
    return {
      added: inOrder.filter(({ place }) => place >= firstPlace),
      returned: inOrder.filter(({ place }) => place < firstPlace),
      replaced: [...replaced.values()].filter(
        ([earlier, row]) =>
          (this.#keepsValues(earlier) && !this.#values.has(row)) || !this.#table.isSame(earlier, row),
      ),
    };
  }

  #replace(earlier: StoredRow, row: NodeLog): void {
    const { id, place, runId } = earlier;
    if (this.#keepsValues(earlier)) this.#note(row, earlier.hasValues);
    this.#table.replace({ id, runId }, row);
    this.#nodeRuns.replace({ id, place, runId, row }, earlier.row);
  }

  /** False for a row of a node run that was forgotten. */
  #keepsValues({ runId }: StoredRow): boolean {
    return runId === null || this.#nodeRuns.has(runId);
  }

  #note(row: NodeLog, hadValues: boolean): void {
    this.#values.set(row, hadValues);
    const { sequence } = row;
    if (sequence !== null) this.#lastSequence = Math.max(this.#lastSequence ?? sequence, sequence);
  }

  #withValues(row: NodeLog): NodeLog {
    const values = this.#values.get(row.key);
    return values === undefined ? row : { ...row, ...values };
  }
}

/** A row keeps its number where it's repeated without one. */
function withSequence(row: NodeLog, earlier: () => number | null): NodeLog {
  return row.sequence === null ? { ...row, sequence: earlier() } : row;
}
