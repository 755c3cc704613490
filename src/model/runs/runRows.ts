import { stringifyJson } from '../../base/json.ts';
import { type NodeLog, type ValueName, valueNames } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { forgottenValue } from './rowSizes.ts';
import type { Values } from './runValues.ts';

/** Orders the rows of an execution: by place, and with the same place by id. Doesn't change as a position does. */
export interface Place {
  readonly id: number;
  readonly place: number;
}

/** A row of an execution, with its place among all rows. */
export interface PlacedRow extends Place {
  readonly row: NodeLog;
}

/** What a node run reads of its rows when it's asked for: it keeps none of them. */
export interface RunSource {
  /** The first and the last rows of a run, in order, as many as are kept of it. `count`: how many it has. */
  readonly logsOf: (runId: number, count: number) => readonly NodeLog[];
  /** The values of the row with this key; undefined if they were forgotten. */
  readonly valuesOf: (key: string) => Values | undefined;
}

/** The members that a run takes from its rows, each from the last row that has it. */
const plainMembers = ['nodeType', 'status', 'startedAt', 'completedAt', 'durationMs', 'error'] as const;
type PlainMember = (typeof plainMembers)[number];

/** What a run takes from its first row, and from its last one. */
type FirstRow = Pick<NodeLog, 'nodeId' | 'nodeName' | 'iteration' | 'attempt'>;
type LastRow = Pick<NodeLog, 'durationMs' | 'reusedFrom' | 'isPinned' | 'isAnswered' | 'children'>;

/** Where a value is. */
interface Holder extends Place {
  readonly key: string;
}

type Members = { -readonly [M in PlainMember]?: NodeLog[M] };

export function isAfter(one: Place, other: Place): boolean {
  return one.place > other.place || (one.place === other.place && one.id > other.id);
}

/** One node run, folded from its rows. The cost of a row doesn't depend on the number of rows. */
export class RunRows {
  readonly id: number;
  /** The run's place among the runs of its node. */
  ordinal = 0;
  /** Its place among all runs. */
  index = 0;
  /** See NodeRun. */
  isHandled = false;
  readonly #source: RunSource;
  #first: FirstRow | undefined;
  #firstPlace: Place = { id: 0, place: 0 };
  #last: LastRow | undefined;
  #lastPlace: Place = { id: 0, place: 0 };
  #members: Members = {};
  /** The rows that they were taken from. */
  #sources: Partial<Record<PlainMember, Place>> = {};
  #holders: Partial<Record<ValueName, Holder>> = {};
  #count = 0;
  /** Tells the rows from others. */
  #hash = 0;
  #key = '';
  // Both are made on read.
  #logs: readonly NodeLog[] | undefined;
  #run: NodeRun | undefined;
  /** The run that was built before refolding, and what its rows were. */
  #earlier: { readonly run: NodeRun; readonly hash: number; readonly count: number } | undefined;

  constructor(id: number, source: RunSource) {
    this.id = id;
    this.#source = source;
  }

  get key(): string {
    return this.#key;
  }

  /** Where the first row is. */
  get first(): Place {
    return this.#firstPlace;
  }

  get last(): Place {
    return this.#lastPlace;
  }

  get count(): number {
    return this.#count;
  }

  get firstLog(): FirstRow | undefined {
    return this.#first;
  }

  get lastLog(): LastRow | undefined {
    return this.#last;
  }

  get logs(): readonly NodeLog[] {
    return (this.#logs ??= this.#source.logsOf(this.id, this.#count));
  }

  get startedAt(): Date | null {
    return this.find('startedAt') ?? null;
  }

  /** False until a row says that the run has ended. */
  get isOver(): boolean {
    return this.find('status')?.isTerminal === true;
  }

  /** The keys of the rows that the values were taken from. */
  get valueKeys(): Readonly<Record<ValueName, string | null>> {
    const keyOf = (name: ValueName) => this.#holders[name]?.key ?? null;
    return { input: keyOf('input'), output: keyOf('output'), exchange: keyOf('exchange') };
  }

  /** undefined: no row has it. */
  find<M extends PlainMember>(member: M): NodeLog[M] | undefined {
    return this.#members[member];
  }

  findValue(name: ValueName): NodeLog[ValueName] {
    const holder = this.#holders[name];
    if (holder === undefined) return undefined;
    const values = this.#source.valuesOf(holder.key);
    return values === undefined ? forgottenValue : values[name];
  }

  /** `ordinal`: how many runs the node already has. */
  begin(ordinal: number, placed: PlacedRow): void {
    const { nodeId, iteration, attempt, startedAt } = placed.row;
    this.ordinal = ordinal;
    this.#key = stringifyJson([nodeId, iteration, attempt, startedAt?.getTime() ?? `run ${ordinal}`]);
    this.#takeFirst(placed);
    this.add(placed);
  }

  add(placed: PlacedRow): void {
    this.#count += 1;
    this.#hash = (Math.imul(this.#hash, 31) + placed.id) | 0;
    this.#learn(placed);
    this.#takeLast(placed);
    this.noteChanged();
  }

  /** Takes another row in the place of one. Returns false if the run must be folded anew. */
  replace(placed: PlacedRow): boolean {
    const { id, row } = placed;
    this.noteChanged();
    if (plainMembers.some((name) => this.#sources[name]?.id === id && (row[name] ?? null) === null))
      return false;
    if (valueNames.some((name) => this.#holders[name]?.id === id && (row[name] ?? null) === null))
      return false;
    this.#learn(placed);
    if (this.#firstPlace.id === id) this.#takeFirst(placed);
    if (this.#lastPlace.id === id) this.#takeLast(placed);
    return true;
  }

  /** Forgets all rows before refolding. */
  empty(): void {
    if (this.#run !== undefined) this.#earlier = { run: this.#run, hash: this.#hash, count: this.#count };
    this.#members = {};
    this.#sources = {};
    this.#holders = {};
    this.#first = undefined;
    this.#last = undefined;
    this.#count = 0;
    this.#hash = 0;
    this.noteChanged();
  }

  /** Returns the run made from its rows; the same object until a row is added or replaced. Its `logs` are always those of now. */
  toNodeRun(): NodeRun {
    if (this.#run?.isHandled !== this.isHandled) this.#run = undefined;
    this.#run ??= this.#unchanged() ?? new FoldedRun(this);
    this.#earlier = undefined;
    return this.#run;
  }

  /** Call when one of the rows is another. */
  noteChanged(): void {
    this.#logs = undefined;
    this.#run = undefined;
  }

  /** Call when values of the rows with these keys were truncated or forgotten. Returns whether the run shows one of them. */
  noteReduced(keys: ReadonlySet<string>): boolean {
    this.#logs = undefined;
    if (!valueNames.some((name) => keys.has(this.#holders[name]?.key ?? ''))) return false;
    this.noteChanged();
    return true;
  }

  /** Returns the run from before refolding if its rows are the same. */
  #unchanged(): NodeRun | undefined {
    const earlier = this.#earlier;
    const isSame =
      earlier?.run.key === this.#key &&
      earlier.run.isHandled === this.isHandled &&
      earlier.count === this.#count &&
      earlier.hash === this.#hash;
    return isSame ? earlier.run : undefined;
  }

  #learn({ id, place, row }: PlacedRow): void {
    const at = { id, place };
    for (const member of plainMembers) this.#learnPlain(this.#members, member, row, at);
    for (const name of valueNames) this.#learnValue(name, row, at);
  }

  /** Rows without a value may have null in its place, which mustn't overwrite the value of another row. */
  #learnPlain<M extends PlainMember>(members: Pick<Members, M>, member: M, row: NodeLog, at: Place): void {
    const value = row[member];
    const source = this.#sources[member];
    if (value === null && source !== undefined) return;
    const isKnown = (this.#members[member] ?? null) !== null;
    if (source !== undefined && isKnown && isAfter(source, at)) return;
    members[member] = value;
    this.#sources[member] = at;
  }

  #learnValue(name: ValueName, row: NodeLog, at: Place): void {
    const value = row[name];
    const holder = this.#holders[name];
    if (value === undefined || (value === null && holder !== undefined)) return;
    const isKnown = (this.findValue(name) ?? null) !== null;
    if (holder !== undefined && isKnown && isAfter(holder, at)) return;
    this.#holders[name] = { ...at, key: row.key };
  }

  #takeFirst({ id, place, row }: PlacedRow): void {
    const { nodeId, nodeName, iteration, attempt } = row;
    this.#first = { nodeId, nodeName, iteration, attempt };
    this.#firstPlace = { id, place };
  }

  #takeLast({ id, place, row }: PlacedRow): void {
    const { durationMs, reusedFrom, isPinned, isAnswered, children } = row;
    this.#last = { durationMs, reusedFrom, isPinned, isAnswered, children };
    this.#lastPlace = { id, place };
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
    this.input = rows.findValue('input');
    this.output = rows.findValue('output');
    this.exchange = rows.findValue('exchange');
    this.valueKeys = rows.valueKeys;
    this.#rows = rows;
  }

  get logs(): readonly NodeLog[] {
    return this.#rows.logs;
  }
}
