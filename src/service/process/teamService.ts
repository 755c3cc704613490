// Assembles the processes of a service on PostgreSQL, and takes them apart in reverse order.
import type { Logger } from '../../base/logger.ts';
import { steadyNow, systemClock } from '../../base/time.ts';
import { createApp } from '../app.ts';
import { Engine } from '../engine/engine.ts';
import type { ExecutionLimits } from '../engine/limits.ts';
import { type BaseOptions, createBaseApp } from '../http/baseApp.ts';
import { createAnswerPlaces, type OpenPlaces } from '../http/openPlaces.ts';
import { createRequestLog } from '../http/requestLog.ts';
import { basePath, type ServiceApp } from '../http/routes.ts';
import type { DatabaseFigures, Metrics } from '../metrics/metrics.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { DatabaseReading } from './databaseReading.ts';
import { type End, endAll } from './ends.ts';
import { EngineStarter } from './engineStarter.ts';
import { listen } from './listen.ts';
import { Retention } from './retention.ts';
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

/** Starts the API, with a worker unless the command says otherwise. Rejects with a NewerDataError or a StorageError. */
export function serveTeam(command: TeamServeCommand, logger: Logger): Promise<TeamProcess> {
  return start((ends) => runService(command, logger, ends));
}

/** Starts a worker. Rejects with a NewerDataError or a StorageError. */
export function startWorker(command: WorkerCommand, logger: Logger): Promise<TeamProcess> {
  return start((ends) => runWorker(command, logger, ends));
}

async function start(run: (ends: End[]) => Promise<Described>): Promise<TeamProcess> {
  const ends: End[] = [];
  try {
    const { description } = await run(ends);
    return { description, stop: () => endAll(ends) };
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

async function runService(command: TeamServeCommand, logger: Logger, ends: End[]): Promise<Described> {
  const { address, hosts, host, requestsPerMinute, keepDays, keepExecutions, hasMetrics } = command;
  const { now } = systemClock;
  const metrics = hasMetrics ? await openMetrics(ends) : undefined;
  const parts = await openParts(command, logger, ends, metrics);
  const { store, sandbox, engine, starter, answerPlaces } = parts;
  const stopping = new AbortController();
  const port = await listenAt(command, ends, metrics, (port) =>
    createApp({
      ...describeProcess(address, logger, parts, metrics),
      requestListeners: [createRequestLog(logger), ...(metrics ? [metrics.requests] : [])],
      store,
      engine,
      sandbox,
      answerPlaces,
      hosts,
      now,
      requestLimit: store.limitRequests(requestsPerMinute),
      stopping: stopping.signal,
      port,
    }),
  );
  ends.push(() => stopping.abort());
  const retention = new Retention({
    store,
    logger,
    now,
    steadyNow,
    keepDays,
    keepExecutions,
    waitsForIdle: false,
  });
  ends.push(() => retention.dispose());
  starter.begin();
  const origin =
    hosts.kind === 'public' ? hosts.origin : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { description: Promise.resolve({ baseUrl: `${origin}${basePath}`, port }) };
}

async function runWorker(command: WorkerCommand, logger: Logger, ends: End[]): Promise<Described> {
  const { address, metrics: place } = command;
  const metrics = place ? await openMetrics(ends) : undefined;
  const parts = await openParts(command, logger, ends, metrics);
  const { starter } = parts;
  const port = place
    ? await listenAt(place, ends, metrics, (port) =>
        createBaseApp({ ...describeProcess(address, logger, parts, metrics), hosts: place.hosts, port }),
      )
    : undefined;
  starter.begin();
  return { description: starter.begun.then(() => ({ ready: true, port })) };
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
  { store, sandbox, starter, answerPlaces }: TeamParts,
  metrics: Metrics | undefined,
): Pick<BaseOptions, 'logger' | 'location' | 'isReady' | 'findProblem' | 'metrics'> {
  const check = new DatabaseReading(() => store.check());
  const figures = new DatabaseReading(() => readFigures(store), { freshMs: countsFreshMs });
  return {
    logger,
    location: { database: name },
    isReady: () => starter.hasBegun,
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

/** Returns the port, which the app is given too. */
async function listenAt(
  place: ListenPlace,
  ends: End[],
  metrics: Metrics | undefined,
  createApp: (port: () => number | null) => ServiceApp,
): Promise<number> {
  let port: number | null = null;
  const listener = await listen(
    createApp(() => port),
    place.port,
    { host: place.host, onStall: metrics && (() => metrics.requests.onStall()) },
  );
  ends.push(() => listener.close(requestsGraceMs));
  port = listener.port;
  return port;
}

interface TeamParts {
  readonly store: PostgresStore;
  readonly sandbox: Sandbox;
  readonly engine: Engine;
  readonly starter: EngineStarter;
  readonly answerPlaces: OpenPlaces;
}

interface TeamOptions {
  readonly address: DatabaseAddress;
  readonly concurrency: number;
  readonly limits: ExecutionLimits;
  readonly refusesPrivateAddresses: boolean;
}

async function openParts(
  options: TeamOptions,
  logger: Logger,
  ends: End[],
  metrics: Metrics | undefined,
): Promise<TeamParts> {
  const { address, concurrency, limits, refusesPrivateAddresses } = options;
  const { migrate, openTeamDatabase } = await import('./teamDatabase.ts');
  await migrate(address);
  const { store, openBackend } = openTeamDatabase(address, logger);
  ends.push(() => store.close());
  const sandbox = new Sandbox();
  ends.push(() => sandbox.dispose());
  const backend = openBackend();
  const engine = new Engine({
    store,
    sandbox,
    backend,
    logger,
    watch: metrics?.engine,
    refusesPrivateAddresses,
    concurrency,
    limits,
    drainMs,
  });
  ends.push(() => engine.stop());
  const starter = new EngineStarter(engine, logger);
  ends.push(() => starter.dispose());
  return { store, sandbox, engine, starter, answerPlaces: createAnswerPlaces() };
}
