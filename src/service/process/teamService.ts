// Assembles the processes of a service on PostgreSQL.
import type { Logger } from '../../base/logger.ts';
import { systemClock } from '../../base/time.ts';
import { type BaseOptions, createBaseApp } from '../http/baseApp.ts';
import { createResponseSlots, type OpenSlots } from '../http/openSlots.ts';
import { createRequestLog } from '../http/requestLog.ts';
import { basePath } from '../http/routes.ts';
import type { DatabaseFigures, Metrics } from '../metrics/metrics.ts';
import type { SecretMask } from '../secrets/secretMask.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { DatabaseReading } from './databaseReading.ts';
import {
  assemble,
  createWorkReading,
  type EndStep,
  listenAt,
  openParts,
  type Parts,
  type ListenSettings,
  serveApi,
} from './parts.ts';
import type { ListenAddress, TeamServeCommand, WorkerCommand } from './teamCommands.ts';
import type { PostgresStore } from './teamDatabase.ts';

/** How long nodes under way may go on when the process stops. */
const drainMs = 10_000;
/** How long requests under way may go on. */
const requestsGraceMs = 2000;
/** With the listening connection at most 9 connections per process, so that ten processes fit PostgreSQL's default of 100. */
const poolSize = 8;
/** However many clients ask for metrics, the database is queried at most this often. */
const countsFreshMs = 2000;

export interface TeamProcess {
  /** What the program prints about the process once it works. */
  readonly description: Promise<Readonly<Record<string, unknown>>>;
  /** Takes no more requests and no new work, ends streams, and lets nodes under way end or hands them over. */
  stop(): Promise<void>;
}

type ServiceDescription = Pick<TeamProcess, 'description'>;

/** `mask`: learns the values of secrets. Starts the API, with a worker unless the command says otherwise. Rejects with a NewerDataError or a StorageError. */
export function serveTeam(command: TeamServeCommand, logger: Logger, mask: SecretMask): Promise<TeamProcess> {
  return assemble((ends) => runService(command, logger, mask, ends));
}

/** Starts a worker. Rejects with a NewerDataError or a StorageError. */
export function startWorker(command: WorkerCommand, logger: Logger, mask: SecretMask): Promise<TeamProcess> {
  return assemble((ends) => runWorker(command, logger, mask, ends));
}

async function runService(
  command: TeamServeCommand,
  logger: Logger,
  mask: SecretMask,
  ends: EndStep[],
): Promise<ServiceDescription> {
  const { address, hosts, host, keepDays, keepExecutions, hasMetrics } = command;
  const metrics = hasMetrics ? await openMetrics(ends) : undefined;
  const parts = await openTeam(command, logger, mask, ends, metrics);
  const responseSlots = createResponseSlots();
  const port = await serveApi(
    parts,
    {
      ...describeProcess(address, logger, parts, metrics, responseSlots),
      listen: listenSettingsOf(command, metrics),
      requestListeners: [createRequestLog(logger), ...(metrics ? [metrics.requests] : [])],
      responseSlots,
      hosts,
      requestLimit: parts.store.limitRequests(command.requestsPerMinute),
      retention: { keepDays, keepExecutions, waitsForIdle: false },
    },
    ends,
  );
  parts.starter.begin();
  const origin =
    hosts.kind === 'public' ? hosts.origin : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { description: Promise.resolve({ baseUrl: `${origin}${basePath}`, port }) };
}

async function runWorker(
  command: WorkerCommand,
  logger: Logger,
  mask: SecretMask,
  ends: EndStep[],
): Promise<ServiceDescription> {
  const { address, metrics: metricsAddress } = command;
  const metrics = metricsAddress ? await openMetrics(ends) : undefined;
  const parts = await openTeam(command, logger, mask, ends, metrics);
  const { starter } = parts;
  const described = describeProcess(address, logger, parts, metrics, createResponseSlots());
  const isReady = (): boolean => starter.hasBegun;
  const readWork = createWorkReading(parts, systemClock.now);
  const port =
    metricsAddress &&
    (await listenAt(
      listenSettingsOf(metricsAddress, metrics),
      logger,
      (port) => createBaseApp({ ...described, isReady, readWork, hosts: metricsAddress.hosts, port }),
      ends,
    ));
  starter.begin();
  return { description: starter.begun.then(() => ({ ready: true, port })) };
}

function listenSettingsOf({ host, port }: ListenAddress, metrics: Metrics | undefined): ListenSettings {
  return { host, port, graceMs: requestsGraceMs, onStall: metrics && (() => metrics.requests.onStall()) };
}

async function openMetrics(ends: EndStep[]): Promise<Metrics> {
  const { Metrics } = await import('../metrics/metrics.ts');
  const metrics = new Metrics();
  ends.push(() => metrics.dispose());
  return metrics;
}

/** What each app of a process reports about it. */
function describeProcess(
  { name }: DatabaseAddress,
  logger: Logger,
  { store, sandbox }: Parts<PostgresStore>,
  metrics: Metrics | undefined,
  responseSlots: OpenSlots,
): Pick<BaseOptions, 'logger' | 'location' | 'findProblem' | 'metrics'> {
  const check = new DatabaseReading(() => store.check());
  const figures = new DatabaseReading(() => readFigures(store), { freshMs: countsFreshMs });
  return {
    logger,
    location: { database: name },
    findProblem: async () => ((await check.read()) ? store.problem() : (store.problem() ?? 'unreachable')),
    metrics:
      metrics &&
      (async () =>
        metrics.render({
          pool: store.poolUse,
          sandbox: sandbox.use,
          openResponses: responseSlots.count,
          database: await figures.read(),
        })),
  };
}

async function readFigures(store: PostgresStore): Promise<DatabaseFigures> {
  const [unfinished, queuedSince, events, unsearched] = await Promise.all([
    store.countUnfinished(),
    store.executions.queuedSince(),
    store.measureEvents(),
    store.searchQueue.count(),
  ]);
  return { unfinished, queuedSince, events, unsearched };
}

/** The commands differ in the rest. */
type TeamOptions = Pick<
  WorkerCommand,
  'address' | 'concurrency' | 'limits' | 'refusesPrivateAddresses' | 'secretsKeys'
>;

async function openTeam(
  { address, concurrency, limits, refusesPrivateAddresses, secretsKeys }: TeamOptions,
  logger: Logger,
  mask: SecretMask,
  ends: EndStep[],
  metrics: Metrics | undefined,
): Promise<Parts<PostgresStore>> {
  const { migrate, PostgresStore } = await import('./teamDatabase.ts');
  await migrate(address);
  const store = new PostgresStore({ address, logger, poolSize });
  ends.push(() => store.close());
  const watch = metrics?.engine;
  return openParts(
    { store, logger, watch, refusesPrivateAddresses, secretsKeys, concurrency, limits, drainMs },
    mask,
    ends,
  );
}
