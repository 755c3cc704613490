import { type KeyExpiration, keyExpirations } from '../../domain/apiKey.ts';
import type { ExecutionLimits } from '../engine/limits.ts';
import type { KeySource } from '../secrets/secrets.ts';
import { type DataLocation, type Environment, readLocation } from './dataLocation.ts';
import {
  numberOption,
  type Options,
  readOptions,
  refuseOthers,
  requiredValue,
  UsageError,
} from './options.ts';
import { readSecretsCommand, type SecretsCommand, secretsKeyUsage, secretsUsage } from './secretsCommands.ts';
import { readSecretsKeys, secretsKeyNames } from './secretsKeys.ts';
import {
  limitNames,
  type MigrateCommand,
  readKeeping,
  readLimits,
  readMigrate,
  readWorker,
  type TeamServeCommand,
  teamServeOptions,
  teamUsage,
  toTeamServe,
  type WorkerCommand,
} from './teamCommands.ts';

export interface ServeCommand {
  readonly kind: 'serve';
  readonly dataFolder: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly requestsPerMinute: number;
  /** How long ended executions are kept, in days, and how many; 0 keeps all. */
  readonly keepDays: number;
  readonly keepExecutions: number;
  /** The limits of one execution. */
  readonly limits: ExecutionLimits;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly hasSamples: boolean;
  readonly secretsKeys: KeySource;
  /** The service ends when no window holds a lease; set by the window that starts it. */
  readonly isLeased: boolean;
}

export type KeysCommand =
  | {
      readonly kind: 'createKey';
      readonly location: DataLocation;
      readonly name: string;
      readonly expiration: KeyExpiration;
    }
  | { readonly kind: 'listKeys'; readonly location: DataLocation }
  | { readonly kind: 'revokeKey'; readonly location: DataLocation; readonly id: string };

interface HelpCommand {
  readonly kind: 'help';
}

export type Command =
  | ServeCommand
  | TeamServeCommand
  | WorkerCommand
  | MigrateCommand
  | KeysCommand
  | SecretsCommand
  | HelpCommand;

export const usage = `Usage:
  serve --data DIR --port N [--requests-per-minute N] [--samples] [--leased]
        [--keep-days N] [--keep-executions N] [--max-iterations N] [--max-mebibytes N]
        [--refuse-private-addresses] [--secrets-key-file FILE]
  keys create (--data DIR | --database-url URL) --name NAME --expiration ${keyExpirations.join('|')}
  keys list (--data DIR | --database-url URL)
  keys revoke (--data DIR | --database-url URL) --id ID
${secretsUsage}
${teamUsage}
${secretsKeyUsage}`;

export const help = `A workflow service, on a folder of this machine (--data) or on PostgreSQL (--database-url).

${usage}`;

/** Parses the arguments after the program's name. Throws a UsageError. */
export function readCommand(words: readonly string[], environment: Environment = {}): Command {
  const [first, second] = words;
  if (first === 'help' || words.includes('--help') || words.includes('-h')) return { kind: 'help' };
  if (first === 'serve') return readServe(words.slice(1), environment);
  if (first === 'worker') return readWorker(words.slice(1), environment);
  if (first === 'migrate') return readMigrate(words.slice(1), environment);
  if (first === 'keys' && second === 'create') return readCreateKey(words.slice(2), environment);
  if (first === 'keys' && second === 'list')
    return {
      kind: 'listKeys',
      location: readLocation(readOptions(words.slice(2), locationNames), environment),
    };
  if (first === 'keys' && second === 'revoke') {
    const options = readOptions(words.slice(2), [...locationNames, 'id']);
    return {
      kind: 'revokeKey',
      location: readLocation(options, environment),
      id: requiredValue(options, 'id'),
    };
  }
  if (first === 'secrets') return readSecretsCommand(words.slice(1), environment);
  throw new UsageError(
    first === undefined ? 'A command is missing.' : `"${words.slice(0, 2).join(' ')}" isn't a command.`,
  );
}

const locationNames = ['data', 'database-url'] as const;

const localServeOptions = {
  names: [
    'data',
    'port',
    'requests-per-minute',
    'keep-days',
    'keep-executions',
    ...limitNames,
    ...secretsKeyNames,
  ],
  flags: ['samples', 'leased', 'refuse-private-addresses'],
} as const;

function readServe(words: readonly string[], environment: Environment): ServeCommand | TeamServeCommand {
  const options = readOptions(
    words,
    [...new Set([...localServeOptions.names, ...teamServeOptions.names])],
    [...new Set([...localServeOptions.flags, ...teamServeOptions.flags])],
  );
  const location = readLocation(options, environment);
  if ('address' in location) {
    const known = [...teamServeOptions.names, ...teamServeOptions.flags];
    refuseOthers(options, known, 'is only for a service with --data.');
    return toTeamServe(options, location.address, readSecretsKeys(options, environment));
  }
  const known = [...localServeOptions.names, ...localServeOptions.flags];
  refuseOthers(options, known, 'is only for a service with --database-url.');
  return toLocalServe(options, location.dataFolder, environment);
}

function toLocalServe(options: Options, dataFolder: string, environment: Environment): ServeCommand {
  const isLeased = options.flags.has('leased');
  return {
    kind: 'serve',
    dataFolder,
    port: numberOption(options, 'port', { minimum: 0, maximum: 65_535 }),
    ...readKeeping(options),
    limits: readLimits(options),
    refusesPrivateAddresses: options.flags.has('refuse-private-addresses'),
    hasSamples: options.flags.has('samples'),
    isLeased,
    // A window's environment can contain anything.
    secretsKeys: isLeased ? 'fromWindow' : readSecretsKeys(options, environment),
  };
}

function readCreateKey(words: readonly string[], environment: Environment): KeysCommand {
  const options = readOptions(words, [...locationNames, 'name', 'expiration']);
  const wanted = requiredValue(options, 'expiration');
  const expiration = keyExpirations.find((known) => known === wanted);
  if (expiration === undefined)
    throw new UsageError(`--expiration must be one of ${keyExpirations.join(', ')}.`);
  return {
    kind: 'createKey',
    location: readLocation(options, environment),
    name: requiredValue(options, 'name'),
    expiration,
  };
}
