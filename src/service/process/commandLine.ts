import { parseArgs } from 'node:util';
import { limits } from '../../protocol/operations.ts';
import { type KeyExpiration, keyExpirations } from '../../domain/apiKey.ts';

export interface ServeCommand {
  readonly kind: 'serve';
  readonly dataFolder: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly requestsPerMinute: number;
  /** How long ended executions are kept, in days, and how many; 0 keeps all. */
  readonly keepDays: number;
  readonly keepExecutions: number;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly hasSamples: boolean;
  /** The service ends when no window holds a lease; set by the window that starts it. */
  readonly isLeased: boolean;
}

export type KeysCommand =
  | {
      readonly kind: 'createKey';
      readonly dataFolder: string;
      readonly name: string;
      readonly expiration: KeyExpiration;
    }
  | { readonly kind: 'listKeys'; readonly dataFolder: string }
  | { readonly kind: 'revokeKey'; readonly dataFolder: string; readonly id: string };

export const usage = `Usage:
  serve --data DIR --port N [--requests-per-minute N] [--samples] [--leased]
        [--keep-days N] [--keep-executions N] [--refuse-private-addresses]
  keys create --data DIR --name NAME --expiration ${keyExpirations.join('|')}
  keys list --data DIR
  keys revoke --data DIR --id ID`;

/** The arguments are invalid; the message names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the arguments after the program's name. Throws a UsageError. */
export function readCommand(words: readonly string[]): ServeCommand | KeysCommand {
  const [first, second] = words;
  if (first === 'serve') return readServe(words.slice(1));
  if (first === 'keys' && second === 'create') return readCreateKey(words.slice(2));
  if (first === 'keys' && second === 'list')
    return { kind: 'listKeys', dataFolder: required(readOptions(words.slice(2), ['data']), 'data') };
  if (first === 'keys' && second === 'revoke') {
    const options = readOptions(words.slice(2), ['data', 'id']);
    return { kind: 'revokeKey', dataFolder: required(options, 'data'), id: required(options, 'id') };
  }
  throw new UsageError(
    first === undefined ? 'A command is missing.' : `"${words.slice(0, 2).join(' ')}" is no command.`,
  );
}

function readServe(words: readonly string[]): ServeCommand {
  const flags = ['--samples', '--leased', '--refuse-private-addresses'];
  const options = readOptions(
    words.filter((word) => !flags.includes(word)),
    ['data', 'port', 'requests-per-minute', 'keep-days', 'keep-executions'],
  );
  return {
    kind: 'serve',
    dataFolder: required(options, 'data'),
    port: toNumber(required(options, 'port'), 'port', 0, 65_535),
    requestsPerMinute: toNumber(
      options['requests-per-minute'] ?? String(limits.requestsPerMinute),
      'requests-per-minute',
      1,
      1_000_000,
    ),
    keepDays: toNumber(options['keep-days'] ?? '30', 'keep-days', 0, 36_500),
    keepExecutions: toNumber(options['keep-executions'] ?? '10000', 'keep-executions', 0, 9_999_999),
    refusesPrivateAddresses: words.includes('--refuse-private-addresses'),
    hasSamples: words.includes('--samples'),
    isLeased: words.includes('--leased'),
  };
}

function readCreateKey(words: readonly string[]): KeysCommand {
  const options = readOptions(words, ['data', 'name', 'expiration']);
  const wanted = required(options, 'expiration');
  const expiration = keyExpirations.find((known) => known === wanted);
  if (expiration === undefined)
    throw new UsageError(`--expiration must be one of ${keyExpirations.join(', ')}.`);
  return {
    kind: 'createKey',
    dataFolder: required(options, 'data'),
    name: required(options, 'name'),
    expiration,
  };
}

type Options = Readonly<Partial<Record<string, string>>>;

function readOptions(words: readonly string[], names: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
      strict: true,
    });
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function required(options: Options, name: string): string {
  const value = options[name]?.trim();
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

function toNumber(text: string, name: string, minimum: number, maximum: number): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum))
    throw new UsageError(`--${name} must be a number from ${minimum} to ${maximum}.`);
  return value;
}
