import type { NodeLog } from '../../domain/nodeLog.ts';
import { cutOf, sizeOfText, sizeOfValue } from './rowSizes.ts';

/** The members that a run takes from its rows, each from the last row that has it. */
export const members = [
  'nodeType',
  'status',
  'startedAt',
  'completedAt',
  'durationMs',
  'error',
  'input',
  'output',
] as const;
export type Member = (typeof members)[number];

type Values = { -readonly [M in Member]?: NodeLog[M] };

/** The row as it's kept in a run's logs and in a file: its values are in the run. */
export function leavingRow(row: NodeLog): NodeLog {
  if (row.input === undefined && row.output === undefined) return row;
  return { ...row, input: undefined, output: undefined };
}

/** How much a run keeps of its rows that left memory. */
export interface Keeping {
  /** How many of the first and of the last logs, each; at least 1. */
  readonly logs: number;
  readonly values: 'whole' | 'cut';
}

/** What remains of the rows of a node run that left memory: the run's values, and its first and last logs. */
export class RunSummary {
  readonly #values: Values = {};
  /** The keys of the rows that input and output were taken from. */
  readonly keys: { input: string | null; output: string | null } = { input: null, output: null };
  /** How many of the first logs, and of those that follow later, are kept. */
  #first = 0;
  #last = 0;
  #hasGap = false;
  #keep = 1;
  #logBytes = 0;

  /** How many logs are kept. */
  get count(): number {
    return this.#first + this.#last;
  }

  /** The estimated size. */
  get bytes(): number {
    return this.#logBytes + sizeOfValue(this.#values.input) + sizeOfValue(this.#values.output);
  }

  find<M extends Member>(member: M): NodeLog[M] | undefined {
    return this.#values[member];
  }

  /** Takes over the values of leaving rows. */
  take(rows: readonly NodeLog[], { values }: Keeping): void {
    for (const row of rows) for (const member of members) this.#learn(this.#values, member, row[member]);
    for (const side of ['input', 'output'] as const) {
      const holder = rows.findLast((row) => (row[side] ?? null) !== null);
      if (holder === undefined) continue;
      this.keys[side] = holder.key;
      this.#values[side] = values === 'whole' ? holder[side] : cutOf(holder[side]);
    }
  }

  /** Cuts large values. */
  cut(): void {
    for (const side of ['input', 'output'] as const) this.#values[side] = cutOf(this.#values[side]);
  }

  /**
   * Keeps the first and the last of the run's logs. `logs`: those kept so far, then the `added` ones that are leaving, then those
   * `inMemory`, which count as the last ones.
   */
  shorten(logs: NodeLog[], added: number, inMemory: number, { logs: keep }: Keeping): void {
    for (const log of logs.slice(this.count, this.count + added)) this.#logBytes += sizeOfText(log);
    const asFirst = this.#hasGap || this.#last > 0 ? 0 : Math.min(added, Math.max(0, keep - this.#first));
    this.#first += asFirst;
    this.#last += added - asFirst;
    this.#keep = keep;
    this.makeRoom(logs, inMemory);
  }

  /** Removes the logs that aren't among the last ones any more, because of those in memory. */
  makeRoom(logs: NodeLog[], inMemory: number): void {
    const surplus = Math.min(this.#last, this.#last + inMemory - this.#keep);
    if (surplus <= 0) return;
    for (const log of logs.splice(this.#first, surplus)) this.#logBytes -= sizeOfText(log);
    this.#last -= surplus;
    this.#hasGap = true;
  }

  /** As the run takes values from its rows in memory. */
  #learn<M extends Member>(values: Pick<Values, M>, member: M, value: NodeLog[M]): void {
    const [known, told]: readonly unknown[] = [values[member], value];
    if (told !== undefined && (told !== null || known === undefined)) values[member] = value;
  }
}
