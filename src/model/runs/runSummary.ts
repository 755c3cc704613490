import { type NodeLog, type ValueName, valueNames } from '../../domain/nodeLog.ts';
import { sizeOfText, sizeOfValues, truncate } from './rowSizes.ts';

/** The members that a run takes from its rows, each from the last row that has it. */
export const members = [
  'nodeType',
  'status',
  'startedAt',
  'completedAt',
  'durationMs',
  'error',
  ...valueNames,
] as const;
export type Member = (typeof members)[number];

type Values = { -readonly [M in Member]?: NodeLog[M] };

/** The row as it's kept in a run's logs and in a file: its values are in the run. */
export function withoutValues(row: NodeLog): NodeLog {
  if (row.input === undefined && row.output === undefined && row.exchange === undefined) return row;
  return { ...row, input: undefined, output: undefined, exchange: undefined };
}

/** How much a run keeps of its rows that were evicted. */
export interface Keeping {
  /** How many of the first and of the last logs, each; at least 1. */
  readonly logs: number;
  readonly values: 'whole' | 'truncated';
}

/** What remains of the rows of a node run that were evicted: the run's values, and its first and last logs. */
export class RunSummary {
  readonly #values: Values = {};
  /** The keys of the rows that the values were taken from. */
  readonly keys: Record<ValueName, string | null> = { input: null, output: null, exchange: null };
  readonly #first: NodeLog[] = [];
  /** Those that follow, without a gap among them. */
  readonly #last: NodeLog[] = [];
  #hasGap = false;
  #keep = 1;
  #logBytes = 0;

  get logs(): readonly NodeLog[] {
    return [...this.#first, ...this.#last];
  }

  get firstLog(): NodeLog | undefined {
    return this.#first[0];
  }

  get lastLog(): NodeLog | undefined {
    return this.#last.at(-1) ?? this.#first.at(-1);
  }

  /** The estimated size. */
  get bytes(): number {
    return this.#logBytes + sizeOfValues(this.#values);
  }

  find<M extends Member>(member: M): NodeLog[M] | undefined {
    return this.#values[member];
  }

  /** Takes rows over. `inMemory`: how many rows come after them. */
  take(rows: readonly NodeLog[], inMemory: number, { logs, values }: Keeping): void {
    for (const row of rows) for (const member of members) this.#learn(this.#values, member, row[member]);
    for (const name of valueNames) {
      const holder = rows.findLast((row) => (row[name] ?? null) !== null);
      if (holder === undefined) continue;
      this.keys[name] = holder.key;
      this.#values[name] = values === 'whole' ? holder[name] : truncate(holder[name]);
    }
    this.#keep = logs;
    for (const row of rows) this.#keepLog(withoutValues(row));
    this.makeRoom(inMemory);
  }

  /** Truncates large values. Returns false if there was nothing to truncate. */
  truncate(): boolean {
    const before = this.bytes;
    for (const name of valueNames) this.#values[name] = truncate(this.#values[name]);
    return this.bytes < before;
  }

  /** Removes the logs that aren't among the last ones any more, because of those in memory. */
  makeRoom(inMemory: number): void {
    const surplus = Math.min(this.#last.length, this.#last.length + inMemory - this.#keep);
    if (surplus <= 0) return;
    for (const log of this.#last.splice(0, surplus)) this.#logBytes -= sizeOfText(log);
    this.#hasGap = true;
  }

  #keepLog(log: NodeLog): void {
    const isFirst = !this.#hasGap && this.#last.length === 0 && this.#first.length < this.#keep;
    (isFirst ? this.#first : this.#last).push(log);
    this.#logBytes += sizeOfText(log);
  }

  /** As the run takes values from its rows in memory. */
  #learn<M extends Member>(values: Pick<Values, M>, member: M, value: NodeLog[M]): void {
    const [known, reported]: readonly unknown[] = [values[member], value];
    if (reported !== undefined && (reported !== null || known === undefined)) values[member] = value;
  }
}
