import type { Backend } from 'openworkflow/internal';
import { BackendPostgres } from 'openworkflow/postgres';
import postgres from 'postgres';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { connectionOptions, engineSchema, openPool } from '../store/postgres/pool.ts';
import { toPostgresError } from '../store/postgres/postgresError.ts';
import { claimableQueues } from '../store/engineRuns.ts';
import type { EngineBackend } from './engineBackend.ts';

const longestEndSeconds = 2;
/**
 * How long a dead worker keeps its runs: since the engine polls every second, another worker takes them over within 30 seconds.
 * OpenWorkflow asks for 30 seconds, and a living worker renews each lease every 15 seconds.
 */
const leaseDurationMs = 28_000;
const listQueues = claimableQueues(`${engineSchema}.`, 'now()');

/** Opens the engine's runs in a migrated database. `poolSize` is the maximum number of connections. */
export function openPostgresBackend(address: DatabaseAddress, poolSize: number): EngineBackend {
  const options = { ...connectionOptions(poolSize), transform: { column: { from: postgres.toCamel } } };
  const pool = openPool(address, options);
  return {
    of: (queue) => {
      const own = BackendPostgres.fromPool(pool, { schema: engineSchema, namespaceId: queue });
      const runs = withStorageErrors(own, address);
      shortenLeases(runs);
      return runs;
    },
    listClaimable: async () => {
      const began = performance.now();
      try {
        const rows = await pool.unsafe<{ name: string }[]>(listQueues);
        return { names: rows.map(({ name }) => name), tookMs: performance.now() - began };
      } catch (error) {
        throw toPostgresError(error, address);
      }
    },
    // Other workers hold leases; those of a dead one expire.
    releaseRuns: () => Promise.resolve(),
    // Without a limit, it never ends if a connection was lost while a statement was written to it.
    stop: () => pool.end({ timeout: longestEndSeconds }),
  };
}

/** Each method rejects with a StorageError if the database is the reason. */
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
