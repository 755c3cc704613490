import { stringifyJson } from '../../base/json.ts';
import { countBefore } from '../../base/sorted.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { HandledFailures } from './handledFailures.ts';
import { isAfter, type Place, type PlacedRow, RunRows, type RunSource } from './runRows.ts';
import { RunTree } from './runTree.ts';

/** A row with the node run that it's in; null: in none so far. */
export interface OwnedRow extends PlacedRow {
  readonly runId: number | null;
}

/** Where the rows are that node runs were folded from. */
export interface NodeRunsSource extends RunSource {
  /** Returns an id that no other run has. */
  readonly nextRunId: () => number;
  /** All rows of these runs, in order. */
  readonly ofRuns: (runIds: readonly number[]) => readonly OwnedRow[];
}

/** Folds rows into node runs as they arrive. Each iteration of a loop and each attempt is a separate run. Keeps no row. */
export class NodeRuns {
  readonly #source: NodeRunsSource;
  readonly #nodes = new Map<string, AttemptRuns>();
  readonly #stale = new Set<AttemptRuns>();
  readonly #failures = new HandledFailures();
  readonly #byId = new Map<number, RunRows>();
  #runs: RunRows[] = [];
  #forgottenCount = 0;
  #isOrdered = true;
  /** Rows that belong to no run any more. */
  #left: OwnedRow[] = [];
  // All are built on read.
  #current: readonly NodeRun[] | undefined;
  #byKey: Map<string, RunRows> | undefined;
  #tree: RunTree | undefined;
  /** What the tree doesn't know yet. */
  readonly #changed = new Set<RunRows>();

  constructor(source: NodeRunsSource) {
    this.#source = source;
  }

  /** How many runs there are. */
  get count(): number {
    return this.#runs.length;
  }

  /** How many runs were forgotten. */
  get forgottenCount(): number {
    return this.#forgottenCount;
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
    return this.#findRows(key)?.toNodeRun();
  }

  /** Returns the run with this id, as the rows have it. */
  ofId(id: number): NodeRun | undefined {
    return this.#byId.get(id)?.toNodeRun();
  }

  /** Returns the id of the first run with this key. */
  idOf(key: string): number | undefined {
    return this.#findRows(key)?.id;
  }

  /**
   * Adds a row that comes after all others, or before some. Returns the id of its run; null where it has none before the batch is settled. The
   * cost doesn't grow with the number of rows, unless rows of the same node come after it.
   */
  add(placed: PlacedRow): number | null {
    const node = this.#nodeOf(placed.row);
    if (node === undefined) return null;
    if (node.isLate(placed) || this.#stale.has(node)) {
      this.#unsettle(node, placed);
      return null;
    }
    const { run, isNew } = node.add(placed);
    if (isNew) this.#appendRun(run);
    this.#noteRow(run);
    return run.id;
  }

  /** Takes another row in the place of `earlier`. */
  replace(placed: OwnedRow, earlier: NodeLog): void {
    const earlierNode = this.#nodeOf(earlier);
    const node = this.#nodeOf(placed.row);
    const run = placed.runId === null ? undefined : this.#byId.get(placed.runId);
    // Its run was forgotten.
    if (placed.runId !== null && run === undefined) return;
    run?.noteChanged();
    if (node !== undefined && node === earlierNode) {
      if (!this.#stale.has(node) && run !== undefined && node.replace(placed, earlier, run))
        this.#noteRow(run);
      else this.#unsettle(node, placed);
      return;
    }
    if (earlierNode !== undefined) this.#unsettle(earlierNode);
    if (node === undefined) this.#left.push({ ...placed, runId: null });
    else this.#unsettle(node, placed);
  }

  /** False for the id of a run that was forgotten. */
  has(id: number): boolean {
    return this.#byId.has(id);
  }

  /** Call when values of the rows with these keys were truncated or forgotten. */
  noteReduced(keys: ReadonlySet<string>): void {
    for (const run of this.#runs) if (run.noteReduced(keys)) this.#noteChanged(run);
  }

  /** Ends a batch: folds the nodes anew whose rows arrived out of order. Returns the rows that are in another run than before. */
  settle(): readonly OwnedRow[] {
    const moved = this.#left;
    this.#left = [];
    for (const node of this.#stale) {
      const known = this.#source.ofRuns(node.runs.map(({ id }) => id));
      const rows = known.filter(({ row }) => this.#nodeOf(row) === node);
      const { hasOthers, moved: movedHere } = node.refold(rows);
      if (hasOthers) this.#isOrdered = false;
      moved.push(...movedHere);
      for (const run of node.runs) this.#noteChanged(run);
      this.#byKey = undefined;
    }
    if (this.#stale.size > 0 || !this.#isOrdered) this.#failures.markStale();
    this.#stale.clear();
    if (!this.#isOrdered) this.#order();
    for (const run of this.#failures.settle(this.#runs)) this.#noteChanged(run);
    return moved;
  }

  /**
   * Forgets so many runs between two batches, the oldest ones first. Those that failed or haven't ended come last, and after them the last one
   * of each node. Returns their ids. A row that comes for one of them begins a run again.
   */
  forget(count: number): readonly number[] {
    const lastOfNode = new Set(new Map(this.#runs.map((run) => [run.firstLog?.nodeId, run])).values());
    const ranks = Map.groupBy(this.#runs, (run) => {
      if (lastOfNode.has(run)) return 'lastOfNode';
      return run.isOver && (run.isHandled || run.find('status')?.state !== 'failed') ? 'ended' : 'unsettled';
    });
    const inOrder = (['ended', 'unsettled', 'lastOfNode'] as const).flatMap((rank) => ranks.get(rank) ?? []);
    const forgotten = new Set(inOrder.slice(0, count));
    if (forgotten.size === 0) return [];
    for (const [key, node] of this.#nodes) if (!node.forget(forgotten)) this.#nodes.delete(key);
    this.#forgottenCount += forgotten.size;
    this.#failures.forget(forgotten);
    this.#order();
    return Array.from(forgotten, ({ id }) => id);
  }

  #findRows(key: string): RunRows | undefined {
    this.#byKey ??= new Map(this.#runs.toReversed().map((run) => [run.key, run]));
    return this.#byKey.get(key);
  }

  #noteRow(run: RunRows): void {
    this.#failures.noteChange(run);
    this.#noteChanged(run);
  }

  #noteChanged(run: RunRows): void {
    this.#current = undefined;
    if (this.#tree !== undefined) this.#changed.add(run);
  }

  #appendRun(run: RunRows): void {
    const last = this.#runs.at(-1);
    if (last && isAfter(last.first, run.first)) this.#isOrdered = false;
    run.index = this.#runs.length;
    this.#runs.push(run);
    this.#byId.set(run.id, run);
    for (const handled of this.#failures.noteBegin(run)) this.#noteChanged(handled);
    if (this.#byKey?.has(run.key) === false) this.#byKey.set(run.key, run);
  }

  #order(): void {
    const all = [...this.#nodes.values()].flatMap(({ runs }) => runs);
    this.#runs = all.sort((one, other) => (isAfter(one.first, other.first) ? 1 : -1));
    this.#isOrdered = true;
    this.#current = undefined;
    this.#byKey = undefined;
    this.#changed.clear();
    this.#byId.clear();
    for (const [index, run] of this.#runs.entries()) {
      run.index = index;
      this.#byId.set(run.id, run);
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
    return getOrInsert(this.#nodes, key, () => new AttemptRuns(this.#source));
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

const isUnstarted = ({ startedAt }: RunRows): boolean => startedAt === null;
const isOpen = ({ isOver }: RunRows): boolean => !isOver;
const isUnstartedOpen = (run: RunRows): boolean => isUnstarted(run) && isOpen(run);

/** Where a row finds the run that it belongs to. */
class RunIndex {
  /** The last run for each start, in epoch milliseconds. */
  readonly #byStart = new Map<number, RunRows>();
  readonly #unstarted = new Candidates(isUnstarted);
  readonly #unstartedOpen = new Candidates(isUnstartedOpen);
  readonly #open = new Candidates(isOpen);

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
  /** Rows whose place is before rows that are already folded, or that belonged to another node. */
  late: PlacedRow[] = [];
  readonly #source: NodeRunsSource;
  #index = new RunIndex();
  #last: Place | undefined;
  #isTimed = true;
  #forgottenCount = 0;

  constructor(source: NodeRunsSource) {
    this.#source = source;
  }

  isLate(placed: PlacedRow): boolean {
    return this.#last !== undefined && isAfter(this.#last, placed);
  }

  /** `reuse`: runs from before, by the id of their first row. */
  add(
    placed: PlacedRow,
    reuse?: ReadonlyMap<number, RunRows>,
  ): { readonly run: RunRows; readonly isNew: boolean } {
    const { id, place, row } = placed;
    this.#last = { id, place };
    if (row.startedAt === null) this.#isTimed = false;
    const known = this.#index.find(row, this.runs.at(-1));
    const run = known ?? reuse?.get(id) ?? new RunRows(this.#source.nextRunId(), this.#source);
    if (known !== undefined) run.add(placed);
    else {
      run.begin(this.#forgottenCount + this.runs.length, placed);
      this.runs.push(run);
    }
    this.#index.offer(run);
    return { run, isNew: known === undefined };
  }

  /** Takes another row of a run in the place of one if no row changes its run. Returns false when all rows must be folded anew. */
  replace(placed: PlacedRow, earlier: NodeLog, run: RunRows): boolean {
    const { id, row } = placed;
    if (row.startedAt?.getTime() !== earlier.startedAt?.getTime()) return false;
    const isSameIteration = row.status?.isTerminal === earlier.status?.isTerminal || this.#isTimed;
    const isOnlyRun = this.#last?.id === id && this.runs.length === 1;
    if (!isSameIteration && !(isOnlyRun && (run.count === 1 || row.status?.isTerminal !== false)))
      return false;
    if (!run.replace(placed)) return false;
    this.#index.offer(run);
    return true;
  }

  /** Forgets those of the runs that are here. Returns false if none is left. */
  forget(forgotten: ReadonlySet<RunRows>): boolean {
    const left = this.runs.filter((run) => !forgotten.has(run));
    if (left.length === this.runs.length) return true;
    this.#forgottenCount += this.runs.length - left.length;
    this.runs = left;
    this.#index = new RunIndex();
    for (const run of left) this.#index.offer(run);
    return left.length > 0;
  }

  /** Folds all rows anew, these and the late ones. `hasOthers`: the runs aren't the same as before. */
  refold(rows: readonly OwnedRow[]): { readonly hasOthers: boolean; readonly moved: readonly OwnedRow[] } {
    const earlier = this.runs;
    // A row that was replaced is in both.
    const late = new Map(this.late.map((each) => [each.id, { ...each, runId: null }]));
    const all = [...rows.filter(({ id }) => !late.has(id)), ...late.values()];
    all.sort((one, other) => (isAfter(one, other) ? 1 : -1));
    const reuse = new Map(earlier.map((run) => [run.first.id, run]));
    for (const run of earlier) run.empty();
    this.runs = [];
    this.late = [];
    this.#index = new RunIndex();
    this.#last = undefined;
    this.#isTimed = true;
    const moved: OwnedRow[] = [];
    for (const placed of all) {
      const { run } = this.add(placed, reuse);
      if (placed.runId !== run.id) moved.push({ ...placed, runId: run.id });
    }
    const hasOthers =
      this.runs.length !== earlier.length || this.runs.some((run, index) => run !== earlier[index]);
    return { hasOthers, moved };
  }
}
