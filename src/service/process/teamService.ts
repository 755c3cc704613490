// Assembles the processes of a service on PostgreSQL.
import type { Logger } from '../../base/logger.ts';
import { systemClock } from '../../base/time.ts';
import { type BaseOptions, createBaseApp } from '../http/baseApp.ts';
import { createAnswerPlaces, type OpenPlaces } from '../http/openPlaces.ts';
import { createRequestLog } from '../http/requestLog.ts';
import { basePath } from '../http/routes.ts';
import type { DatabaseFigures, Metrics } from '../metrics/metrics.ts';
import { SecretMask } from '../secrets/secretMask.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { DatabaseReading } from './databaseReading.ts';
import {
  assemble,
  createWorkReading,
  type End,
  listenAt,
  openParts,
  type Parts,
  type Place,
  serveApi,
} from './parts.ts';
import type { ListenPlace, TeamServeCommand, WorkerCommand } from './teamCommands.ts';
import type { PostgresStore } from './teamDatabase.ts';

/** How long nodes under way may go on when the process stops. */
const drainMs = 10_000;
/** How long requests under way may go on. */
const requestsGraceMs = 2000;
/** However many ask for metrics, the database is asked this seldom. */
const countsFreshMs = 2000;

export interface TeamProcess {
  /** What the program prints about it once it works. */
  readonly description: Promise<Readonly<Record<string, unknown>>>;
  /** Takes no more requests and no new work, ends streams, and lets nodes under way end or hands them over. */
  stop(): Promise<void>;
}

type Described = Pick<TeamProcess, 'description'>;

/** `mask`: learns the values of secrets. Starts the API, with a worker unless the command says otherwise. Rejects with a NewerDataError or a StorageError. */
export function serveTeam(
  command: TeamServeCommand,
  logger: Logger,
  mask = new SecretMask(),
): Promise<TeamProcess> {
  return assemble((ends) => runService(command, logger, mask, ends));
}

/** Starts a worker. Rejects with a NewerDataError or a StorageError. */
export function startWorker(
  command: WorkerCommand,
  logger: Logger,
  mask = new SecretMask(),
): Promise<TeamProcess> {
  return assemble((ends) => runWorker(command, logger, mask, ends));
}

async function runService(
  command: TeamServeCommand,
  logger: Logger,
  mask: SecretMask,
  ends: End[],
): Promise<Described> {
  const { address, hosts, host, keepDays, keepExecutions, hasMetrics } = command;
  const metrics = hasMetrics ? await openMetrics(ends) : undefined;
  const parts = await openTeam(command, logger, mask, ends, metrics);
  const answerPlaces = createAnswerPlaces();
  const port = await serveApi(
    parts,
    {
      ...describeProcess(address, logger, parts, metrics, answerPlaces),
      place: placeOf(command, metrics),
      requestListeners: [createRequestLog(logger), ...(metrics ? [metrics.requests] : [])],
      answerPlaces,
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
  ends: End[],
): Promise<Described> {
  const { address, metrics: place } = command;
  const metrics = place ? await openMetrics(ends) : undefined;
  const parts = await openTeam(command, logger, mask, ends, metrics);
  const { starter } = parts;
  const described = describeProcess(address, logger, parts, metrics, createAnswerPlaces());
  const isReady = (): boolean => starter.hasBegun;
  const readWork = createWorkReading(parts, systemClock.now);
  const port =
    place &&
    (await listenAt(
      placeOf(place, metrics),
      (port) => createBaseApp({ ...described, isReady, readWork, hosts: place.hosts, port }),
      ends,
    ));
  starter.begin();
  return { description: starter.begun.then(() => ({ ready: true, port })) };
}

function placeOf({ host, port }: ListenPlace, metrics: Metrics | undefined): Place {
  return { host, port, graceMs: requestsGraceMs, onStall: metrics && (() => metrics.requests.onStall()) };
}

async function openMetrics(ends: End[]): Promise<Metrics> {
  const { Metrics } = await import('../metrics/metrics.ts');
  const metrics = new Metrics(systemClock.now);
  ends.push(() => metrics.dispose());
  return metrics;
}

/** What each app of a process says of it. */
function describeProcess(
  { name }: DatabaseAddress,
  logger: Logger,
  { store, sandbox }: Parts<PostgresStore>,
  metrics: Metrics | undefined,
  answerPlaces: OpenPlaces,
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
          openAnswers: answerPlaces.count,
          database: await figures.read(),
        })),
  };
}

async function readFigures(store: PostgresStore): Promise<DatabaseFigures> {
  const [unfinished, events] = await Promise.all([store.countUnfinished(), store.measureEvents()]);
  return { unfinished, events };
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
  ends: End[],
  metrics: Metrics | undefined,
): Promise<Parts<PostgresStore>> {
  const { migrate, openTeamDatabase } = await import('./teamDatabase.ts');
  await migrate(address);
  const { store, backend } = openTeamDatabase(address, logger);
  ends.push(() => store.close());
  const watch = metrics?.engine;
  return openParts(
    { store, backend, logger, watch, refusesPrivateAddresses, secretsKeys, concurrency, limits, drainMs },
    mask,
    ends,
  );
}
