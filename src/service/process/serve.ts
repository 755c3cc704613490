// Assembles the running service, and takes it apart in reverse order.
import { randomBytes } from 'node:crypto';
import type { Logger } from '../../base/logger.ts';
import { steadyNow, systemClock } from '../../base/time.ts';
import { createApp } from '../app.ts';
import { Engine } from '../engine/engine.ts';
import { openSqliteBackend } from '../engine/sqliteBackend.ts';
import { basePath } from '../http/routes.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { importSamples } from '../samples.ts';
import { MemoryRequestLimit } from '../store/requestLimit.ts';
import type { Store } from '../store/store.ts';
import { SqliteStore, type SqliteStoreOptions } from '../store/sqlite/sqliteStore.ts';
import { StorageError, StorageLog, toStorageError, withStorage } from '../store/storageError.ts';
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import type { ServeCommand } from './commandLine.ts';
import { checkNotedDamage, noteDamage, prepareDataFolder, takeInstanceLock } from './dataFolder.ts';
import { type End, endAll } from './ends.ts';
import { EngineStarter } from './engineStarter.ts';
import { firstLeaseMs, leaseGraceMs, Leases } from './leases.ts';
import { listen } from './listen.ts';
import { Retention } from './retention.ts';
import { removeInstance, writeInstance } from '../../protocol/localService/instance.ts';
import { writeLastPort } from '../../protocol/localService/lastPort.ts';

export interface RunningService {
  readonly baseUrl: string;
  /** Resolves when a window stops the service or after the last lease ends, and with the reason when the data are found damaged. */
  readonly ended: Promise<StorageError | undefined>;
  /** Closes streams, interrupts executions so that the next start continues them, and unlocks the folder. */
  stop(): Promise<void>;
}

/** Starts the service on a folder. Rejects with an AlreadyRunningError that names the other service's address, or a StorageError. */
export async function serve(command: ServeCommand, logger: Logger): Promise<RunningService> {
  const { dataFolder } = command;
  const ends: End[] = [];
  try {
    withStorage(dataFolder, () => prepareDataFolder(dataFolder));
    const lock = await takeInstanceLock(dataFolder);
    ends.push(() => lock.dispose());
    return await run(command, logger, ends);
  } catch (error) {
    await endAll(ends);
    throw toStorageError(error, databasePath(dataFolder));
  }
}

async function run(command: ServeCommand, unlimitedLogger: Logger, ends: End[]): Promise<RunningService> {
  const { dataFolder, keepDays, keepExecutions, requestsPerMinute } = command;
  const { now } = systemClock;
  const dataPath = databasePath(dataFolder);
  const location = { file: dataPath };
  const logger = new StorageLog(unlimitedLogger, location);
  const end = Promise.withResolvers<StorageError | undefined>();
  const stop = (): void => end.resolve(undefined);
  checkNotedDamage(dataFolder);
  let isDamaged = false;
  const onDamage = (): void => {
    isDamaged = true;
    end.resolve(new StorageError('damaged', location));
  };
  ends.push(() => {
    if (isDamaged) noteDamage(dataFolder);
  });
  const { store, sandbox, engine } = await openParts(command, { path: dataPath, logger, onDamage }, ends);
  const stopping = new AbortController();
  const leases = new Leases(stop, leaseGraceMs, command.isLeased ? firstLeaseMs : undefined);
  ends.push(() => leases.dispose());
  const sessionToken = randomBytes(32).toString('base64url');
  let port: number | null = null;
  const starter = new EngineStarter(engine, logger);
  const retention = new Retention({ store, logger, now, steadyNow, keepDays, keepExecutions });
  ends.push(() => retention.dispose());
  const app = createApp({
    onRequest: () => retention.noteRequest(),
    store,
    engine,
    sandbox,
    hosts: { kind: 'loopback' },
    settings: { takeLease: () => leases.take(), stop, sessionToken },
    logger,
    now,
    requestLimit: new MemoryRequestLimit(requestsPerMinute, steadyNow),
    location,
    isReady: () => starter.hasBegun,
    findProblem: () => store.problem(),
    stopping: stopping.signal,
    port: () => port,
  });
  const listener = await listen(app, command.port);
  ends.push(() => listener.close());
  port = listener.port;
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  ends.push(() => stopping.abort());
  await writeLastPort(dataFolder, port);
  await writeInstance(dataFolder, { baseUrl, pid: process.pid, sessionToken });
  ends.push(() => removeInstance(dataFolder));
  starter.begin();
  ends.push(() => starter.dispose());
  return { baseUrl, ended: end.promise, stop: () => endAll(ends) };
}

async function openParts(
  { hasSamples, refusesPrivateAddresses, limits }: ServeCommand,
  storage: SqliteStoreOptions & { readonly logger: Logger },
  ends: End[],
): Promise<{ readonly store: Store; readonly sandbox: Sandbox; readonly engine: Engine }> {
  const store = new SqliteStore(storage);
  ends.push(() => store.close());
  if (hasSamples) await importSamples(store.workflows);
  const sandbox = new Sandbox();
  ends.push(() => sandbox.dispose());
  const backend = await openSqliteBackend(store);
  const { logger } = storage;
  const engine = new Engine({ store, sandbox, backend, logger, refusesPrivateAddresses, limits });
  ends.push(() => engine.stop());
  return { store, sandbox, engine };
}
