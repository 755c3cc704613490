// Assembles the running service, and takes it apart in reverse order.
import { randomBytes } from 'node:crypto';
import type { Logger } from '../../base/logger.ts';
import { steadyNow, systemClock } from '../../base/time.ts';
import { createApp } from '../app.ts';
import type { Engine } from '../engine/engine.ts';
import { createOpenWorkflowEngine } from '../engine/openWorkflowEngine.ts';
import { createRateLimiter } from '../http/rateLimit.ts';
import { basePath } from '../http/routes.ts';
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { importSamples } from '../samples.ts';
import type { Store } from '../store/store.ts';
import { createSqliteStore } from '../store/sqlite/createSqliteStore.ts';
import { createStorageLog, toStorageError, withStorage } from '../store/storageError.ts';
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import { prepareDataFolder } from './prepareDataFolder.ts';
import { removeInstance, writeInstance } from '../../protocol/localService/instance.ts';
import { takeInstanceLock } from './instanceLock.ts';
import { createLeases, firstLeaseMs, leaseGraceMs } from './leases.ts';
import { listen } from './listen.ts';
import { createRetention, type Retention } from './retention.ts';
import { createWork } from './work.ts';

export interface ServeOptions {
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
  /** The service ends when no window holds a lease. */
  readonly isLeased: boolean;
  readonly logger: Logger;
}

export interface RunningService {
  readonly baseUrl: string;
  /** Resolves when a window stops the service, or after the last lease ends. */
  readonly ended: Promise<void>;
  /** Closes streams, interrupts executions so that the next start continues them, and unlocks the folder. */
  stop(): Promise<void>;
}

/** Starts the service on a folder. Rejects with an AlreadyRunningError that names the other service's address, or a StorageError. */
export async function serve(options: ServeOptions): Promise<RunningService> {
  const { dataFolder } = options;
  const ends: End[] = [];
  try {
    withStorage(dataFolder, () => prepareDataFolder(dataFolder));
    const lock = await takeInstanceLock(dataFolder);
    ends.push(() => lock.dispose());
    return await run(options, ends);
  } catch (error) {
    await endAll(ends);
    throw toStorageError(error, databasePath(dataFolder));
  }
}

/** Undoes one step of the start. */
type End = () => void | Promise<void>;

/** Runs the steps in reverse order. */
async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

interface Parts {
  readonly path: string;
  readonly logger: Logger;
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly engine: Engine;
}

async function run(options: ServeOptions, ends: End[]): Promise<RunningService> {
  const { dataFolder } = options;
  const parts = await openParts(options, ends);
  const { path, logger, store, sandbox, engine } = parts;
  const stopping = new AbortController();
  const end = Promise.withResolvers<undefined>();
  const stop = (): void => end.resolve(undefined);
  const leases = createLeases(stop, leaseGraceMs, options.isLeased ? firstLeaseMs : undefined);
  ends.push(() => leases.dispose());
  const sessionToken = randomBytes(32).toString('base64url');
  let port: number | null = null;
  const work = createWork(engine, logger);
  const retention = openRetention(options, parts);
  ends.push(() => retention.dispose());
  const app = createApp({
    onRequest: retention.noteRequest,
    store,
    engine,
    sandbox,
    leases,
    stop,
    sessionToken,
    logger,
    now: systemClock.now,
    limiter: createRateLimiter(options.requestsPerMinute, steadyNow),
    dataPath: path,
    isReady: () => work.hasBegun,
    stopping: stopping.signal,
    port: () => port,
  });
  const listener = await listen(app, options.port);
  ends.push(() => listener.close());
  port = listener.port;
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  ends.push(() => stopping.abort());
  await writeInstance(dataFolder, { baseUrl, pid: process.pid, sessionToken });
  ends.push(() => removeInstance(dataFolder));
  work.begin();
  ends.push(() => work.dispose());
  return { baseUrl, ended: end.promise, stop: () => endAll(ends) };
}

async function openParts(options: ServeOptions, ends: End[]): Promise<Parts> {
  const { dataFolder, refusesPrivateAddresses } = options;
  const path = databasePath(dataFolder);
  const logger = createStorageLog(options.logger, path);
  const store = createSqliteStore({ path, logger });
  ends.push(() => store.close());
  if (options.hasSamples) await importSamples(store.workflows);
  const sandbox = createSandbox();
  ends.push(() => sandbox.dispose());
  const engine = await createOpenWorkflowEngine({ store, sandbox, path, logger, refusesPrivateAddresses });
  ends.push(() => engine.stop());
  return { path, logger, store, sandbox, engine };
}

function openRetention({ keepDays, keepExecutions }: ServeOptions, { store, logger }: Parts): Retention {
  return createRetention({ store, logger, now: systemClock.now, steadyNow, keepDays, keepExecutions });
}
