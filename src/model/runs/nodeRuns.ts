import { stringifyJson } from '../../base/json.ts';
import { countBefore } from '../../base/sorted.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { HandledFailures } from './handledFailures.ts';
import { type PlacedRow, RunRows } from './runRows.ts';
import type { Keeping } from './runSummary.ts';
import { RunTree } from './runTree.ts';

/** What runs keep of the rows that were evicted, as long as all that they keep isn't larger than this, and beyond it. */
const usualKeeping: Keeping = { logs: 100, values: 'whole' };
const maximumKeptBytes = 8 * 1024 * 1024;
const leastKeeping: Keeping = { logs: 1, values: 'truncated' };

/** Folds rows into node runs as they arrive. Each iteration of a loop and each attempt is a separate run. */
export class NodeRuns {
  readonly #nodes = new Map<string, AttemptRuns>();
  readonly #stale = new Set<AttemptRuns>();
  readonly #failures = new HandledFailures();
  #runs: RunRows[] = [];
  #isOrdered = true;
  #keptBytes = 0;
  /** True if values may be kept whole since they were truncated last. */
  #keepsWhole = false;
  // All are built on read.
  #current: readonly NodeRun[] | undefined;
  #byKey: Map<string, RunRows> | undefined;
  #tree: RunTree | undefined;
  /** What the tree doesn't know yet. */
  readonly #changed = new Set<RunRows>();

  /** The estimated size of what is kept of the rows that were evicted. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** In the order of their first rows; runs without a new row keep their identity. Complete once the batch is settled. */
  get current(): readonly NodeRun[] {
    return (this.#current ??= this.#runs.map((run) => run.toNodeRun()));
  }

  /** The same runs as a tree, which changes in place with the next read. */
  get tree(): RunTree {
    if (this.#tree === undefined) {
      this.#tree = new RunTree();
      for (const run of this.#runs) this.#changed.add(run);
    }
    const changed = Array.from(this.#changed, (run) => [run.index, run.toNodeRun()] as const);
    this.#tree.update(changed, this.#runs.length);
    this.#changed.clear();
    return this.#tree;
  }

  /** Returns the first run with this key. */
  find(key: string): NodeRun | undefined {
    this.#byKey ??= new Map(this.#runs.toReversed().map((run) => [run.key, run]));
    return this.#byKey.get(key)?.toNodeRun();
  }

  /** True if the row would end a node run that hasn't ended. */
  ends(row: NodeLog): boolean {
    return row.status?.isTerminal === true && this.#nodeOf(row)?.find(row)?.isOver === false;
  }

  /** Adds a row. The cost doesn't grow with the number of rows, unless rows of the same node come after it. */
  add(placed: PlacedRow): void {
    const node = this.#nodeOf(placed.row);
    if (node === undefined) return;
    if (node.isLate(placed) || this.#stale.has(node)) {
      this.#unsettle(node, placed);
      return;
    }
    if (node.add(placed)) this.#appendRun(placed);
    this.#noteRow(placed);
  }

  /** Replaces the row with the same key. */
  replace(placed: PlacedRow, row: NodeLog): void {
    const earlier = placed.row;
    const earlierNode = this.#nodeOf(earlier);
    const node = this.#nodeOf(row);
    placed.row = row;
    placed.run?.noteChanged();
    if (node !== undefined && node === earlierNode) {
      if (!this.#stale.has(node) && node.replace(placed, earlier)) this.#noteRow(placed);
      else this.#unsettle(node);
      return;
    }
    if (earlierNode !== undefined) this.#unsettle(earlierNode);
    placed.run = null;
    if (node !== undefined) this.#unsettle(node, placed);
  }

  /** Lets go of the first rows of all. Their runs stay as they are, without some of their logs and maybe with large values truncated. */
  evict(rows: readonly PlacedRow[]): void {
    const keeping = this.#keptBytes < maximumKeptBytes ? usualKeeping : leastKeeping;
    this.#keepsWhole ||= keeping.values === 'whole';
    const counts = new Map<RunRows, number>();
    for (const { run } of rows) if (run !== null) counts.set(run, (counts.get(run) ?? 0) + 1);
    for (const [run, count] of counts) {
      this.#measure(run, () => run.evict(count, keeping));
      this.#noteChanged(run);
    }
    for (const { row } of rows) if (row.startedAt === null) this.#nodeOf(row)?.noteUntimed();
  }

  /** Truncates large values that are kept of the rows that were evicted. */
  truncateEvicted(): void {
    if (!this.#keepsWhole) return;
    this.#keepsWhole = false;
    for (const run of this.#runs)
      if (this.#measure(run, () => run.truncateEvicted()) !== 0) this.#noteChanged(run);
  }

  /** Ends a batch: refolds the nodes whose rows arrived out of order. */
  settle(): void {
    for (const node of this.#stale) {
      const hasOthers = node.refold((row) => this.#nodeOf(row) === node);
      if (hasOthers) this.#isOrdered = false;
      for (const run of node.runs) this.#noteChanged(run);
      this.#byKey = undefined;
    }
    if (this.#stale.size > 0 || !this.#isOrdered) this.#failures.markStale();
    this.#stale.clear();
    if (!this.#isOrdered) this.#order();
    for (const run of this.#failures.settle(this.#runs)) this.#noteChanged(run);
  }

  /** Does what changes how much of a run is kept, and returns by how much that has grown. */
  #measure(run: RunRows, change: () => void): number {
    const before = run.summaryBytes;
    change();
    const grown = run.summaryBytes - before;
    this.#keptBytes += grown;
    return grown;
  }

  #noteRow({ run }: PlacedRow): void {
    if (run !== null) this.#failures.noteChange(run);
    this.#noteChanged(run);
  }

  #noteChanged(run: RunRows | null): void {
    this.#current = undefined;
    if (this.#tree !== undefined && run !== null) this.#changed.add(run);
  }

  #appendRun({ run }: PlacedRow): void {
    if (run === null) return;
    const last = this.#runs.at(-1);
    if (last && last.position > run.position) this.#isOrdered = false;
    run.index = this.#runs.length;
    this.#runs.push(run);
    for (const handled of this.#failures.noteBegin(run)) this.#noteChanged(handled);
    if (this.#byKey?.has(run.key) === false) this.#byKey.set(run.key, run);
  }

  #order(): void {
    const all = [...this.#nodes.values()].flatMap(({ runs }) => runs);
    this.#runs = all.sort((one, other) => one.position - other.position);
    this.#isOrdered = true;
    this.#current = undefined;
    this.#byKey = undefined;
    this.#changed.clear();
    for (const [index, run] of this.#runs.entries()) {
      run.index = index;
      this.#noteChanged(run);
    }
  }

  #unsettle(node: AttemptRuns, placed?: PlacedRow): void {
    if (placed) node.late.push(placed);
    this.#stale.add(node);
  }

  #nodeOf({ nodeId, iteration, attempt }: NodeLog): AttemptRuns | undefined {
    // A log of the execution itself has no node.
    if (nodeId === '') return undefined;
    const key = stringifyJson([nodeId, iteration, attempt]);
    const existing = this.#nodes.get(key);
    if (existing) return existing;
    const node = new AttemptRuns();
    this.#nodes.set(key, node);
    return node;
  }
}

/** Runs in order of which the last one is wanted that still belongs. */
class Candidates {
  readonly #runs: RunRows[] = [];
  readonly #belongs: (run: RunRows) => boolean;

  constructor(belongs: (run: RunRows) => boolean) {
    this.#belongs = belongs;
  }

  /** Adds a new or changed run if it belongs and isn't there yet. */
  offer(run: RunRows): void {
    if (!this.#belongs(run)) return;
    const place = countBefore(this.#runs, ({ ordinal }) => ordinal < run.ordinal);
    if (this.#runs[place] !== run) this.#runs.splice(place, 0, run);
  }

  /** Removes those at the end that don't belong any more. */
  findLast(): RunRows | undefined {
    for (;;) {
      const last = this.#runs.at(-1);
      if (last === undefined || this.#belongs(last)) return last;
      this.#runs.pop();
    }
  }
}

/** Where a row finds the run that it belongs to. */
class RunIndex {
  /** The last run for each start, in epoch milliseconds. */
  readonly #byStart = new Map<number, RunRows>();
  readonly #unstarted = new Candidates(({ startedAt }) => startedAt === null);
  readonly #unstartedOpen = new Candidates(({ startedAt, isOver }) => startedAt === null && !isOver);
  readonly #open = new Candidates(({ isOver }) => !isOver);

  /** Adds a new or changed run. */
  offer(run: RunRows): void {
    const start = run.startedAt?.getTime();
    if (start !== undefined && (this.#byStart.get(start)?.ordinal ?? -1) < run.ordinal)
      this.#byStart.set(start, run);
    for (const candidates of [this.#unstarted, this.#unstartedOpen, this.#open]) candidates.offer(run);
  }

  /** `last`: the last run of all. */
  find({ startedAt, status }: NodeLog, last: RunRows | undefined): RunRows | undefined {
    // Without times, a node that continues after its end can only be in another iteration of a loop.
    const startsAgain = status?.isTerminal === false;
    if (startedAt === null) return startsAgain ? this.#open.findLast() : last;
    const started = this.#byStart.get(startedAt.getTime());
    const unstarted = (startsAgain ? this.#unstartedOpen : this.#unstarted).findLast();
    if (started === undefined || unstarted === undefined) return started ?? unstarted;
    return started.ordinal > unstarted.ordinal ? started : unstarted;
  }
}

/** The runs of one node in one numbered iteration and attempt; several if the service doesn't number a loop's iterations. */
class AttemptRuns {
  runs: RunRows[] = [];
  /** Rows whose place is before rows that are already folded. */
  late: PlacedRow[] = [];
  #index = new RunIndex();
  #last: PlacedRow | undefined;
  #isTimed = true;
  /** False if a row without a time was evicted. */
  #wasTimed = true;

  isLate({ position }: PlacedRow): boolean {
    return this.#last !== undefined && this.#last.position > position;
  }

  noteUntimed(): void {
    this.#wasTimed = false;
  }

  /** Returns true when the row starts a run. */
  add(placed: PlacedRow, reuse?: ReadonlyMap<PlacedRow | undefined, RunRows>): boolean {
    const { row } = placed;
    this.#last = placed;
    if (row.startedAt === null) this.#isTimed = false;
    const known = this.find(row);
    const run = known ?? reuse?.get(placed) ?? new RunRows();
    if (known !== undefined) run.add(placed);
    else {
      run.begin(this.runs.length, placed);
      this.runs.push(run);
    }
    this.#index.offer(run);
    return known === undefined;
  }

  /** Returns the last run that the row can belong to. */
  find(row: NodeLog): RunRows | undefined {
    return this.#index.find(row, this.runs.at(-1));
  }

  /** Replaces an earlier row if no row changes its run. Returns false when all rows must be refolded. */
  replace(placed: PlacedRow, earlier: NodeLog): boolean {
    const { row, run, at } = placed;
    if (run === null || row.startedAt?.getTime() !== earlier.startedAt?.getTime()) return false;
    const isSameIteration = row.status?.isTerminal === earlier.status?.isTerminal || this.#isTimed;
    const isOnlyRun = this.#last === placed && this.runs.length === 1 && !run.hasEvicted;
    if (!isSameIteration && !(isOnlyRun && (at === 0 || row.status?.isTerminal !== false))) return false;
    run.replace(placed);
    this.#index.offer(run);
    return true;
  }

  /**
   * Refolds all rows in memory, except those that have moved to another node. Rows that were evicted come before them, and stay folded.
   * Returns true when the runs have changed.
   */
  refold(isOwn: (row: NodeLog) => boolean): boolean {
    const earlier = this.runs;
    // A row that left the node and came back within one batch is in both.
    const all = new Set([...earlier.flatMap(({ rows: own }) => own), ...this.late]);
    const rows = [...all].filter(({ row }) => isOwn(row));
    rows.sort((one, other) => one.position - other.position);
    const reuse = new Map(earlier.filter(({ hasEvicted }) => !hasEvicted).map((run) => [run.first, run]));
    for (const run of earlier) run.empty();
    this.runs = [];
    this.late = [];
    this.#index = new RunIndex();
    this.#last = undefined;
    this.#isTimed = this.#wasTimed;
    for (const run of earlier) if (run.hasEvicted) this.#addEvicted(run);
    for (const placed of rows) this.add(placed, reuse);
    return this.runs.length !== earlier.length || this.runs.some((run, index) => run !== earlier[index]);
  }

  /** Adds a run whose first rows were evicted, before its other rows. */
  #addEvicted(run: RunRows): void {
    run.ordinal = this.runs.length;
    this.runs.push(run);
    this.#index.offer(run);
  }
}
