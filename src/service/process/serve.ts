// Why: puts the running service together in order, and takes it apart in reverse.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { createApp } from '../app.ts';
import { systemClock } from '../clock.ts';
import { createOpenWorkflowEngine } from '../engine/openWorkflowEngine.ts';
import { createRateLimiter } from '../http/rateLimit.ts';
import { basePath } from '../http/routes.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { importSamples } from '../samples.ts';
import { createSqliteStore } from '../store/sqlite/createSqliteStore.ts';
import { readInstance, removeInstance, writeInstance } from './instanceFile.ts';
import { takeInstanceLock } from './instanceLock.ts';
import { createLeases, firstLeaseMs, leaseGraceMs } from './leases.ts';
import { listen } from './listen.ts';

export interface ServeOptions {
  readonly dataFolder: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly requestsPerMinute: number;
  readonly hasSamples: boolean;
  /** Ends when no window holds it. */
  readonly isLeased: boolean;
  readonly logger: Logger;
}

export interface RunningService {
  readonly baseUrl: string;
  /** Resolves when a window asked for the end, or the last one has left. */
  readonly ended: Promise<void>;
  /** Closes streams, interrupts what runs so that the next start goes on with it, and lets the folder go. */
  stop(): Promise<void>;
}

/** Another service works on the folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/** The file of a data folder. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, 'service.db');
}

/** Starts the service on a folder. Rejects with an AlreadyRunningError that names the other one's address. */
export async function serve(options: ServeOptions): Promise<RunningService> {
  const { dataFolder } = options;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = takeInstanceLock(dataFolder);
  if (!lock) throw await alreadyRunning(dataFolder);
  try {
    return await run(options, lock);
  } catch (error) {
    lock.dispose();
    throw error;
  }
}

async function run(options: ServeOptions, lock: Disposable): Promise<RunningService> {
  const { dataFolder, logger } = options;
  const path = databasePath(dataFolder);
  const sandbox = createSandbox();
  const store = createSqliteStore({ path });
  if (options.hasSamples) await importSamples(store.workflows);
  const engine = await createOpenWorkflowEngine({ store, sandbox, path, logger });
  const stopping = new AbortController();
  const end = Promise.withResolvers<undefined>();
  const stop = (): void => {
    end.resolve(undefined);
  };
  const leases = createLeases(stop, leaseGraceMs, options.isLeased ? firstLeaseMs : undefined);
  const sessionToken = randomBytes(32).toString('base64url');
  let port: number | null = null;
  const limiter = createRateLimiter(options.requestsPerMinute, systemClock);
  const app = createApp({
    ...{ store, engine, sandbox, limiter, leases, stop, sessionToken, logger, clock: systemClock },
    stopping: stopping.signal,
    port: () => port,
  });
  const close = async (): Promise<void> => {
    leases.dispose();
    await engine.stop();
    await sandbox.dispose();
    await store.close();
  };
  const listener = await listen(app, options.port).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  port = listener.port;
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  await writeInstance(dataFolder, { baseUrl, pid: process.pid, sessionToken });
  return {
    baseUrl,
    ended: end.promise,
    async stop() {
      await removeInstance(dataFolder);
      stopping.abort();
      await listener.close();
      await close();
      lock.dispose();
    },
  };
}

async function alreadyRunning(dataFolder: string): Promise<AlreadyRunningError> {
  const instance = await readInstance(dataFolder);
  const where = instance ? ` at ${instance.baseUrl}` : '';
  return new AlreadyRunningError(`A service is already running on this data folder${where}.`);
}
