// A pool whose connections are all in use loses one while others wait for it.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres, { type ReservedSql } from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions, openPool } from '../../../src/service/store/postgres/pool.ts';
import { isClosed } from '../../../src/service/store/postgres/postgresError.ts';
import { Numbering, Statements } from '../../../src/service/store/postgres/statements.ts';
import { createEmptyDatabase } from '../../support/storage.ts';
import { createCuttableProxy } from './cuttableProxy.ts';

describe('A pool of connections that loses one', () => {
  let address: DatabaseAddress;
  let own: postgres.Sql;
  before(async () => {
    address = await createEmptyDatabase('pool');
    own = postgres(address.url, { max: 1 });
  });
  after(async () => {
    await own.end();
  });

  it('gives another connection to each waiting caller', async () => {
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

  it('refuses what is sent on it, and works for the next caller', async () => {
    const pool = openPool(address, connectionOptions(1));
    const lost = await pool.reserve();
    const [row] = await lost<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await lost.unsafe('BEGIN');
    await own`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
    await untilRefused(lost);
    for (const sent of ['SELECT 1', 'COMMIT']) await assert.rejects(async () => lost.unsafe(sent), isClosed);
    const next = await pool.reserve();
    const [found] = await next<{ one: number }[]>`SELECT 1 AS one`;
    assert.equal(found?.one, 1);
    next.release();
    await pool.end({ timeout: 1 });
  });

  it('reads rows from the first one on after a connection was lost in the middle of a result', async () => {
    const pool = openPool(address, connectionOptions(1));
    const statements = new Statements(pool, new Numbering());
    const reading = statements.all(
      `SELECT repeat('x', 4000) AS lost_in_the_middle, pg_sleep(0.01) FROM generate_series(1, ?::int)`,
      2000,
    );
    const refused = assert.rejects(reading, isClosed);
    // Some rows have come by then.
    await untilTrue(
      () => own<{ is: boolean }[]>`SELECT coalesce(bool_or(pg_terminate_backend(pid)), false) AS is
        FROM pg_stat_activity WHERE query LIKE '%lost_in_the_middle%' AND pid <> pg_backend_pid()
          AND now() - query_start > interval '500 ms'`,
    );
    await refused;
    const found = await untilRead(() => statements.all('SELECT 1 AS one'));
    assert.deepEqual(found[0], { one: 1 });
    assert.equal(found.length, 1);
    await pool.end({ timeout: 1 });
  });

  it('answers what is sent after a connection was lost while something was about to be sent on it', async () => {
    const proxy = await createCuttableProxy(address);
    const pool = openPool(proxy.address, connectionOptions(1));
    await pool.unsafe('SELECT 1');
    proxy.cut();
    const losses: unknown[] = [];
    while (losses.length === 0) {
      void pool.unsafe('SELECT 1').catch((error: unknown) => losses.push(error));
      await nextTurn();
    }
    const [row] = await untilRead(() => pool.unsafe<{ one: number }[]>('SELECT 1 AS one'));
    assert.equal(row?.one, 1);
    await pool.end({ timeout: 1 });
    proxy.close();
  });

  it('refuses waiting and later callers once it has ended', async () => {
    const pool = openPool(address, connectionOptions(1));
    const held = await pool.reserve();
    await held.unsafe('BEGIN');
    const waiting = assert.rejects(pool.reserve(), { code: 'CONNECTION_ENDED' });
    await pool.end({ timeout: 1 });
    await waiting;
    await assert.rejects(pool.reserve(), { code: 'CONNECTION_ENDED' });
  });
});

/** Sends until the loss of the connection is known here. */
async function untilRefused(connection: ReservedSql<{ number: number }>): Promise<void> {
  for (;;)
    try {
      await connection.unsafe('SELECT 1');
    } catch (error) {
      assert.ok(isClosed(error), String(error));
      return;
    }
}

async function untilTrue(ask: () => Promise<readonly { readonly is: boolean }[]>): Promise<void> {
  while ((await ask())[0]?.is !== true);
}

/** The first statement on a new connection can still be refused with the reason of the loss. */
async function untilRead<T>(read: () => PromiseLike<T>): Promise<T> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      assert.ok(isClosed(error), String(error));
    }
}
