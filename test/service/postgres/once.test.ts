// What is to happen once happens once, however many processes on the database are asked at the same time.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import type { ExecutionWriter } from '../../../src/service/store/executionWriter.ts';
import type { NewExecution, TriggerResult } from '../../../src/service/store/newExecution.ts';
import { createDatabase } from '../../support/storage.ts';
import { keepDrafts } from '../calls.ts';

const dayMs = 24 * 60 * 60 * 1000;
const eventLimits = { count: 20, bytes: 1_000_000 };

describe('Two stores on one database', () => {
  let address: DatabaseAddress;
  let own: postgres.Sql;
  let stores: PostgresStore[] = [];
  let now = 0;
  let databases = 0;
  beforeEach(async () => {
    now = Date.now();
    address = await createDatabase(`once_${(databases += 1)}`);
    own = postgres(address.url, { max: 1, connection: { search_path: 'workflow_automation' } });
    stores = [0, 1].map(() => new PostgresStore({ address, now: () => now, eventLimits }));
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await own.end();
  });

  /** Asks the stores in turn, all at the same time. */
  const atOnce = <T>(count: number, ask: (store: PostgresStore, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: count }, (_each, index) => {
        const store = stores[index % stores.length];
        assert.ok(store);
        return ask(store, index);
      }),
    );
  const executionOf = (key?: string, body = 'body', name = 'start'): NewExecution => ({
    workflowId: 'wf_1',
    definition: { nodes: [{ id: name, type: 'trigger', name, config: {} }], edges: [], settings: {} },
    input: '{}',
    ...(key !== undefined && { idempotency: { keyId: 'key_1', key, bodyHash: body } }),
  });
  const countOf = async (table: string) => {
    const [row] = await own.unsafe<{ count: number }[]>(`SELECT count(*)::INTEGER AS count FROM ${table}`);
    return row?.count;
  };
  const idOf = (result: TriggerResult) => (result.kind === 'conflict' ? result.kind : result.execution.id);
  const end = async (id: string) => {
    await stores[0]?.executions.write({ executionId: id, claim: null }, (writer) =>
      writer.finish({ status: 'completed', output: '{}' }),
    );
  };

  it('number the rows of a log once, even if one has waited for the other to write', async () => {
    const [first, second] = stores;
    assert.ok(first && second);
    const claim = { executionId: idOf(await first.executions.trigger(executionOf())), claim: null };
    const skip = (writer: ExecutionWriter, nodeId: string) => {
      const { executionId } = claim;
      const turn = { executionId, nodeId, nodeName: nodeId, nodeType: 'log', iteration: [] };
      return writer.skip(turn, 'branch not taken', true);
    };
    let waited: Promise<void> | undefined;
    await first.executions.write(claim, async (writer) => {
      await skip(writer, 'a');
      waited = second.executions.write(claim, (other) => skip(other, 'b'));
      const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      while ((await own.unsafe(isWaiting)).length === 0) await nextTurn();
    });
    await waited;
    const rows = await own.unsafe<{ sequence: number }[]>(
      'SELECT sequence::INTEGER FROM node_logs ORDER BY sequence',
    );
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      [1, 2],
    );
  });

  it('start one execution for one idempotency key', async () => {
    const results = await atOnce(50, (store) => store.executions.trigger(executionOf('once')));
    assert.equal(new Set(results.map(idOf)).size, 1);
    assert.equal(results.filter(({ kind }) => kind === 'created').length, 1);
    assert.deepEqual([await countOf('executions'), await countOf('portal_events')], [1, 1]);
    const others = await atOnce(10, (store) => store.executions.trigger(executionOf('once', 'other')));
    assert.ok(others.every(({ kind }) => kind === 'conflict'));
  });

  it('start one again when the key is a day old, also when all ask while old keys are deleted', async () => {
    const keys = Array.from({ length: 20 }, (_each, index) => `key ${index}`);
    await atOnce(keys.length, (store, index) => store.executions.trigger(executionOf(keys[index])));
    now += dayMs + 1;
    const results = await atOnce(100, (store, index) =>
      store.executions.trigger(executionOf(keys[index % keys.length])),
    );
    assert.equal(results.filter(({ kind }) => kind === 'created').length, keys.length);
    assert.equal(new Set(results.map(idOf)).size, keys.length);
    assert.deepEqual([await countOf('executions'), await countOf('idempotency')], [40, 20]);
  });

  it('keep one portal event of one source', async () => {
    const event = { type: 'portal.paid', data: {}, sourceId: 'inbound:1' };
    const ids = await atOnce(50, (store) => store.portalEvents.append(event));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await countOf('portal_events'), 1);
  });

  it('keep the events of many sources apart while old ones are deleted', async () => {
    const ids = await atOnce(200, async (store, index) => {
      const id = await store.portalEvents.append({
        type: 'portal.paid',
        data: {},
        sourceId: `inbound:${index % 40}`,
      });
      await store.portalEvents.range();
      return id;
    });
    assert.equal(ids.length, 200);
    assert.ok(((await countOf('portal_events')) ?? 0) >= 20);
  });

  it('delete each old execution once, and none that is kept, while new ones start', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      const [store] = stores;
      assert.ok(store);
      const name = `start${count % 3}`;
      const id = idOf(await store.executions.trigger(executionOf(`key ${count}`, 'body', name)));
      ids.push(id);
      await end(id);
    }
    const left = 10;
    const pruning = { before: null, draftsBefore: null, keep: left, keepDrafts, limit: 7 };
    let isDone = false;
    const started: string[] = [];
    // New executions of the definitions that are deleted, and repetitions of the keys whose executions are.
    const starting = atOnce(8, async (store, index) => {
      for (let count = 0; count < 25; count += 1) {
        const result = await store.executions.trigger(
          executionOf(`key ${(count * 8 + index) % 60}`, 'body', `start${count % 3}`),
        );
        if (result.kind === 'created') {
          started.push(result.execution.id);
          await end(result.execution.id);
        }
      }
    }).finally(() => {
      isDone = true;
    });
    const counts = await atOnce(6, async (store) => {
      let sum = 0;
      while (!isDone || ((await countOf('executions')) ?? 0) > left)
        sum += await store.executions.prune(pruning);
      return sum;
    });
    await starting;
    const deleted = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(ids.length + started.length - deleted, await countOf('executions'));
    const [unknown] = await own<{ count: number }[]>`SELECT count(*)::INTEGER AS count FROM idempotency
      WHERE execution_id NOT IN (SELECT id FROM executions)`;
    assert.equal(unknown?.count, 0);
  });

  it('start an execution whose definition is deleted in that moment', async () => {
    const [store] = stores;
    assert.ok(store);
    await end(idOf(await store.executions.trigger(executionOf())));
    await own`DELETE FROM executions`;
    let starting: Promise<TriggerResult> | undefined;
    await own.begin(async (transaction) => {
      await transaction`SELECT hash FROM definitions FOR UPDATE`;
      starting = store.executions.trigger(executionOf());
      // It has found the definition, and waits to use it.
      const waits = async () => {
        // A transaction goes on seeing what it saw first.
        await transaction`SELECT pg_stat_clear_snapshot()`;
        const found = await transaction`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO executions%'`;
        return found.length > 0;
      };
      while (!(await waits()));
      await transaction`DELETE FROM definitions`;
    });
    assert.equal((await starting)?.kind, 'created');
    assert.deepEqual([await countOf('executions'), await countOf('definitions')], [1, 1]);
  });

  it('leave retention to the store that is doing it', async () => {
    const [store] = stores;
    assert.ok(store);
    const id = idOf(await store.executions.trigger(executionOf()));
    await end(id);
    const pruning = { before: null, draftsBefore: null, keep: 0, keepDrafts, limit: 5 };
    await own.begin(async (transaction) => {
      await transaction`SELECT pg_advisory_xact_lock(hashtextextended('workflow_automation/retention', 0))`;
      assert.deepEqual(await atOnce(2, (each) => each.executions.prune(pruning)), [0, 0]);
    });
    assert.deepEqual((await atOnce(2, (each) => each.executions.prune(pruning))).sort(), [0, 1]);
    assert.equal(await countOf('definitions'), 0);
  });
});
