import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

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

/** The members that a run takes from its rows, each from the last row that has it. */
const members = [
  'nodeType',
  'status',
  'startedAt',
  'completedAt',
  'durationMs',
  'error',
  'input',
  'output',
] as const;
type Member = (typeof members)[number];

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
  rows: PlacedRow[] = [];
  #logs: NodeLog[] = [];
  /** The index of the row that each member is taken from; -1: no row has it. */
  #sources = { ...nowhere };
  #key = '';
  #run: NodeRun | undefined;
  /** The run that was built before refolding. */
  #earlier: NodeRun | undefined;

  get first(): PlacedRow | undefined {
    return this.rows[0];
  }

  /** The index of its first row among all rows. */
  get position(): number {
    return this.first?.position ?? 0;
  }

  get startedAt(): Date | null {
    return this.#value('startedAt') ?? null;
  }

  /** False until a row says that the run has ended. */
  get isOver(): boolean {
    return this.#value('status')?.isTerminal === true;
  }

  /** `turn`: how many runs the node already has. */
  begin(turn: number, placed: PlacedRow): void {
    const { nodeId, iteration, attempt, startedAt } = placed.row;
    this.turn = turn;
    this.#key = JSON.stringify([nodeId, iteration, attempt, startedAt?.getTime() ?? `turn ${turn}`]);
    this.add(placed);
  }

  add(placed: PlacedRow): void {
    const at = this.rows.length;
    this.rows.push(placed);
    this.#logs.push(placed.row);
    placed.run = this;
    placed.at = at;
    for (const member of members) this.#learn(member, at, placed.row);
    this.#run = undefined;
  }

  replace(at: number, row: NodeLog): void {
    this.#logs[at] = row;
    for (const member of members) {
      const isTold = row[member] !== null && row[member] !== undefined;
      if (at === this.#sources[member] && !isTold) this.#lookAgain(member);
      else this.#learn(member, at, row);
    }
    this.#run = undefined;
  }

  /** Removes the rows before refolding. */
  empty(): void {
    this.#earlier = this.toNodeRun();
    this.rows = [];
    this.#logs = [];
    this.#sources = { ...nowhere };
    this.#run = undefined;
  }

  /** Returns the run made from its rows; the same object until a row is added or replaced. Its `logs` grow in place. */
  toNodeRun(): NodeRun {
    this.#run ??= this.#unchanged() ?? this.#build();
    this.#earlier = undefined;
    return this.#run;
  }

  #build(): NodeRun {
    const [first] = this.#logs;
    const [startedAt, completedAt] = [this.startedAt, this.#value('completedAt') ?? null];
    const measured = startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
    return {
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
      logs: this.#logs,
    };
  }

  /** Returns the run from before refolding if its rows are the same. */
  #unchanged(): NodeRun | undefined {
    const run = this.#earlier;
    const isSame =
      run?.key === this.#key &&
      run.logs.length === this.#logs.length &&
      run.logs.every((row, at) => row === this.#logs[at]);
    return isSame ? run : undefined;
  }

  #value<M extends Member>(member: M): NodeLog[M] | undefined {
    return this.#logs[this.#sources[member]]?.[member];
  }

  /** Rows without a value may have null in its place, which mustn't overwrite the value of another row. */
  #learn(member: Member, at: number, row: NodeLog): void {
    const value = row[member];
    const source = this.#sources[member];
    const known = this.#value(member) ?? null;
    if (value === undefined || (value === null && source !== -1)) return;
    if (value === null || at > source || known === null) this.#sources[member] = at;
  }

  #lookAgain(member: Member): void {
    this.#sources[member] = -1;
    for (const [at, row] of this.#logs.entries()) this.#learn(member, at, row);
  }
}
