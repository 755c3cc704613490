// A pool whose connections are all in use loses one while others wait for it.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions, openPool } from '../../../src/service/store/postgres/pool.ts';
import { PostgresServer } from '../../support/postgres.ts';

describe('A pool of connections that loses one', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let own: postgres.Sql;
  before(async () => {
    server = await PostgresServer.start();
    address = await server.createDatabase('pool');
    own = postgres(address.url, { max: 1 });
  });
  after(async () => {
    await own.end();
    await server.dispose();
  });

  it('gives another to each that waits', async () => {
    const pool = openPool(address, connectionOptions(1));
    const first = await pool.reserve();
    const [row] = await first<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const waiting = Promise.all(
      Array.from({ length: 3 }, async () => {
        const connection = await pool.reserve();
        const [found] = await connection<{ one: number }[]>`SELECT 1 AS one`;
        connection.release();
        return found?.one;
      }),
    );
    await own`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
    assert.deepEqual(await waiting, [1, 1, 1]);
    await pool.end({ timeout: 1 });
  });
});
