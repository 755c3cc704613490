// Starts one PostgreSQL for a run of the tests; each test service gets a database of its own.
import { rm } from 'node:fs/promises';
import { migrate } from '../../src/service/store/postgres/schema.ts';
import { PostgresServer, preparedVariable, preparePostgres } from './postgres.ts';
import { templateVariable } from './storage.ts';

let prepared: string | undefined;
let server: PostgresServer | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  prepared = await preparePostgres();
  process.env[preparedVariable] = prepared;
  server = await PostgresServer.start();
  const address = await server.createDatabase('template');
  await migrate(address);
  process.env[templateVariable] = address.url;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.dispose();
  if (prepared !== undefined) await rm(prepared, { recursive: true, force: true, maxRetries: 5 });
}
