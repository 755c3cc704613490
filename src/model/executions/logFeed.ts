// The rows of one execution, each once, in order, however often a stream repeats them.
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonValue } from '../../base/json.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import { sizeOfRow, sizeOfValue } from './logSize.ts';
import { addToNodeRuns, foldNodeRuns } from './nodeRuns.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

export interface LogFeed extends Disposable {
  /** By sequence; rows without one stay where they came. */
  readonly rows: readonly NodeLog[];
  /** Rows that were not there before, in order, each announced exactly once. */
  readonly onDidAppend: Event<readonly NodeLog[]>;
  /** The rows folded; unchanged runs keep their identity. */
  readonly nodeRuns: Observable<readonly NodeRun[]>;
  /** The highest sequence so far; undefined when there is none. */
  readonly lastSequence: number | undefined;
  /** True where values of some rows were cut to save memory; reading all rows again brings them back. */
  readonly isCut: boolean;
  /** Takes rows over; one with a known key replaces the earlier one. */
  add(rows: readonly NodeLog[]): void;
}

/** A value that was cut, as a service says it. */
function cutValue(bytes: number): JsonValue {
  return { $cut: { bytes, preview: '' } };
}
/** In bytes: cutting less saves too little. */
const leastCut = 1024;

/** onDidResize: hears that `bytes` changed, and may cut. */
export class OrderedFeed implements LogFeed {
  // Changed in place: copying the whole feed for each live row would grow with the square of its length.
  readonly #rows: NodeLog[] = [];
  readonly #byKey = new Map<string, NodeLog>();
  readonly #appends = new Emitter<readonly NodeLog[]>();
  readonly #nodeRuns = new ObservableValue<readonly NodeRun[]>([]);
  readonly onDidAppend = this.#appends.event;
  readonly #onDidResize: () => void;
  /** What was cut of a row, in bytes, by its key. */
  readonly #cut = new Map<string, number>();
  #bytes = 0;

  constructor(onDidResize: () => void = () => undefined) {
    this.#onDidResize = onDidResize;
  }

  /** What its rows hold, estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What its rows would hold if nothing had been cut. */
  get wholeBytes(): number {
    return [...this.#cut.values()].reduce((sum, bytes) => sum + bytes, this.#bytes);
  }

  get isCut(): boolean {
    return this.#cut.size > 0;
  }

  get rows(): readonly NodeLog[] {
    return this.#rows;
  }

  get nodeRuns(): Observable<readonly NodeRun[]> {
    return this.#nodeRuns;
  }

  get lastSequence(): number | undefined {
    return this.#rows.findLast(({ sequence }) => sequence !== null)?.sequence ?? undefined;
  }

  add(rows: readonly NodeLog[]): void {
    const added: NodeLog[] = [];
    let isTail = true;
    for (const row of inOrder(rows)) {
      const earlier = this.#byKey.get(row.key);
      // The same row again stays the same object, so that the run it belongs to does too.
      if (earlier && JSON.stringify(earlier) === JSON.stringify(row)) continue;
      this.#byKey.set(row.key, row);
      this.#cut.delete(row.key);
      this.#bytes += sizeOfRow(row) - (earlier ? sizeOfRow(earlier) : 0);
      if (earlier) {
        isTail = false;
        this.#rows[this.#rows.lastIndexOf(earlier)] = row;
        const again = added.indexOf(earlier);
        if (again >= 0) added[again] = row;
      } else {
        isTail = this.#insert(row) && isTail;
        added.push(row);
      }
    }
    if (added.length === 0 && isTail) return;
    const runs = isTail ? addToNodeRuns(this.#nodeRuns.current, added) : foldNodeRuns(this.#rows);
    this.#nodeRuns.set(keepUnchanged(this.#nodeRuns.current, runs));
    this.#onDidResize();
    if (added.length > 0) this.#appends.fire(added);
  }

  /** Cuts values of its oldest rows until it holds that much less, in bytes, or has none left. */
  cut(bytes: number): void {
    const wanted = this.#bytes - bytes;
    for (const [at, row] of this.#rows.entries()) {
      if (this.#bytes <= wanted) break;
      const [input, output] = [row.input, row.output].map((value) => {
        const size = sizeOfValue(value);
        return size < leastCut ? value : cutValue(size);
      });
      if (input === row.input && output === row.output) continue;
      const kept = { ...row, input, output };
      const saved = sizeOfRow(row) - sizeOfRow(kept);
      this.#rows[at] = kept;
      this.#byKey.set(row.key, kept);
      this.#cut.set(row.key, (this.#cut.get(row.key) ?? 0) + saved);
      this.#bytes -= saved;
    }
    this.#nodeRuns.set(keepUnchanged(this.#nodeRuns.current, foldNodeRuns(this.#rows)));
  }

  dispose(): void {
    this.#appends.dispose();
    this.#nodeRuns.dispose();
  }

  /** True when the row went to the end. */
  #insert(row: NodeLog): boolean {
    const { sequence } = row;
    const before = this.#rows.findLastIndex(
      (other) => sequence === null || other.sequence === null || other.sequence <= sequence,
    );
    this.#rows.splice(before + 1, 0, row);
    return before + 2 === this.#rows.length;
  }
}

/** Sorted by sequence where every row has one; else as they came. */
function inOrder(rows: readonly NodeLog[]): readonly NodeLog[] {
  if (rows.some(({ sequence }) => sequence === null)) return rows;
  return rows.toSorted((left, right) => (left.sequence ?? 0) - (right.sequence ?? 0));
}

/** After a fold from the start: runs made of the same rows stay the objects they were. */
function keepUnchanged(earlier: readonly NodeRun[], runs: readonly NodeRun[]): readonly NodeRun[] {
  const byKey = new Map(earlier.map((run) => [run.key, run]));
  return runs.map((run) => {
    const same = byKey.get(run.key);
    const isSame =
      same?.logs.length === run.logs.length && run.logs.every((row, at) => row === same.logs[at]);
    return isSame ? same : run;
  });
}
