// What the engine reads to find its next execution, beside many that wait.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { createEmptyDatabase } from '../../support/storage.ts';
import { claimMany } from '../engine/claimingMany.ts';

const claims = 40;
/** Takes about 3 for each queue; one that sorts those that wait reads all of them. */
const mostRowsOfClaim = 1000;

describe('Claiming an execution on PostgreSQL', () => {
  for (const { waiting, queues } of [
    { waiting: 50, queues: 1 },
    { waiting: 100_000, queues: 1 },
    { waiting: 100_000, queues: 100 },
  ])
    it(`reads few rows beside ${waiting} executions that wait in ${queues} queues`, async () => {
      const address = await createEmptyDatabase(`claims_${waiting}_${queues}`);
      await migrate(address);
      const sql = postgres(address.url, { ...connectionOptions(1) });
      await sql`INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, input, queue, needs, available_at)
        SELECT 'exec' || number, 'wf', 'evt', 'queued', 'api', '', '{}', '4/' || (number % ${queues}::integer), 4, 1
        FROM generate_series(1, ${waiting}::integer) AS number`;
      // Whatever the planner knows of the table.
      await sql`ANALYZE executions`;
      const before = await countsOf(sql);
      const store = new PostgresStore({ address });
      const ids = await claimMany(store, claims);
      // A connection that ends reports what it has read.
      await store.close();
      let after = await countsOf(sql);
      while (after.updated < before.updated + claims) after = await countsOf(sql);
      await sql.end();
      assert.equal(ids.size, claims);
      const rows = (after.read - before.read) / claims;
      assert.ok(rows < mostRowsOfClaim, `${rows} rows`);
    });
});

/** How many rows of the executions, and entries of their indexes, were read until now, and how many rows were updated. */
async function countsOf(sql: postgres.Sql): Promise<{ readonly read: number; readonly updated: number }> {
  const [row] = await sql<{ read: number; updated: number }[]>`
    SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'executions'))::float8 AS read,
      n_tup_upd::float8 AS updated
    FROM pg_stat_user_tables WHERE relname = 'executions'`;
  assert.ok(row);
  return row;
}
