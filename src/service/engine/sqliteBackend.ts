// What the engine needs of OpenWorkflow's SQLite backend beyond its API. Check every update of the package against this file, and against
// the tables that store/engineRuns.ts knows.
import { BackendSqlite } from 'openworkflow/sqlite';
import type { Backend } from 'openworkflow/internal';
import { systemClock, wait } from '../../base/time.ts';
import * as v from 'valibot';
import { claimableQueues, claimIndexes } from '../store/engineRuns.ts';
import type { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { EngineBackend } from './engineBackend.ts';

const lockPollMs = 20;
const sqliteBusy = 5;
/** The form in which the backend stores times. */
const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const listQueues = claimableQueues('', now);

const QueueRows = v.array(v.object({ name: v.string() }));

/** The store on the same file. */
export type EngineStore = Pick<SqliteStore, 'path' | 'busyTimeoutMs' | 'runOutside'>;

/** Opens the data of the engine, in the store's file. */
export async function openSqliteBackend(store: EngineStore): Promise<EngineBackend> {
  const { path, busyTimeoutMs } = store;
  const backend = await connect(path, busyTimeoutMs);
  execute(backend, `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA synchronous = NORMAL`);
  execute(backend, claimIndexes(''));
  const inLine = <T>(work: () => T | Promise<T>): Promise<T> => store.runOutside(async () => work());
  return {
    of: (queue) => withQueue(backend, queue, inLine),
    listClaimable: () =>
      inLine(() => {
        const began = performance.now();
        const rows = v.parse(QueueRows, connectionOf(backend).prepare(listQueues).all());
        return { names: rows.map(({ name }) => name), tookMs: performance.now() - began };
      }),
    releaseRuns: () => inLine(() => releaseRuns(backend)),
    stop: () => inLine(() => backend.stop()),
  };
}

/**
 * The backend for another namespace than its own, on the same connection. Each method waits in the store's queue: otherwise the backend's
 * connection would wait for a transaction of the store that this same thread has to end.
 */
function withQueue(
  backend: BackendSqlite,
  queue: string,
  inLine: (work: () => unknown) => Promise<unknown>,
): Backend {
  const own = new Proxy<Backend>(backend, {
    get: (target, name): unknown => (name === 'namespaceId' ? queue : Reflect.get(target, name)),
  });
  return new Proxy(own, {
    get(target, name): unknown {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => inLine(() => Reflect.apply(method, target, parameters));
    },
  });
}

/** Ends all leases on runs, so that these can be claimed at once. Only one service runs on a folder, so at its start no lease is in use. */
function releaseRuns(backend: BackendSqlite): void {
  execute(
    backend,
    `UPDATE workflow_runs SET worker_id = NULL, available_at = ${now}
     WHERE status = 'running' AND worker_id IS NOT NULL`,
  );
}

/** Waits for locks here: the backend creates its tables before a busy timeout can be set. */
async function connect(path: string, busyTimeoutMs: number): Promise<BackendSqlite> {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return BackendSqlite.connect(path);
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error;
      await wait(systemClock, lockPollMs);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;
}

function execute(backend: BackendSqlite, sql: string): void {
  connectionOf(backend).exec(sql);
}

interface Connection {
  exec(sql: string): void;
  prepare(sql: string): { all(): unknown };
}

/** The backend's connection, for which it has no API: it's a private field, and only the backend can open it. */
function connectionOf(backend: BackendSqlite): Connection {
  const connection: unknown = Reflect.get(backend, 'db');
  if (!isConnection(connection)) throw new TypeError('The engine has no connection that can be used.');
  return connection;
}

function isConnection(value: unknown): value is Connection {
  return (
    typeof value === 'object' &&
    value !== null &&
    'exec' in value &&
    typeof value.exec === 'function' &&
    'prepare' in value &&
    typeof value.prepare === 'function'
  );
}
