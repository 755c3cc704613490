// A full disk refuses writes in words and holds up no read; damage found while the service runs names the file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { steadyNow, systemClock } from '../../../src/base/time.ts';
import { createApp } from '../../../src/service/app.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { EngineStarter } from '../../../src/service/process/parts.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { MemoryRequestLimit } from '../../../src/service/store/requestLimit.ts';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { StorageLog, storageProblemOf } from '../../../src/service/store/storageError.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { damagePages, pagesOfRows } from '../../support/damagedFile.ts';
import { createTestService } from '../../support/service.ts';
import { assertRefused, at, call, callSettings, chain, createDeployed, execute, textAt } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const maximumPages = 150;

/** Writes until there is no room for the smallest event. */
async function fill(store: Store): Promise<void> {
  for (const size of [20_000, 500, 1])
    try {
      for (;;) await store.portalEvents.append({ type: 'portal.filler', data: { text: 'x'.repeat(size) } });
    } catch (error) {
      assert.equal(storageProblemOf(error), 'full');
    }
}

/** Makes room, as somebody does who clears up the disk. */
function clear(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('DELETE FROM portal_events');
  database.close();
}

/** Accepts an execution of a workflow with one node. */
async function trigger(store: Store): Promise<string> {
  const definition = { nodes: [{ id: 'start', type: 'trigger' }], edges: [], settings: {} };
  const triggered = await store.executions.trigger({ workflowId: 'wf_1', definition, input: '{}' });
  assert.ok(triggered.kind === 'created');
  return triggered.execution.id;
}

/** Resolves when the execution is reported as completed. */
function completed(store: Store, executionId: string): Promise<void> {
  return new Promise((resolve) => {
    store.subscribe(`execution:${executionId}`, () => {
      void store.executions.getStatus(executionId).then((status) => {
        if (status === 'completed') resolve();
      });
    });
  });
}

describe('Storage', () => {
  let dataFolder = '';
  let path = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
  });
  afterEach(() => removeDataFolder(dataFolder));

  it('that is full refuses writes with a clear error, serves reads, counts uses, and recovers with free space', async () => {
    const service = await createTestService({ path, maximumPages, requestsPerMinute: 10_000 });
    const workflowId = await createDeployed(service, chain(['start', 'trigger']));
    await fill(service.store);
    for (const [method, at, body] of [
      ['POST', '/v1/workflows', { name: 'Another' }],
      ['POST', `/v1/workflows/${workflowId}/execute`, { input: {} }],
      ['POST', '/v1/portal/events', { type: 'order' }],
    ] as const) {
      const refused = await call(service, method, at, body);
      assertRefused(refused, 507, 'storage_full');
      const words = `The disk is full: nothing can be written to ${dataFolder}. Free some space there; a running service resumes automatically.`;
      assert.equal(textAt(refused.body, 'error', 'message'), words);
    }
    const usesOf = async () =>
      at((await callSettings(service, 'GET', '/settings/api-keys')).body, 'data', 0, 'requestCount');
    const before = Number(await usesOf());
    for (const read of [
      '/v1/workflows',
      `/v1/workflows/${workflowId}`,
      '/v1/executions',
      '/v1/portal/events',
    ])
      assert.equal((await call(service, 'GET', read)).status, 200, read);
    assert.equal(await usesOf(), before + 4);
    const health = await call(service, 'GET', '/health');
    const reason = 'The disk is full: nothing new can be stored.';
    assert.deepEqual(health.body, { status: 'degraded', live: true, ready: true, reason });

    clear(path);
    assert.equal((await call(service, 'POST', '/v1/workflows', { name: 'Another' })).status, 201);
    await execute(service, workflowId, {});
    assert.equal((await call(service, 'GET', '/health')).body['status'], 'ok');
    const counted = await usesOf();
    await service.dispose();
    const store = new SqliteStore({ path });
    assert.equal((await store.keys.list())[0]?.requestCount, counted);
    await store.close();
  });

  it('that is full when the service starts does not end it: interrupted executions run once there is space', async () => {
    const store = new SqliteStore({ path, maximumPages });
    const sandbox = createSandbox();
    const executionId = await trigger(store);
    const engine = new Engine({
      store,
      secrets: new Secrets({ store, logger: silentLogger }),
      sandbox,
      logger: silentLogger,
    });
    await fill(store);
    await engine.begin();
    const ended = completed(store, executionId);
    assert.equal(await store.executions.getStatus(executionId), 'queued');
    clear(path);
    await ended;
    await engine.stop();
    await sandbox.dispose();
    await store.close();
  });

  it('that keeps the engine from starting is retried', async () => {
    const failures: Error[] = [Object.assign(new Error('disk I/O error'), { errcode: 778 })];
    const logged: unknown[] = [];
    const begun = Promise.withResolvers<undefined>();
    const begin = (): Promise<void> => {
      const failure = failures.pop();
      if (failure) return Promise.reject(failure);
      begun.resolve(undefined);
      return Promise.resolve();
    };
    const logger: Logger = {
      ...silentLogger,
      error: (_message, cause) => logged.push(storageProblemOf(cause)),
    };
    const work = new EngineStarter({ begin }, logger, 1);
    work.begin();
    assert.equal(work.hasBegun, false);
    await begun.promise;
    assert.deepEqual(logged, ['full']);
    work.dispose();
  });

  it('resumes nothing before the engine is started', async () => {
    const store = new SqliteStore({ path });
    const sandbox = createSandbox();
    const engine = new Engine({
      store,
      secrets: new Secrets({ store, logger: silentLogger }),
      sandbox,
      logger: silentLogger,
    });
    const executionId = await trigger(store);
    assert.equal(await store.executions.getStatus(executionId), 'queued');
    const ended = completed(store, executionId);
    await engine.begin();
    await ended;
    await engine.stop();
    await sandbox.dispose();
    await store.close();
  });

  it('that is read-only serves reads, refuses writes with a clear error, and reports it', async () => {
    const first = await createTestService({ path });
    const { key } = first;
    await call(first, 'POST', '/v1/workflows', { name: 'Billing' });
    await first.dispose();
    const store = new SqliteStore({ path, isReadOnly: true });
    const sandbox = createSandbox();
    const secrets = new Secrets({ store, logger: silentLogger });
    const engine = new Engine({
      store,
      secrets,
      sandbox,
      logger: silentLogger,
      concurrency: 0,
    });
    const app = createApp({
      store,
      secrets,
      sandbox,
      engine,
      logger: silentLogger,
      now: systemClock.now,
      hosts: { kind: 'loopback' },
      port: () => null,
      stopping: new AbortController().signal,
      requestLimit: new MemoryRequestLimit(60, steadyNow),
      location: { file: path },
      isReady: () => true,
      findProblem: () => store.problem(),
      readWork: () => Promise.resolve(undefined),
    });
    const service = { app, key };
    const refused = await call(service, 'POST', '/v1/workflows', { name: 'Another' });
    assertRefused(refused, 507, 'storage_read_only');
    assert.match(textAt(refused.body, 'error', 'message'), /service\.db cannot be written to\. /);
    for (const read of ['/v1/workflows', '/v1/executions', '/v1/portal/events'])
      assert.equal((await call(service, 'GET', read)).status, 200, read);
    const reason = 'The data is read-only.';
    const health = await call(service, 'GET', '/health');
    assert.deepEqual(
      [health.status, health.body],
      [200, { status: 'degraded', live: true, ready: true, reason }],
    );
    await engine.stop();
    await sandbox.dispose();
    await store.close();
  });

  it('that is damaged behind a query names the file, and serves what is intact', async () => {
    const first = await createTestService({ path });
    for (let count = 0; count < 20; count += 1)
      await call(first, 'POST', '/v1/workflows', { name: 'Billing', settings: { text: 'x'.repeat(3000) } });
    const { key } = first;
    await first.dispose();
    await damagePages(path, pagesOfRows(path, 'workflows'));
    const service = await createTestService({ path });
    const answer = await call({ ...service, key }, 'GET', '/v1/workflows');
    assertRefused(answer, 500, 'internal_error');
    const words = `${path} is damaged. Restore a copy of it, or move it away to start over.`;
    assert.equal(textAt(answer.body, 'error', 'message'), words);
    const health = await call(service, 'GET', '/health');
    const reason = 'The data is damaged.';
    assert.deepEqual(
      [health.status, health.body],
      [503, { status: 'degraded', live: true, ready: false, reason }],
    );
    assert.equal((await call({ ...service, key }, 'GET', '/v1/executions')).status, 200);
    assert.equal((await call(service, 'GET', '/health')).status, 200);
    await service.dispose();
  });

  it('at fault logs one line a minute, with the number of suppressed lines', () => {
    const lines: string[] = [];
    let now = 0;
    const log = new StorageLog(
      { ...silentLogger, error: (message, cause) => lines.push(`${message}${cause ? ' …' : ''}`) },
      { file: '/data/service.db' },
      () => now,
    );
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const wrapped = new Error('The engine failed.', {
      cause: Object.assign(new Error(''), { errcode: 778 }),
    });
    for (; now < 60_000; now += 1000) log.error('A request failed.', now % 2000 === 0 ? full : wrapped);
    log.error('Another fault.', new Error('unlike'));
    log.error('The next.', full);
    const words = 'The disk is full: nothing can be written to /data.';
    assert.equal(lines.length, 3);
    assert.ok(lines[0]?.startsWith(`A request failed. ${words}`), lines[0]);
    assert.equal(lines[1], 'Another fault. …');
    assert.match(lines[2] ?? '', /^The next\. .* 59 more since the last line like this\.$/);
  });
});
