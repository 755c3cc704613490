// The commands of a service on PostgreSQL, which a team reaches over the network.
import { limits } from '../../protocol/operations.ts';
import { defaultLimits, type ExecutionLimits, mebibyte } from '../engine/limits.ts';
import { defaultConcurrency } from '../engine/slots.ts';
import type { HostRule } from '../http/hostGuard.ts';
import type { SecretsKeys } from '../secrets/secrets.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { type Environment, readAddress } from './dataLocation.ts';
import { readSecretsKeys, secretsKeyNames } from './secretsKeys.ts';
import {
  numberOption,
  optionalValue,
  type Options,
  readOptions,
  refuseOthers,
  UsageError,
} from './options.ts';

/** Where a process listens. */
export interface ListenAddress {
  /** A name or address of this machine. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly hosts: HostRule;
}

export interface TeamServeCommand extends ListenAddress {
  readonly kind: 'serveTeam';
  readonly address: DatabaseAddress;
  readonly requestsPerMinute: number;
  /** How long ended executions are kept, in days, and how many; 0 keeps all. */
  readonly keepDays: number;
  readonly keepExecutions: number;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  /** How many executions this process runs at once; 0 leaves all to workers. */
  readonly concurrency: number;
  /** What one execution may take. */
  readonly limits: ExecutionLimits;
  readonly hasMetrics: boolean;
  readonly secretsKeys: SecretsKeys;
}

export interface WorkerCommand {
  readonly kind: 'worker';
  readonly address: DatabaseAddress;
  readonly concurrency: number;
  /** What one execution may take. */
  readonly limits: ExecutionLimits;
  readonly refusesPrivateAddresses: boolean;
  readonly secretsKeys: SecretsKeys;
  /** Where it shows its metrics; without it, the worker has no port. */
  readonly metrics?: ListenAddress;
}

export interface MigrateCommand {
  readonly kind: 'migrate';
  readonly address: DatabaseAddress;
}

export const teamUsage = `\
  serve --database-url URL [--port N] [--host H] [--public-url URL | --behind-proxy]
        [--no-worker | --concurrency N] [--requests-per-minute N]
        [--keep-days N] [--keep-executions N] [--max-iterations N] [--max-mebibytes N]
        [--refuse-private-addresses] [--metrics] [--secrets-key-file FILE]
  worker --database-url URL [--concurrency N] [--max-iterations N] [--max-mebibytes N]
        [--refuse-private-addresses] [--secrets-key-file FILE]
        [--metrics --port N [--host H] [--public-url URL | --behind-proxy]]
  migrate --database-url URL
The commands with --database-url read the variable DATABASE_URL when the option is missing.`;

export const limitNames = ['max-iterations', 'max-mebibytes'] as const;

export const teamServeOptions = {
  names: [
    'database-url',
    'port',
    'host',
    'public-url',
    'concurrency',
    'requests-per-minute',
    'keep-days',
    'keep-executions',
    ...limitNames,
    ...secretsKeyNames,
  ],
  flags: ['no-worker', 'behind-proxy', 'refuse-private-addresses', 'metrics'],
} as const;

const defaultPort = 8080;
const defaultHost = '127.0.0.1';

export function toTeamServe(
  options: Options,
  address: DatabaseAddress,
  secretsKeys: SecretsKeys,
): TeamServeCommand {
  return {
    kind: 'serveTeam',
    address,
    ...readListenAddress(options, defaultPort),
    ...readKeeping(options),
    limits: readLimits(options),
    refusesPrivateAddresses: options.flags.has('refuse-private-addresses'),
    concurrency: readServeConcurrency(options),
    hasMetrics: options.flags.has('metrics'),
    secretsKeys,
  };
}

/** Without a default, the port is required. */
function readListenAddress(options: Options, otherwise?: number): ListenAddress {
  const host = optionalValue(options, 'host') ?? defaultHost;
  const bounds = { minimum: 0, maximum: 65_535, ...(otherwise !== undefined && { otherwise }) };
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: numberOption(options, 'port', bounds),
    hosts: readHosts(options, host),
  };
}

/** What both kinds of service limit and keep. */
export function readKeeping(
  options: Options,
): Pick<TeamServeCommand, 'requestsPerMinute' | 'keepDays' | 'keepExecutions'> {
  return {
    requestsPerMinute: numberOption(options, 'requests-per-minute', {
      minimum: 1,
      maximum: 1_000_000,
      otherwise: limits.requestsPerMinute,
    }),
    keepDays: numberOption(options, 'keep-days', { minimum: 0, maximum: 36_500, otherwise: 30 }),
    keepExecutions: numberOption(options, 'keep-executions', {
      minimum: 0,
      maximum: 9_999_999,
      otherwise: 10_000,
    }),
  };
}

/** What both kinds of service and a worker let one execution take. */
export function readLimits(options: Options): ExecutionLimits {
  const { iterations, bytes } = defaultLimits;
  return {
    iterations: numberOption(options, 'max-iterations', {
      minimum: 1,
      maximum: 9_999_999,
      otherwise: iterations,
    }),
    bytes:
      mebibyte *
      numberOption(options, 'max-mebibytes', {
        minimum: 1,
        maximum: 1_000_000,
        otherwise: bytes / mebibyte,
      }),
  };
}

function readServeConcurrency(options: Options): number {
  if (!options.flags.has('no-worker')) return readConcurrency(options);
  if (options.values['concurrency'] !== undefined)
    throw new UsageError("--no-worker and --concurrency can't be used together.");
  return 0;
}

function readConcurrency(options: Options): number {
  return numberOption(options, 'concurrency', { minimum: 1, maximum: 1000, otherwise: defaultConcurrency });
}

function readHosts(options: Options, host: string): HostRule {
  const publicUrl = optionalValue(options, 'public-url');
  const isBehindProxy = options.flags.has('behind-proxy');
  if (publicUrl !== undefined && isBehindProxy)
    throw new UsageError("--public-url and --behind-proxy can't be used together.");
  if (publicUrl !== undefined) return { kind: 'public', origin: readOrigin(publicUrl) };
  if (isBehindProxy) return { kind: 'proxy' };
  if (isLoopback(host)) return { kind: 'loopback' };
  throw new UsageError(
    `--host ${host} lets other machines reach the service, which needs --public-url or --behind-proxy.
The service speaks plain HTTP, and API keys travel in a header of each request: put a proxy in front of it that speaks TLS, and let only
that proxy reach the service. Requests are counted for each key, not for each caller, so give each person and program a key of its own.
  --public-url URL  the service answers only to the host of this URL, such as https://workflows.example.com
  --behind-proxy    the proxy decides which hosts the service answers to, and passes on the Host header`,
  );
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.href !== `${url.origin}/`)
    throw new UsageError('--public-url must look like https://HOST, with a port if needed and no path.');
  return url.origin;
}

export function readWorker(words: readonly string[], environment: Environment): WorkerCommand {
  const names = ['database-url', 'concurrency', ...limitNames, ...secretsKeyNames];
  const flags = ['refuse-private-addresses'];
  const options = readOptions(
    words,
    [...names, 'port', 'host', 'public-url'],
    [...flags, 'behind-proxy', 'metrics'],
  );
  const hasMetrics = options.flags.has('metrics');
  if (!hasMetrics) refuseOthers(options, [...names, ...flags], 'is only for a worker with --metrics.');
  return {
    kind: 'worker',
    address: readAddress(options, environment),
    concurrency: readConcurrency(options),
    limits: readLimits(options),
    refusesPrivateAddresses: options.flags.has('refuse-private-addresses'),
    secretsKeys: readSecretsKeys(options, environment),
    ...(hasMetrics && { metrics: readListenAddress(options) }),
  };
}

export function readMigrate(words: readonly string[], environment: Environment): MigrateCommand {
  return { kind: 'migrate', address: readAddress(readOptions(words, ['database-url']), environment) };
}
