// Starts one PostgreSQL for a run of the tests; each test service gets a database of its own.
import { migrate } from '../../src/service/store/postgres/schema.ts';
import { PostgresServer } from './postgres.ts';
import { templateVariable } from './storage.ts';

let server: PostgresServer | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  server = await PostgresServer.start();
  const address = await server.createDatabase('template');
  await migrate(address);
  process.env[templateVariable] = address.url;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.dispose();
}
