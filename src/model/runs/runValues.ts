import { stringifyJson } from '../../base/json.ts';
import { type NodeLog, type ValueName, valueNames } from '../../domain/nodeLog.ts';
import { sizeBefore, sizeOfValue, truncate } from './rowSizes.ts';

export type Values = Pick<NodeLog, ValueName>;

/**
 * The values of rows, by the keys of the rows: what isn't kept in a file. Knows how much memory they take; the oldest ones are truncated to save
 * some.
 */
export class RunValues {
  readonly #values = new Map<string, Values>();
  #bytes = 0;
  #truncatedBytes = 0;
  #truncatedRows = 0;

  /** The estimated size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The estimated size of what was truncated. */
  get truncatedBytes(): number {
    return this.#truncatedBytes;
  }

  get isTruncated(): boolean {
    return this.#truncatedRows > 0;
  }

  get(key: string): Values | undefined {
    return this.#values.get(key);
  }

  /** True if the row has the same values as before. */
  has({ key, ...row }: Pick<NodeLog, 'key' | ValueName>): boolean {
    const known = this.#values.get(key);
    return valueNames.every((name) => isSame(known?.[name], row[name]));
  }

  /** Takes the values of a row, in place of those that it had. */
  set({ key, input, output, exchange }: Pick<NodeLog, 'key' | ValueName>): void {
    this.delete([key]);
    if (input === undefined && output === undefined && exchange === undefined) return;
    const values = { input, output, exchange };
    this.#values.set(key, values);
    this.#count(values, 1);
  }

  /** Forgets the values of these rows. */
  delete(keys: Iterable<string>): void {
    for (const key of keys) {
      const values = this.#values.get(key);
      if (values === undefined) continue;
      this.#count(values, -1);
      this.#values.delete(key);
    }
  }

  /** Truncates the oldest values until the others take at most so many bytes. Returns the keys of their rows. */
  truncate(bytes: number): readonly string[] {
    const keys: string[] = [];
    for (const [key, values] of this.#values) {
      if (this.#bytes <= bytes) break;
      const kept: Values = {
        input: truncate(values.input),
        output: truncate(values.output),
        exchange: truncate(values.exchange),
      };
      if (valueNames.every((name) => kept[name] === values[name])) continue;
      this.#count(values, -1);
      this.#values.set(key, kept);
      this.#count(kept, 1);
      keys.push(key);
    }
    return keys;
  }

  #count(values: Values, sign: 1 | -1): void {
    let isTruncated = false;
    for (const name of valueNames) {
      const value = values[name];
      if (value === undefined) continue;
      this.#bytes += sign * sizeOfValue(value);
      const truncated = sizeBefore(value);
      if (truncated === undefined) continue;
      isTruncated = true;
      this.#truncatedBytes += sign * truncated;
    }
    if (isTruncated) this.#truncatedRows += sign;
  }
}

function isSame(one: Values[ValueName], other: Values[ValueName]): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return stringifyJson(one) === stringifyJson(other);
}
