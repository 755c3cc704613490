// All that a service on PostgreSQL needs beyond one on SQLite. It's loaded by import(), so that the local service starts without it.
import type { Logger } from '../../base/logger.ts';
import type { DatabaseAddress } from '../store/postgres/address.ts';
import { PostgresStore } from '../store/postgres/postgresStore.ts';

export { checkTables, migrate } from '../store/postgres/schema.ts';
export { PostgresStore } from '../store/postgres/postgresStore.ts';

/** With the listening connection at most 9 connections per process, so that ten processes fit PostgreSQL's default of 100. */
const poolSize = 8;

/** Opens a migrated database. */
export function openTeamDatabase(address: DatabaseAddress, logger: Logger): PostgresStore {
  return new PostgresStore({ address, logger, poolSize });
}
