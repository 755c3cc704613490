import { stringifyJson } from '../../base/json.ts';
import type { NodeLog, ValueName } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { type Keeping, type Member, members, RunSummary } from './runSummary.ts';

/** A row of an execution, with its place among all rows and in its node run. Owned by a feed, which moves it. */
export interface PlacedRow {
  row: NodeLog;
  /** Index among all rows. */
  position: number;
  /** null: the row belongs to the execution, not to a node. */
  run: RunRows | null;
  /** Index among the rows of its run. */
  at: number;
}

const noSources: Readonly<Record<Member, PlacedRow | null>> = {
  nodeType: null,
  status: null,
  startedAt: null,
  completedAt: null,
  durationMs: null,
  error: null,
  input: null,
  output: null,
  exchange: null,
};

/** The rows of one node run. The cost of adding or replacing a row doesn't depend on the number of rows. */
export class RunRows {
  /** The run's place among the runs of its node. */
  ordinal = 0;
  /** Its place among all runs. */
  index = 0;
  /** See NodeRun. */
  isHandled = false;
  /** The rows that are still in memory. */
  rows: PlacedRow[] = [];
  /** What remains of those that were evicted. */
  readonly #summary = new RunSummary();
  /** The row in memory that each member is taken from; null: none of them has it. */
  #sources = { ...noSources };
  /** Index of the first row in memory among the rows of the run. */
  #offset = 0;
  #key = '';
  #position = 0;
  // Both are made on read.
  #logs: readonly NodeLog[] | undefined;
  #run: NodeRun | undefined;
  /** The run that was built before refolding, and its rows. */
  #earlier: { readonly run: NodeRun; readonly logs: readonly NodeLog[] } | undefined;

  get key(): string {
    return this.#key;
  }

  /** Those that remain of the evicted rows, then those in memory. */
  get logs(): readonly NodeLog[] {
    return (this.#logs ??= [...this.#summary.logs, ...this.rows.map(({ row }) => row)]);
  }

  get firstLog(): NodeLog | undefined {
    return this.#summary.firstLog ?? this.first?.row;
  }

  get lastLog(): NodeLog | undefined {
    return this.last?.row ?? this.#summary.lastLog;
  }

  get first(): PlacedRow | undefined {
    return this.rows[0];
  }

  get last(): PlacedRow | undefined {
    return this.rows.at(-1);
  }

  /** True if rows were evicted. */
  get hasEvicted(): boolean {
    return this.#offset > 0;
  }

  /** The index of its first row among all rows. */
  get position(): number {
    return this.hasEvicted ? this.#position : (this.first?.position ?? 0);
  }

  get startedAt(): Date | null {
    return this.find('startedAt') ?? null;
  }

  /** False until a row says that the run has ended. */
  get isOver(): boolean {
    return this.find('status')?.isTerminal === true;
  }

  /** The estimated size of what remains of the evicted rows. */
  get summaryBytes(): number {
    return this.#summary.bytes;
  }

  /** undefined: no row has it. */
  find<M extends Member>(member: M): NodeLog[M] | undefined {
    const source = this.#sources[member];
    return source === null ? this.#summary.find(member) : source.row[member];
  }

  /** The keys of the rows that the values were taken from. */
  get valueKeys(): Readonly<Record<ValueName, string | null>> {
    const keyOf = (name: ValueName) => this.#sources[name]?.row.key ?? this.#summary.keys[name];
    return { input: keyOf('input'), output: keyOf('output'), exchange: keyOf('exchange') };
  }

  /** `ordinal`: how many runs the node already has. */
  begin(ordinal: number, placed: PlacedRow): void {
    const { nodeId, iteration, attempt, startedAt } = placed.row;
    this.ordinal = ordinal;
    this.#key = stringifyJson([nodeId, iteration, attempt, startedAt?.getTime() ?? `run ${ordinal}`]);
    this.add(placed);
  }

  add(placed: PlacedRow): void {
    placed.run = this;
    placed.at = this.#offset + this.rows.length;
    this.rows.push(placed);
    for (const member of members) this.#learn(member, placed);
    this.#summary.makeRoom(this.rows.length);
    this.noteChanged();
  }

  /** Call when a row of the run has been replaced. */
  replace(placed: PlacedRow): void {
    for (const member of members) {
      const isSource = this.#sources[member] === placed;
      if (isSource && (placed.row[member] ?? null) === null) this.#lookAgain(member);
      else this.#learn(member, placed);
    }
    this.noteChanged();
  }

  /** Lets go of the first rows. The run stays as it is, without some of its logs and maybe with large values truncated. */
  evict(count: number, keeping: Keeping): void {
    if (!this.hasEvicted) this.#position = this.position;
    const evicted = this.rows.slice(0, count).map(({ row }) => row);
    this.rows = this.rows.slice(count);
    this.#offset += evicted.length;
    for (const member of members)
      if ((this.#sources[member]?.at ?? Infinity) < this.#offset) this.#sources[member] = null;
    this.#summary.take(evicted, this.rows.length, keeping);
    this.noteChanged();
  }

  /** Truncates large values of the evicted rows. */
  truncateEvicted(): void {
    if (this.#summary.truncate()) this.noteChanged();
  }

  /** Removes the rows before refolding, except the evicted ones. */
  empty(): void {
    if (this.#run !== undefined) this.#earlier = { run: this.#run, logs: this.logs };
    this.rows = [];
    this.#sources = { ...noSources };
    this.noteChanged();
  }

  /** Returns the run made from its rows; the same object until a row is added, replaced or evicted. Its `logs` are always those of now. */
  toNodeRun(): NodeRun {
    if (this.#run?.isHandled !== this.isHandled) this.#run = undefined;
    this.#run ??= this.#unchanged() ?? new FoldedRun(this);
    this.#earlier = undefined;
    return this.#run;
  }

  /** Call when one of the rows is another, or has moved. */
  noteChanged(): void {
    this.#logs = undefined;
    this.#run = undefined;
  }

  /** Returns the run from before refolding if its rows are the same. */
  #unchanged(): NodeRun | undefined {
    const earlier = this.#earlier;
    const isSame =
      earlier?.run.key === this.#key &&
      earlier.run.isHandled === this.isHandled &&
      earlier.logs.length === this.logs.length &&
      earlier.logs.every((row, at) => row === this.logs[at]);
    return isSame ? earlier.run : undefined;
  }

  /** Rows without a value may have null in its place, which mustn't overwrite the value of another row. */
  #learn(member: Member, placed: PlacedRow): void {
    const value = placed.row[member];
    const source = this.#sources[member];
    const known = this.find(member);
    if (value === undefined || (value === null && known !== undefined)) return;
    const isLater = source === null || placed.at > source.at;
    if (value === null || isLater || (known ?? null) === null) this.#sources[member] = placed;
  }

  #lookAgain(member: Member): void {
    this.#sources[member] = null;
    for (const placed of this.rows) this.#learn(member, placed);
  }
}

/** A node run as its rows show it. It refers to them, so that a run that someone keeps has the logs of now. */
class FoldedRun implements NodeRun {
  readonly key: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string | null;
  readonly iteration: readonly number[];
  readonly attempt: number;
  readonly status: NodeRun['status'];
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly error: NodeRun['error'];
  readonly reusedFrom: string | null;
  readonly isPinned: boolean;
  readonly isAnswered: boolean;
  readonly children: readonly string[];
  readonly isHandled: boolean;
  readonly input: NodeRun['input'];
  readonly output: NodeRun['output'];
  readonly exchange: NodeRun['exchange'];
  readonly valueKeys: NodeRun['valueKeys'];
  readonly #rows: RunRows;

  constructor(rows: RunRows) {
    const { firstLog, lastLog, startedAt } = rows;
    const completedAt = rows.find('completedAt') ?? null;
    const measured = startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
    this.key = rows.key;
    this.nodeId = firstLog?.nodeId ?? '';
    this.nodeName = firstLog?.nodeName ?? '';
    this.nodeType = rows.find('nodeType') ?? null;
    this.iteration = firstLog?.iteration ?? [];
    this.attempt = firstLog?.attempt ?? 1;
    this.status = rows.find('status') ?? null;
    this.startedAt = startedAt;
    this.completedAt = completedAt;
    this.durationMs = lastLog?.durationMs ?? measured ?? rows.find('durationMs') ?? null;
    this.error = rows.find('error') ?? null;
    this.reusedFrom = lastLog?.reusedFrom ?? null;
    this.isPinned = lastLog?.isPinned ?? false;
    this.isAnswered = lastLog?.isAnswered ?? false;
    this.children = lastLog?.children ?? [];
    this.isHandled = rows.isHandled;
    this.input = rows.find('input');
    this.output = rows.find('output');
    this.exchange = rows.find('exchange');
    this.valueKeys = rows.hasEvicted ? rows.valueKeys : null;
    this.#rows = rows;
  }

  get logs(): readonly NodeLog[] {
    return this.#rows.logs;
  }
}
