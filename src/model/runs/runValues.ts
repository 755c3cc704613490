import { stringifyJson } from '../../base/json.ts';
import { type NodeLog, type ValueName, valueNames } from '../../domain/nodeLog.ts';
import { leastTruncated, sizeBefore, sizeOfValue, truncate } from './rowSizes.ts';

export type Values = Pick<NodeLog, ValueName>;

/** In bytes: what is kept of a row beside its values. */
const bytesOfRow = 160;

/**
 * The values of rows, by the keys of the rows: what isn't kept in a file. Knows how much memory they take; to save some, the oldest large ones
 * are truncated, and if these aren't enough the oldest rows' are forgotten.
 */
export class RunValues {
  readonly #values = new Map<string, Values>();
  #bytes = 0;
  #truncatedBytes = 0;
  #truncatedRows = 0;
  /** How many rows have a value that can be truncated. */
  #largeRows = 0;
  /** How many rows have values, those whose values were forgotten included. */
  #count = 0;
  /** The size of those. */
  #forgottenBytes = 0;

  /** The estimated size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The estimated size of what was truncated or forgotten. */
  get truncatedBytes(): number {
    return this.#truncatedBytes + this.#forgottenBytes;
  }

  /** True if values of some rows were truncated or forgotten. */
  get isTruncated(): boolean {
    return this.#truncatedRows > 0 || this.#count > this.#values.size;
  }

  get(key: string): Values | undefined {
    return this.#values.get(key);
  }

  /** True if the row has the same values as before. */
  has({ key, ...row }: Pick<NodeLog, 'key' | ValueName>): boolean {
    const known = this.#values.get(key);
    return valueNames.every((name) => isSame(known?.[name], row[name]));
  }

  /** Takes the values of a row, in place of those that it had. `hadValues`: whether it had any, as far as is known. */
  set({ key, input, output, exchange }: Pick<NodeLog, 'key' | ValueName>, hadValues: boolean): void {
    if (hadValues || this.#values.has(key)) this.delete([key]);
    if (input === undefined && output === undefined && exchange === undefined) return;
    const values = { input, output, exchange };
    this.#values.set(key, values);
    this.#count += 1;
    this.#measure(values, 1);
  }

  /** Deletes the values of rows that had some. */
  delete(keys: readonly string[]): void {
    for (const key of keys) {
      const values = this.#values.get(key);
      if (values !== undefined) this.#measure(values, -1);
      this.#values.delete(key);
    }
    this.#count -= keys.length;
    if (this.#count === this.#values.size) this.#forgottenBytes = 0;
  }

  /** Truncates or forgets the oldest values until the others take at most so many bytes. Returns the keys of their rows. */
  reduce(bytes: number): readonly string[] {
    return [...this.#truncate(bytes), ...this.#forget(bytes)];
  }

  #truncate(bytes: number): readonly string[] {
    const keys: string[] = [];
    for (const [key, values] of this.#values) {
      if (this.#bytes <= bytes || this.#largeRows === 0) break;
      const kept: Values = {
        input: truncate(values.input),
        output: truncate(values.output),
        exchange: truncate(values.exchange),
      };
      if (valueNames.every((name) => kept[name] === values[name])) continue;
      this.#measure(values, -1);
      this.#values.set(key, kept);
      this.#measure(kept, 1);
      keys.push(key);
    }
    return keys;
  }

  #forget(bytes: number): readonly string[] {
    const keys: string[] = [];
    for (const [key, values] of this.#values) {
      if (this.#bytes <= bytes) break;
      const before = this.#bytes + this.#truncatedBytes;
      this.#measure(values, -1);
      this.#values.delete(key);
      this.#forgottenBytes += before - (this.#bytes + this.#truncatedBytes);
      keys.push(key);
    }
    return keys;
  }

  #measure(values: Values, sign: 1 | -1): void {
    this.#bytes += sign * bytesOfRow;
    let [isLarge, isTruncated] = [false, false];
    for (const name of valueNames) {
      const value = values[name];
      if (value === undefined) continue;
      const bytes = sizeOfValue(value);
      this.#bytes += sign * bytes;
      isLarge ||= bytes >= leastTruncated;
      const truncated = sizeBefore(value);
      if (truncated === undefined) continue;
      isTruncated = true;
      this.#truncatedBytes += sign * truncated;
    }
    if (isLarge) this.#largeRows += sign;
    if (isTruncated) this.#truncatedRows += sign;
  }
}

function isSame(one: Values[ValueName], other: Values[ValueName]): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return stringifyJson(one) === stringifyJson(other);
}
