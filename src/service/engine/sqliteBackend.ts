// What the engine needs of OpenWorkflow's SQLite backend beyond its API. An update of the package has to be checked against this file, and
// against the tables that store/engineRuns.ts knows.
import { BackendSqlite } from 'openworkflow/sqlite';
import type { Backend } from 'openworkflow/internal';
import { systemClock, wait } from '../../base/time.ts';
import { claimIndexes } from '../store/engineRuns.ts';
import type { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import { type EngineBackend, stopClaimingAtNone } from './engineBackend.ts';

const lockPollMs = 20;
const sqliteBusy = 5;

/** The store on the same file. */
export type EngineStore = Pick<SqliteStore, 'path' | 'busyTimeoutMs' | 'elsewhere'>;

/** Opens the data of the engine, in the store's file. */
export async function openSqliteBackend(store: EngineStore): Promise<EngineBackend> {
  const { path, busyTimeoutMs } = store;
  const backend = await connect(path, busyTimeoutMs);
  execute(backend, `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA synchronous = NORMAL`);
  execute(backend, claimIndexes(''));
  const runs = stopClaimingAtNone(inLine(backend, store));
  return {
    runs,
    releaseRuns: () =>
      store.elsewhere(() => {
        releaseRuns(backend);
        return Promise.resolve();
      }),
  };
}

/**
 * Each method waits in the store's line. The backend's own connection would else wait for a transaction of the store that this same thread
 * has to end.
 */
function inLine(backend: BackendSqlite, store: EngineStore): Backend {
  return new Proxy<Backend>(backend, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]): Promise<unknown> =>
        store.elsewhere(async () => (await Reflect.apply(method, target, parameters)) as unknown);
    },
  });
}

/** Ends all leases on runs, so that these can be claimed at once. Only one service runs on a folder, so at its start no lease is in use. */
function releaseRuns(backend: BackendSqlite): void {
  execute(
    backend,
    `UPDATE workflow_runs SET worker_id = NULL, available_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
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

/** Runs SQL on the backend's connection, for which the backend has no API: it's a private field, and only the backend can open it. */
function execute(backend: BackendSqlite, sql: string): void {
  const connection: unknown = Reflect.get(backend, 'db');
  if (!canExecute(connection)) throw new TypeError('The engine has no connection that can be used.');
  connection.exec(sql);
}

function canExecute(value: unknown): value is { exec(sql: string): void } {
  return typeof value === 'object' && value !== null && 'exec' in value && typeof value.exec === 'function';
}
