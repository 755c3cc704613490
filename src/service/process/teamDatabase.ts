// All that a service on PostgreSQL needs beyond one on SQLite. It's loaded by import(), so that the local service starts without it.
import type { Logger } from '../../base/logger.ts';
import type { EngineBackend } from '../engine/engineBackend.ts';
import { openPostgresBackend } from '../engine/postgresBackend.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { PostgresStore } from '../store/postgres/postgresStore.ts';

export { checkTables, migrate } from '../store/postgres/schema.ts';
export { PostgresStore } from '../store/postgres/postgresStore.ts';

/** With the listening connection at most 13 connections per process, so that seven processes fit PostgreSQL's default of 100. */
const storePoolSize = 8;
const enginePoolSize = 4;

export interface TeamDatabase {
  readonly store: PostgresStore;
  readonly backend: EngineBackend;
}

/** Opens a migrated database. */
export function openTeamDatabase(address: DatabaseAddress, logger: Logger): TeamDatabase {
  return {
    store: new PostgresStore({ address, logger, poolSize: storePoolSize }),
    backend: openPostgresBackend(address, enginePoolSize),
  };
}
