// A secret storage that fails or never answers ends in a typed error within 10 s, and the next call asks it again.
import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorReason } from '../../../src/domain/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { Connections } from '../../../src/model/connections/connections.ts';
import type { Connection } from '../../../src/domain/connection.ts';
import {
  HandClock,
  MemoryRecords,
  MemoryState,
  settle,
  TroubledSecrets,
} from '../../support/memory/ports.ts';
import { createMemoryNetwork, MemoryService } from '../../support/memory/service.ts';
import { firstUrl } from '../../support/memory/world.ts';

const key = 'svc_sk_good';
type Operation = (ServiceErrorReason & { readonly kind: 'secretStorage' })['operation'];

function createTroubled() {
  const clock = new HandClock();
  const secrets = new TroubledSecrets();
  const connections = new Connections({
    records: new MemoryRecords(),
    workspaceState: new MemoryState(),
    secrets,
    clock,
    createClient: createMemoryNetwork({ 'https://first.example': new MemoryService() }),
    keyPrefix: () => 'svc_sk_',
    createId: () => 'c1',
  });
  return { clock, secrets, connections };
}
type Troubled = ReturnType<typeof createTroubled>;

/** How a call ended, as far as it did. */
function watch(call: Promise<unknown>): { readonly outcome: () => unknown } {
  let outcome: unknown = 'waiting';
  call.then(
    (value) => (outcome = value),
    (error: unknown) => (outcome = error instanceof ServiceError ? error.reason : error),
  );
  return { outcome: () => outcome };
}

const request = { name: 'First', baseUrl: firstUrl, apiKey: key };
const calls: Readonly<Record<Operation, (troubled: Troubled, record: Connection) => Promise<unknown>>> = {
  read: ({ connections }, record) => connections.readKey(record),
  store: ({ connections }, { id }) => connections.replaceKey(id, key),
  delete: ({ connections }, { id }) => connections.remove(id),
};

describe('a secret storage', () => {
  for (const operation of ['read', 'store', 'delete'] as const) {
    it(`that fails to ${operation} a key is told as such, once`, async () => {
      const troubled = createTroubled();
      const record = await troubled.connections.add(request);
      troubled.secrets.trouble = 'fails';
      const failed = watch(calls[operation](troubled, record));
      await settle();
      assert.deepEqual(failed.outcome(), { kind: 'secretStorage', operation, cause: 'failed' });
      assert.deepEqual(troubled.connections.all.current.length, 1);
      assert.equal(troubled.clock.armed, 0);
      troubled.secrets.trouble = 'none';
      await calls[operation](troubled, record);
    });

    it(`that never answers to ${operation} a key is given up after 10 s, and asked again`, async () => {
      const troubled = createTroubled();
      const record = await troubled.connections.add(request);
      troubled.secrets.trouble = 'silent';
      const silent = watch(calls[operation](troubled, record));
      await troubled.clock.advance(9_999);
      assert.equal(silent.outcome(), 'waiting');
      await troubled.clock.advance(1);
      const reason = { kind: 'secretStorage', operation, cause: 'silent' };
      assert.deepEqual(silent.outcome(), reason);
      assert.equal(troubled.clock.armed, 0);
      await troubled.secrets.answerLate();
      assert.deepEqual(silent.outcome(), reason);
      assert.equal(troubled.connections.all.current.length, 1);
      if (operation !== 'delete') assert.equal(await troubled.connections.readKey(record), key);
    });
  }

  it('that stores a new key too late keeps it for nobody', async () => {
    const { clock, connections, secrets } = createTroubled();
    secrets.trouble = 'silent';
    const adding = watch(connections.add(request));
    await clock.advance(10_000);
    assert.deepEqual(adding.outcome(), { kind: 'secretStorage', operation: 'store', cause: 'silent' });
    await secrets.answerLate();
    assert.equal(secrets.inner.entries.size, 0);
    assert.deepEqual(connections.all.current, []);
  });

  it('that answers late has nothing sent with its key', async () => {
    const { clock, connections, secrets } = createTroubled();
    const record = await connections.add(request);
    const sent: string[] = [];
    const client = createClient({
      http: () =>
        Promise.resolve((url: string) => {
          sent.push(url);
          return Promise.reject(new Error('Nothing is there.'));
        }),
      baseUrl: record.baseUrl,
      key: () => connections.readKey(record),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock }),
      logger: silentLogger,
      clock,
      random: () => 0,
    });
    secrets.trouble = 'silent';
    const call = watch(client.workflows.list({}));
    await clock.advance(10_000);
    assert.deepEqual(call.outcome(), { kind: 'secretStorage', operation: 'read', cause: 'silent' });
    await secrets.answerLate();
    assert.deepEqual(sent, []);
    const again = watch(client.workflows.list({}));
    await clock.advance(10_000);
    assert.notEqual(again.outcome(), 'waiting');
    assert.ok(sent.length > 0);
    client.dispose();
  });
});
