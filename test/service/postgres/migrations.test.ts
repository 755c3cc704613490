// The tables are made by whoever starts first, and refused by a version that doesn't know them.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { NewerDataError } from '../../../src/service/store/storageError.ts';
import { PostgresServer } from '../../support/postgres.ts';

describe('The tables of a service on PostgreSQL', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;

  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.dispose());

  it('are made once, however many processes start at the same time', async () => {
    address = await server.createDatabase('first');
    await Promise.all(Array.from({ length: 5 }, () => migrate(address)));
    const store = new PostgresStore({ address });
    const { id } = await store.keys.create('Ada', 'never');
    await migrate(address);
    assert.deepEqual(
      (await store.keys.list()).map((key) => key.id),
      [id],
    );
    await store.close();
  });

  it('are refused in words when a newer version has made them', async () => {
    address = await server.createDatabase('newer');
    await migrate(address);
    const connection = postgres(address.url, { max: 1 });
    await connection`UPDATE workflow_automation.schema_version SET version = 99`;
    await connection.end();
    await assert.rejects(migrate(address), (error) => {
      assert.ok(error instanceof NewerDataError);
      assert.match(error.message, /^The data in 127\.0\.0\.1:\d+\/newer were written by a newer version/);
      return true;
    });
  });
});
