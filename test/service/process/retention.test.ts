// What need not be kept goes with all that belongs to it, and nothing else; the file becomes smaller.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLogger } from '../../../src/base/logger.ts';
import { steadyNow } from '../../../src/base/time.ts';
import { pruneStep, Retention } from '../../../src/service/process/retention.ts';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';
import { createDataFolder, removeDataFolder } from './program.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('Retention', () => {
  let dataFolder = '';
  let path = '';
  let now = 0;
  let service: TestService;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
    now = Date.now();
    service = await createTestService({ path, now: () => now, requestsPerMinute: 10_000 });
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  const definition = chain(
    ['start', 'trigger'],
    ['wait', 'delay', { milliseconds: '{{ input.wait }}' }],
    ['fill', 'transform', { expression: '$pad("x", 200000)' }],
  );
  const start = (workflowId: string, wait = 1) => execute(service, workflowId, { wait });
  const run = async (workflowId: string) => {
    const id = await start(workflowId);
    await follow(service, id);
    return id;
  };
  const options = (keepDays: number, keepExecutions: number) => ({
    store: service.store,
    keepDays,
    keepExecutions,
    now: () => now,
    steadyNow,
    logger: silentLogger,
  });
  const pruneAll = async (...keeping: [number, number]) => {
    while (await pruneStep(options(...keeping)));
  };
  /** How many rows the tables have that belong to these executions, or to any. */
  const rowsOf = (ids?: readonly string[]) => {
    const database = new DatabaseSync(path, { readOnly: true });
    const count = (sql: string) => Number(database.prepare(sql).get()?.['count']);
    const list = ids?.map((id) => `'${id}'`).join() ?? '';
    const where = (column: string) => (ids ? `WHERE ${column} IN (${list})` : '');
    const counts = {
      executions: count(`SELECT count(*) AS count FROM executions ${where('id')}`),
      ofNodes: ['node_logs', 'node_runs', 'payloads', 'loop_turns', 'idempotency'].reduce(
        (sum, table) => sum + count(`SELECT count(*) AS count FROM ${table} ${where('execution_id')}`),
        0,
      ),
    };
    database.close();
    return counts;
  };
  const statusOf = async (id: string) => (await call(service, 'GET', `/v1/executions/${id}`)).status;

  it('of idempotency keys deletes a bounded number with each new one', async () => {
    const workflowId = await createDeployed(service, chain(['start', 'trigger']));
    const database = new DatabaseSync(path);
    database.exec(`
      WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
      INSERT INTO idempotency (key_id, key, body_hash, execution_id, created_at)
      SELECT 'key', CAST(number AS TEXT), '', '', '2020-01-01T00:00:00.000Z' FROM numbers`);
    const left = () => database.prepare('SELECT count(*) AS count FROM idempotency').get()?.['count'];
    const counts = [];
    for (const key of ['one', 'two', 'three']) {
      const path = `/v1/workflows/${workflowId}/execute`;
      await call(service, 'POST', path, { input: {} }, { 'Idempotency-Key': key });
      counts.push(left());
    }
    database.close();
    assert.deepEqual(counts, [1501, 502, 3]);
  });

  it('of idempotency keys ends after a day, also beside many that are older', async () => {
    const workflowId = await createDeployed(service, chain(['start', 'trigger']));
    const executionIdOf = async () => {
      const headers = { 'Idempotency-Key': 'nightly' };
      const { body } = await call(
        service,
        'POST',
        `/v1/workflows/${workflowId}/execute`,
        { input: {} },
        headers,
      );
      return textAt(body, 'executionIds', 0);
    };
    const first = await executionIdOf();
    now += dayMs - 1000;
    assert.equal(await executionIdOf(), first);
    now += 2000;
    const database = new DatabaseSync(path);
    database.exec(`
      WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
      INSERT INTO idempotency (key_id, key, body_hash, execution_id, created_at)
      SELECT 'key', CAST(number AS TEXT), '', '', '2020-01-01T00:00:00.000Z' FROM numbers`);
    database.close();
    const second = await executionIdOf();
    assert.notEqual(second, first);
    assert.equal(await executionIdOf(), second);
  });

  it('by age deletes ended executions, with their logs, and keeps running ones', async () => {
    const workflowId = await createDeployed(service, definition);
    const repeated = { 'Idempotency-Key': 'once' };
    const path = `/v1/workflows/${workflowId}/execute`;
    await call(service, 'POST', path, { input: { wait: 1 } }, repeated);
    const old = [await run(workflowId), await run(workflowId)];
    const waiting = await start(workflowId, 80_000_000);
    now += 29 * dayMs;
    await pruneAll(30, 0);
    for (const id of old) assert.equal(await statusOf(id), 200);
    now += 2 * dayMs;
    const young = await run(workflowId);
    await pruneAll(30, 0);
    for (const id of old)
      assertRefused(await call(service, 'GET', `/v1/executions/${id}`), 404, 'execution_not_found');
    assert.deepEqual([await statusOf(young), await statusOf(waiting)], [200, 200]);
    assert.deepEqual(rowsOf(old).ofNodes, 0);
    assert.equal(rowsOf().executions, 2);
    // The key that named a deleted execution starts another one.
    assert.equal((await call(service, 'POST', path, { input: { wait: 1 } }, repeated)).status, 202);
  });

  it('by number keeps the newest; 0 keeps all', async () => {
    const workflowId = await createDeployed(service, definition);
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1) ids.push(await run(workflowId));
    now += 1000 * dayMs;
    await pruneAll(0, 0);
    assert.equal(rowsOf().executions, 25);
    await pruneAll(0, 3);
    assert.deepEqual(
      (await service.store.executions.list({ limit: 10 })).items.map(({ id }) => id),
      ids.slice(-3).reverse(),
    );
  });

  it('returns the space to the disk', async () => {
    const workflowId = await createDeployed(service, definition);
    for (let count = 0; count < 30; count += 1) await run(workflowId);
    await service.dispose();
    const full = statSync(path).size;
    service = await createTestService({ path, now: () => now });
    await pruneAll(0, 1);
    await service.dispose();
    assert.ok(statSync(path).size < full * 0.7, `${full} → ${statSync(path).size}`);
    service = await createTestService({ path, now: () => now });
  });

  it('rewrites a file of an earlier version once, where much of it is free', async () => {
    const earlier = join(dataFolder, 'earlier.db');
    const database = new DatabaseSync(earlier);
    database.exec('PRAGMA auto_vacuum = NONE; CREATE TABLE filler (text TEXT)');
    const insert = database.prepare('INSERT INTO filler VALUES (?)');
    for (let count = 0; count < 100; count += 1) insert.run('x'.repeat(120_000));
    database.exec('DELETE FROM filler');
    database.close();
    const store = new SqliteStore({ path: earlier });
    assert.ok(statSync(earlier).size > 10_000_000);
    while (await store.shrink(256));
    await store.close();
    assert.ok(statSync(earlier).size < 1_000_000);
    const after = new DatabaseSync(earlier);
    assert.equal(after.prepare('PRAGMA auto_vacuum').get()?.['auto_vacuum'], 2);
    after.close();
  });

  it('goes on beside work that never ends, after some minutes', async () => {
    const workflowId = await createDeployed(service, definition);
    const id = await run(workflowId);
    const endless = await run(workflowId);
    const database = new DatabaseSync(path);
    database
      .prepare(`UPDATE executions SET status = 'running', completed_at = NULL WHERE id = ?`)
      .run(endless);
    database.close();
    const minute = 60_000;
    let steady = 0;
    const retention = new Retention({
      ...options(0, 1),
      steadyNow: () => (steady += minute),
      paces: { firstMs: 1, betweenStepsMs: 1, busyMs: 1, restMs: 1 },
    });
    while ((await statusOf(id)) === 200) await nextTurn();
    retention.dispose();
    assert.ok(steady > 5 * minute, `${steady}`);
    assert.equal(await statusOf(endless), 200);
  });

  it('continues by itself, but not while requests arrive', async () => {
    const workflowId = await createDeployed(service, definition);
    const id = await run(workflowId);
    const gone = async () => (await statusOf(id)) === 404;
    let steady = 0;
    const looked = Promise.withResolvers<undefined>();
    const retention = new Retention({
      ...options(0, 1),
      store: {
        executions: service.store.executions,
        shrink: (pages) => {
          looked.resolve(undefined);
          return service.store.shrink(pages);
        },
      },
      steadyNow: () => {
        // Asked twice since the request: still busy the first time.
        steady += 200;
        return steady;
      },
      paces: { firstMs: 1, betweenStepsMs: 1, busyMs: 1, restMs: 1 },
    });
    retention.noteRequest();
    await run(workflowId);
    await looked.promise;
    retention.dispose();
    assert.ok(await gone());
  });
});
