// All that a service on PostgreSQL needs beyond one on SQLite. It's loaded by import(), so that the local service starts without it.
export { checkTables, migrate } from '../store/postgres/schema.ts';
export { PostgresStore } from '../store/postgres/postgresStore.ts';
