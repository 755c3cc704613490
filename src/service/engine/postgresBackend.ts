import type { Backend } from 'openworkflow/internal';
import { BackendPostgres } from 'openworkflow/postgres';
import postgres from 'postgres';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { connectionOptions, engineSchema, openPool } from '../store/postgres/pool.ts';
import { toPostgresError } from '../store/postgres/postgresError.ts';
import { type EngineBackend, stopClaimingAtNone } from './engineBackend.ts';

const longestEndSeconds = 2;
/**
 * How long a dead worker keeps its runs: with the engine's poll of a second, another takes them over within 30 seconds. OpenWorkflow asks for
 * 30 seconds, and a living worker renews each lease every 15 seconds.
 */
const leaseDurationMs = 28_000;

/** Opens the engine's runs in a database that was migrated. `poolSize` is the maximum number of connections. */
export function openPostgresBackend(address: DatabaseAddress, poolSize: number): EngineBackend {
  const options = { ...connectionOptions(poolSize), transform: { column: { from: postgres.toCamel } } };
  const pool = openPool(address, options);
  const runs = withStorageErrors(BackendPostgres.fromPool(pool, { schema: engineSchema }), address);
  // Without a limit it never ends once a connection was lost while a statement was written to it.
  runs.stop = () => pool.end({ timeout: longestEndSeconds });
  shortenLeases(runs);
  // Other workers hold leases; those of a dead one expire.
  return { runs: stopClaimingAtNone(runs), releaseRuns: () => Promise.resolve() };
}

/** Each method rejects with a StorageError where the database is the reason. */
function withStorageErrors(runs: Backend, address: DatabaseAddress): Backend {
  return new Proxy(runs, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...parameters: unknown[]): Promise<unknown> => {
        try {
          return await (Reflect.apply(method, target, parameters) as unknown);
        } catch (error) {
          throw toPostgresError(error, address);
        }
      };
    },
  });
}

function shortenLeases(runs: Backend): void {
  const claim = runs.claimWorkflowRun.bind(runs);
  const extend = runs.extendWorkflowRunLease.bind(runs);
  runs.claimWorkflowRun = (params) => claim({ ...params, leaseDurationMs });
  runs.extendWorkflowRunLease = (params) => extend({ ...params, leaseDurationMs });
}
