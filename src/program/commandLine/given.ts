// What was given to a command.

/** The command line is wrong. The message says what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options and arguments that were given. */
export class GivenArguments {
  readonly #values: ReadonlyMap<string, string | true>;
  readonly positionals: readonly string[];

  constructor(values: ReadonlyMap<string, string | true>, positionals: readonly string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  has(option: string): boolean {
    return this.#values.has(option);
  }

  text(option: string): string | undefined {
    const value = this.#values.get(option);
    return value === true ? undefined : value;
  }

  /** A whole number from 1 on. Throws a UsageError for anything else. */
  count(option: string): number | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} takes a number from 1 on.`);
    return Number(text);
  }

  /** Throws a UsageError for any other word. */
  oneOf<T extends string>(option: string, words: readonly T[]): T | undefined {
    const text = this.text(option);
    const word = words.find((each) => each === text);
    if (text !== undefined && word === undefined)
      throw new UsageError(`--${option} is one of: ${words.join(', ')}.`);
    return word;
  }

  /** The argument at a position, which the command takes. */
  at(position: number): string {
    return this.positionals[position] ?? '';
  }
}
