// A process hears from others what has changed, and looks by itself for what it didn't hear.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';

describe('A change without a notification', () => {
  let server: PostgresServer;
  let own: postgres.Sql;
  let store: PostgresStore;
  before(async () => {
    server = await PostgresServer.start();
    const address = await server.createDatabase('notifications');
    await migrate(address);
    own = postgres(address.url, { max: 1, connection: { search_path: 'workflow_automation' } });
    // So that nothing but the test commits.
    await own`ALTER SYSTEM SET autovacuum = off`;
    await own`SELECT pg_reload_conf()`;
    store = new PostgresStore({ address });
  });
  after(async () => {
    await store.close();
    await own.end();
    await server.dispose();
  });

  /** Resolves when the store has looked for changes so many times. */
  const looked = async (count: number): Promise<void> => {
    const times = new Set<string>();
    // The last one that's seen may not have ended.
    while (times.size <= count)
      for (const { time } of await own<
        { time: string }[]
      >`SELECT query_start::TEXT AS time FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_current_snapshot%'`)
        times.add(time);
  };

  it('is found, and nothing is read when there is none', async () => {
    const heard: string[] = [];
    let news = Promise.withResolvers<undefined>();
    const subscription = store.subscribe('portalEvents', () => {
      heard.push('news');
      news.resolve(undefined);
    });
    const change = async () => {
      news = Promise.withResolvers();
      await own`INSERT INTO definitions (hash, definition) VALUES (gen_random_uuid()::TEXT, '{}')`;
      await news.promise;
    };
    // The first news can be that the store has begun to listen.
    await change();
    await change();
    const before = heard.length;
    await looked(2);
    assert.equal(heard.length, before);
    await change();
    assert.equal(heard.length, before + 1);
    subscription.dispose();
  });
});
