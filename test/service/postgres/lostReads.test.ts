// A connection that is lost while a run only reads delays the execution, and fails none of its nodes.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import type { JsonObject } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import type { NewExecution } from '../../../src/service/store/newExecution.ts';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { textAt } from '../calls.ts';
import { CountingServer } from './team.ts';

const start = { id: 'start', type: 'trigger' };

function definitionOf(...nodes: readonly JsonObject[]): NewExecution['definition'] {
  const ids = [start, ...nodes].map((node) => textAt(node, 'id'));
  const edges = ids.slice(1).map((target, index) => ({ source: ids[index] ?? '', target }));
  return { nodes: [start, ...nodes], edges, settings: {} };
}

describe('A connection that is lost while a run reads', () => {
  let server: PostgresServer;
  let own: postgres.Sql;
  let store: PostgresStore;
  let secrets: Secrets;
  let engine: Engine;
  const http = new CountingServer();
  const sandbox = createSandbox();

  before(async () => {
    server = await PostgresServer.start();
    const address = await server.createDatabase('lost_reads');
    await migrate(address);
    own = postgres(address.url, { ...connectionOptions(3) });
    store = new PostgresStore({ address });
    const keys = { current: new SecretsKey('k'.repeat(32)), old: [] };
    secrets = new Secrets({ store, keys, logger: silentLogger });
    engine = new Engine({ store, sandbox, secrets, logger: silentLogger });
    await engine.begin();
  });
  after(async () => {
    await engine.stop();
    secrets.dispose();
    await sandbox.dispose();
    http.close();
    await store.close();
    await own.end();
    await server.dispose();
  });

  const trigger = async (execution: Partial<NewExecution>): Promise<string> => {
    const definition = definitionOf();
    const triggered = await store.executions.trigger({
      workflowId: 'wf_1',
      definition,
      input: '{}',
      ...execution,
    });
    assert.ok(triggered.kind === 'created');
    return triggered.execution.id;
  };
  /** Reads on a connection that nobody ends. */
  const ended = async (id: string) => {
    for (;;) {
      const [row] = await own<{ status: string; error: string | null; output: string | null }[]>`
        SELECT status, error, output FROM executions WHERE id = ${id}`;
      assert.ok(row);
      if (row.status !== 'running' && row.status !== 'queued') return { ...row };
      await nextTurn();
    }
  };
  /** Ends the connections that read the table, once one does, and before they get an answer. */
  const loseReads = async <T>(table: string, work: () => Promise<T>): Promise<T> => {
    const lock = await own.reserve();
    await lock.unsafe(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const result = await work();
    for (let lost = 0; lost === 0;) {
      const rows = await own`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%SELECT%FROM ${table}%`}`;
      lost = rows.length;
    }
    await lock.unsafe('COMMIT');
    lock.release();
    return result;
  };

  it('does not fail a loop', async () => {
    const all = { id: 'all', type: 'forEach', config: { items: '[]' } };
    const id = await loseReads('loop_turns', () => trigger({ definition: definitionOf(all) }));
    assert.deepEqual(await ended(id), { status: 'completed', error: null, output: 'null' });
  });

  it('does not fail a node that runs alone with recorded values', async () => {
    const made = { id: 'made', type: 'transform', config: { expression: '"recorded"' } };
    const alone = { id: 'alone', type: 'transform', config: { expression: 'nodes.made' } };
    const definition = definitionOf(made, alone);
    const basedOn = await trigger({ definition });
    await ended(basedOn);
    const plan = { again: [], pinned: {}, only: 'alone', iteration: [] };
    const id = await loseReads('node_runs', () => trigger({ definition, kind: 'draft', basedOn, plan }));
    assert.deepEqual(await ended(id), { status: 'completed', error: null, output: '"recorded"' });
  });

  it('does not fail a request with a secret', async () => {
    const base = await http.start();
    await secrets.set('token', 'value of the secret');
    const request = (id: string, token: string) => ({
      id,
      type: 'httpRequest',
      config: { url: `${base}/${id}`, headers: { 'X-Token': token } },
    });
    http.hold((path) => path === '/first');
    const id = await trigger({
      definition: definitionOf(request('first', 'none'), request('second', '{{ secrets.token }}')),
    });
    await http.untilHeld(1);
    await loseReads('secrets', () => {
      http.release();
      return Promise.resolve();
    });
    assert.deepEqual(await ended(id), { status: 'completed', error: null, output: 'null' });
  });
});
