import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { FoldedRun } from './foldedRun.ts';
import { type Keeping, leavingRow, type Member, members, RunSummary } from './runSummary.ts';

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

const nowhere: Readonly<Record<Member, number>> = {
  nodeType: -1,
  status: -1,
  startedAt: -1,
  completedAt: -1,
  durationMs: -1,
  error: -1,
  input: -1,
  output: -1,
};

/** The rows of one node run. The cost of adding or replacing a row doesn't depend on the number of rows. */
export class RunRows {
  /** The run's place among the runs of its node. */
  turn = 0;
  /** Its place among all runs. */
  index = 0;
  /** The rows that are still in memory. */
  rows: PlacedRow[] = [];
  /** What remains of those that left memory. */
  readonly #summary = new RunSummary();
  #logs: NodeLog[] = [];
  /** The index of the row that each member is taken from, among those in memory; -1: none of them has it. */
  #sources = { ...nowhere };
  /** Index of the first row in memory among the rows of the run. */
  #offset = 0;
  #key = '';
  #position = 0;
  #run: NodeRun | undefined;
  /** The run that was built before refolding, and its rows. */
  #earlier: { readonly run: NodeRun; readonly logs: readonly NodeLog[] } | undefined;

  get key(): string {
    return this.#key;
  }

  /** Those that remain of the rows that left memory, then those in memory. */
  get logs(): readonly NodeLog[] {
    return this.#logs;
  }

  get first(): PlacedRow | undefined {
    return this.rows[0];
  }

  get last(): PlacedRow | undefined {
    return this.rows.at(-1);
  }

  /** True if rows have left memory. */
  get hasLeft(): boolean {
    return this.#offset > 0;
  }

  /** The index of its first row among all rows. */
  get position(): number {
    return this.hasLeft ? this.#position : (this.first?.position ?? 0);
  }

  get startedAt(): Date | null {
    return this.#value('startedAt') ?? null;
  }

  /** False until a row says that the run has ended. */
  get isOver(): boolean {
    return this.#value('status')?.isTerminal === true;
  }

  /** The estimated size of what remains of the rows that left. */
  get summaryBytes(): number {
    return this.#summary.bytes;
  }

  /** `turn`: how many runs the node already has. */
  begin(turn: number, placed: PlacedRow): void {
    const { nodeId, iteration, attempt, startedAt } = placed.row;
    this.turn = turn;
    this.#key = JSON.stringify([nodeId, iteration, attempt, startedAt?.getTime() ?? `turn ${turn}`]);
    this.add(placed);
  }

  add(placed: PlacedRow): void {
    const index = this.rows.length;
    this.rows.push(placed);
    this.#logs.push(placed.row);
    placed.run = this;
    placed.at = this.#offset + index;
    for (const member of members) this.#learn(member, index, placed.row);
    this.#summary.makeRoom(this.#logs, this.rows.length);
    this.#run = undefined;
  }

  /** `at`: the row's index among the rows of the run. */
  replace(at: number, row: NodeLog): void {
    const index = at - this.#offset;
    this.#logs[this.#summary.count + index] = row;
    for (const member of members) {
      const isTold = row[member] !== null && row[member] !== undefined;
      if (index === this.#sources[member] && !isTold) this.#lookAgain(member);
      else this.#learn(member, index, row);
    }
    this.#run = undefined;
  }

  /** Lets the first rows leave memory. The run stays as it is, without some of its logs and maybe with large values cut. */
  leave(count: number, keeping: Keeping): void {
    if (!this.hasLeft) this.#position = this.position;
    const leaving = this.rows.slice(0, count).map(({ row }) => row);
    this.rows = this.rows.slice(count);
    this.#summary.take(leaving, keeping);
    this.#offset += leaving.length;
    for (const member of members) this.#sources[member] = Math.max(-1, this.#sources[member] - count);
    const kept = this.#summary.count;
    this.#logs = [
      ...this.#logs.slice(0, kept),
      ...leaving.map(leavingRow),
      ...this.#logs.slice(kept + leaving.length),
    ];
    this.#summary.shorten(this.#logs, leaving.length, this.rows.length, keeping);
    this.#run = undefined;
  }

  /** Cuts large values of the rows that left memory. Returns by how much the summary has shrunk, in bytes. */
  cutLeft(): number {
    const before = this.summaryBytes;
    this.#summary.cut();
    const saved = before - this.summaryBytes;
    if (saved > 0) this.#run = undefined;
    return saved;
  }

  /** Removes the rows before refolding, except those that left memory. */
  empty(): void {
    this.#earlier = { run: this.toNodeRun(), logs: this.#logs };
    this.rows = [];
    this.#logs = this.#logs.slice(0, this.#summary.count);
    this.#sources = { ...nowhere };
    this.#run = undefined;
  }

  /** Returns the run made from its rows; the same object until a row is added, replaced or left. Its `logs` are always those of now. */
  toNodeRun(): NodeRun {
    this.#run ??= this.#unchanged() ?? this.#build();
    this.#earlier = undefined;
    return this.#run;
  }

  #build(): NodeRun {
    const [first] = this.#logs;
    const [startedAt, completedAt] = [this.startedAt, this.#value('completedAt') ?? null];
    const measured = startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
    return new FoldedRun(this, {
      key: this.#key,
      nodeId: first?.nodeId ?? '',
      nodeName: first?.nodeName ?? '',
      nodeType: this.#value('nodeType') ?? null,
      iteration: first?.iteration ?? [],
      attempt: first?.attempt ?? 1,
      status: this.#value('status') ?? null,
      startedAt,
      completedAt,
      durationMs: this.#logs.at(-1)?.durationMs ?? measured ?? this.#value('durationMs') ?? null,
      error: this.#value('error') ?? null,
      input: this.#value('input'),
      output: this.#value('output'),
      valueKeys: this.hasLeft ? { input: this.#keyOf('input'), output: this.#keyOf('output') } : null,
    });
  }

  /** Returns the run from before refolding if its rows are the same. */
  #unchanged(): NodeRun | undefined {
    const earlier = this.#earlier;
    const isSame =
      earlier?.run.key === this.#key &&
      earlier.logs.length === this.#logs.length &&
      earlier.logs.every((row, at) => row === this.#logs[at]);
    return isSame ? earlier.run : undefined;
  }

  #value<M extends Member>(member: M): NodeLog[M] | undefined {
    const source = this.rows[this.#sources[member]];
    return source === undefined ? this.#summary.find(member) : source.row[member];
  }

  #keyOf(side: 'input' | 'output'): string | null {
    return this.rows[this.#sources[side]]?.row.key ?? this.#summary.keys[side];
  }

  /** Rows without a value may have null in its place, which mustn't overwrite the value of another row. */
  #learn(member: Member, index: number, row: NodeLog): void {
    const value = row[member];
    const source = this.#sources[member];
    const known = this.#value(member);
    if (value === undefined || (value === null && known !== undefined)) return;
    if (value === null || index > source || (known ?? null) === null) this.#sources[member] = index;
  }

  #lookAgain(member: Member): void {
    this.#sources[member] = -1;
    for (const [index, { row }] of this.rows.entries()) this.#learn(member, index, row);
  }
}
