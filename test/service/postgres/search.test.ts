// The search on PostgreSQL: with and without pg_trgm, and with several processes on one database.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { createDatabase } from '../../support/storage.ts';
import { keepDrafts } from '../calls.ts';
import { endedExecutions, fillIndex } from '../searching.ts';

const count = 200;

describe('The search on PostgreSQL', () => {
  let address: DatabaseAddress;
  let own: postgres.Sql;
  let stores: readonly PostgresStore[] = [];
  let databases = 0;
  beforeEach(async () => {
    address = await createDatabase(`search_${(databases += 1)}`);
    own = postgres(address.url, {
      max: 1,
      onnotice: () => undefined,
      connection: { search_path: 'workflow_automation' },
    });
    stores = [0, 1].map(() => new PostgresStore({ address }));
    for (const statement of endedExecutions(0, count)) await own.unsafe(statement);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await own.end();
  });
  const [first, second] = [() => storeAt(0), () => storeAt(1)];
  function storeAt(index: number): PostgresStore {
    const store = stores[index];
    assert(store);
    return store;
  }
  const find = async (text: string): Promise<readonly string[]> => {
    const ids: string[] = [];
    let before: number | undefined;
    do {
      const page = await first().executions.list({ limit: 100, search: { text }, before });
      ids.push(...page.items.map(({ id }) => id));
      before = page.nextPosition ?? undefined;
    } while (before !== undefined);
    return ids;
  };

  it('reads the executions where pg_trgm is missing, and has its index once that is there', async () => {
    await own`DROP EXTENSION pg_trgm CASCADE`;
    assert.equal(await first().searchQueue.isIndexed(), false);
    assert.equal(await first().searchQueue.step(), false);
    assert.deepEqual(await find('inv-77'), ['exec_77']);
    assert.equal(await first().searchQueue.count(), count);
    await migrate(address);
    assert.equal(await first().searchQueue.isIndexed(), true);
    await fillIndex(first());
    assert.deepEqual(await find('inv-77'), ['exec_77']);
    const plan = await own.begin(async (transaction) => {
      await transaction`SET LOCAL enable_seqscan = off`;
      return transaction`EXPLAIN SELECT position FROM search_texts WHERE text LIKE '%inv-77%'`;
    });
    assert.match(JSON.stringify(plan), /search_texts_trigrams/);
  });

  it('uses pg_trgm in whatever schema an administrator has created it', async () => {
    await own`DROP EXTENSION pg_trgm CASCADE`;
    await own`CREATE SCHEMA "of others"`;
    await own`CREATE EXTENSION pg_trgm SCHEMA "of others"`;
    await migrate(address);
    assert.equal(await first().searchQueue.isIndexed(), true);
  });

  it('has each execution in its index once, though two processes fill it and executions are deleted meanwhile', async () => {
    const prune = () =>
      second().executions.prune({ before: null, draftsBefore: null, keep: 20, keepDrafts, limit: 20 });
    const fill = async (store: PostgresStore): Promise<void> => {
      while ((await store.searchQueue.count()) > 0) await store.searchQueue.step();
    };
    const deleted = (async () => {
      while ((await prune()) > 0);
    })();
    await Promise.all([fill(first()), fill(second()), deleted]);
    const [row] = await own`SELECT
      (SELECT count(*)::int FROM executions) AS executions,
      (SELECT count(*)::int FROM search_texts) AS parts,
      (SELECT count(*)::int FROM search_texts JOIN executions USING (position)) AS matched`;
    assert.deepEqual({ ...row }, { executions: 20, parts: 20, matched: 20 });
    assert.deepEqual(
      await find('back door'),
      Array.from({ length: 20 }, (_id, at) => `exec_${count - at}`),
    );
  });
});
