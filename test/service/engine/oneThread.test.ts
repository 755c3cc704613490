// Store and engine share one connection to the file, in one thread: were they to wait for a lock of each other, they would wait for ever.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const definition = {
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'wait', type: 'delay', config: { milliseconds: 5 } },
    { id: 'say', type: 'log', config: { message: 'Hello' } },
  ],
  edges: [
    { source: 'start', target: 'wait' },
    { source: 'wait', target: 'say' },
  ],
  settings: {},
};
const count = 60;

describe('The connection to one file', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  it('never waits for a lock of its own thread, after a crash and while executions run beside lists', async () => {
    const failures: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      error: (message, cause) => failures.push([message, cause]),
      warn: (message) => failures.push(message),
    };
    // Whatever would wait for a lock fails at once.
    const store = new SqliteStore({ path: join(dataFolder, 'service.db'), busyTimeoutMs: 0, logger });
    const sandbox = createSandbox();
    const engine = new Engine({
      store,
      secrets: new Secrets({ store, logger: silentLogger }),
      sandbox,
      logger,
    });
    const trigger = async (): Promise<string> => {
      const triggered = await store.executions.trigger({ workflowId: 'wf_1', definition, input: '{}' });
      assert.ok(triggered.kind === 'created');
      return triggered.execution.id;
    };
    // As after a crash: the start of the engine runs them.
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await trigger());
    await engine.begin();
    const later = Array.from({ length: count }, async () => {
      const id = await trigger();
      await store.executions.list({ limit: 50 });
      return id;
    });
    ids.push(...(await Promise.all(later)));
    for (const id of ids) await completed(store, id);
    assert.deepEqual(failures, []);
    await engine.stop();
    await sandbox.dispose();
    await store.close();
  });
});

async function completed(store: SqliteStore, id: string): Promise<void> {
  for (;;) {
    const news = Promise.withResolvers<undefined>();
    const listener = store.subscribe(`execution:${id}`, () => news.resolve(undefined));
    const status = await store.executions.getStatus(id);
    if (status === 'completed') {
      listener.dispose();
      return;
    }
    assert.ok(status === 'queued' || status === 'running' || status === 'waiting', String(status));
    await news.promise;
    listener.dispose();
  }
}
