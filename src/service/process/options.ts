// The options of a command: "--name VALUE" and "--flag".
import { parseArgs } from 'node:util';
import { messageOf } from '../../base/reason.ts';

/** The arguments are invalid; the message names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Options {
  readonly values: Readonly<Partial<Record<string, string>>>;
  readonly flags: ReadonlySet<string>;
  /** Of options that can be given several times. */
  readonly lists: Readonly<Partial<Record<string, readonly string[]>>>;
}

/** `repeated`: names that can be given several times. Throws a UsageError for any other word than the names with their values and the flags. */
export function readOptions(
  words: readonly string[],
  names: readonly string[],
  flags: readonly string[] = [],
  repeated: readonly string[] = [],
): Options {
  try {
    const ofNames = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
    const ofFlags = Object.fromEntries(flags.map((name) => [name, { type: 'boolean' } as const]));
    const ofRepeated = Object.fromEntries(
      repeated.map((name) => [name, { type: 'string', multiple: true } as const]),
    );
    const { values } = parseArgs({
      args: [...words],
      options: { ...ofNames, ...ofFlags, ...ofRepeated },
      strict: true,
    });
    const given = Object.entries<string | boolean | readonly (string | boolean)[] | undefined>(values);
    return {
      values: Object.fromEntries(
        given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ),
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
      lists: Object.fromEntries(
        given.flatMap(([name, value]) =>
          Array.isArray(value) ? [[name, value.filter((each) => typeof each === 'string')]] : [],
        ),
      ),
    };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Throws a UsageError for each given option that isn't among the names. */
export function refuseOthers(options: Options, names: readonly string[], reason: string): void {
  for (const name of [...Object.keys(options.values), ...options.flags])
    if (!names.includes(name)) throw new UsageError(`--${name} ${reason}`);
}

export function optionalValue({ values }: Options, name: string): string | undefined {
  const value = values[name]?.trim();
  return value === '' ? undefined : value;
}

export function requiredValue(options: Options, name: string): string {
  const value = optionalValue(options, name);
  if (value === undefined) throw new UsageError(`--${name} is missing.`);
  return value;
}

export interface NumberBounds {
  readonly minimum: number;
  readonly maximum: number;
  /** Without it, the option is required. */
  readonly otherwise?: number;
}

export function numberOption(options: Options, name: string, bounds: NumberBounds): number {
  const { minimum, maximum, otherwise } = bounds;
  const text =
    otherwise === undefined ? requiredValue(options, name) : (options.values[name] ?? String(otherwise));
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum))
    throw new UsageError(`--${name} must be a number from ${minimum} to ${maximum}.`);
  return value;
}
