// The leases of executions on PostgreSQL, and what processes of an earlier version have left.
import assert from 'node:assert/strict';
import type { WorkflowRun } from 'openworkflow/internal';
import postgres from 'postgres';
import { systemClock } from '../../../src/base/time.ts';
import { Admissions } from '../../../src/service/engine/admissions.ts';
import { ExecutionLeases } from '../../../src/service/engine/executionLeases.ts';
import { Slots } from '../../../src/service/engine/slots.ts';
import { knownLevel } from '../../../src/service/store/needs.ts';
import { engineSchema, olderName } from '../../../src/service/store/postgres/olderProcesses.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { StorageError } from '../../../src/service/store/storageError.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { claimOne } from '../calls.ts';
import { createCuttableProxy } from './cuttableProxy.ts';

const aimMs = 30_000;
/** The engine asks for another poll each second. */
const pollMs = 1000;
/** How often OpenWorkflow renews a lease. */
const renewalMs = 15_000;

const execution = {
  workflowId: 'wf_1',
  definition: { nodes: [], edges: [], settings: {} },
  input: '{}',
};

describe('The leases of executions', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let store: PostgresStore;
  let sql: postgres.Sql;
  let databases = 0;
  const ends: (() => Promise<void>)[] = [];

  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.dispose());
  beforeEach(async () => {
    address = await server.createDatabase(`leases_${(databases += 1)}`);
    await migrate(address);
    store = new PostgresStore({ address });
    sql = postgres(address.url, { ...connectionOptions(1) });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await store.close();
    await sql.end({ timeout: 1 });
  });

  const trigger = async (): Promise<string> => {
    const triggered = await store.executions.trigger(execution);
    assert.ok(triggered.kind === 'created');
    return triggered.execution.id;
  };
  const leasedMs = async (): Promise<number> => {
    const [row] = await sql<{ ms: number }[]>`
      SELECT available_at::float8 - extract(epoch FROM now())::float8 * 1000 AS ms FROM executions`;
    return row?.ms ?? 0;
  };

  it('last so long that a poll fits into the 30 seconds, and a late renewal into the lease', async () => {
    await trigger();
    const claimed = await claimOne(store.executions);
    assert.ok(claimed);
    const leases = [await leasedMs()];
    await sql`UPDATE executions SET available_at = available_at - 10000`;
    await store.executions.claims.renew([claimed.id]);
    leases.push(await leasedMs());
    for (const lease of leases) {
      assert.ok(lease + pollMs < aimMs, `${lease} ms`);
      assert.ok(lease > renewalMs + 10_000, `${lease} ms`);
    }
  });

  it('that another process has taken over are not renewed', async () => {
    await trigger();
    const first = await claimOne(store.executions);
    await sql`UPDATE executions SET available_at = 0`;
    const other = new PostgresStore({ address });
    const second = await claimOne(other.executions);
    assert.ok(first && second);
    const before = await leasedMs();
    await sql`UPDATE executions SET available_at = available_at - 10000`;
    await store.executions.claims.renew([first.id]);
    assert.ok((await leasedMs()) < before);
    assert.equal(await second.handOver(0), true);
    await other.close();
  });

  it('of claims whose response was lost are ended by their process', async () => {
    const ids = [await trigger(), await trigger()];
    const held = await claimOne(store.executions);
    const lost = await claimOne(store.executions);
    assert.ok(held && lost);
    await store.executions.claims.releaseOthers([held.id]);
    const again = await claimOne(store.executions);
    assert.equal(again?.id, ids[1]);
    assert.equal(again?.suspicion.crashCount, 0, 'the process has not crashed');
    assert.equal(await claimOne(store.executions), undefined);
  });

  it('of a claim that is stored after it has failed are ended by their process', async () => {
    const proxy = await createCuttableProxy(address);
    const other = new PostgresStore({ address: proxy.address, poolSize: 2 });
    const admissions = new Admissions(systemClock, () => undefined);
    ends.push(async () => {
      admissions.dispose();
      await other.close();
      proxy.close();
    });
    const leases = new ExecutionLeases({
      store: other,
      admissions,
      slots: new Slots({ computing: 8, inFlight: 8 }, () => undefined),
      level: knownLevel,
      canReadSecrets: () => Promise.resolve(true),
      onRest: () => undefined,
    });
    // From its second use on, a statement is sent together with what follows it.
    await trigger();
    assert.ok(await leases.claimWorkflowRun());
    await sql.unsafe(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(1);
        RETURN NEW;
      END $$;
      CREATE TRIGGER held BEFORE INSERT ON portal_events FOR EACH ROW
        WHEN (NEW.type = 'execution.started') EXECUTE FUNCTION hold();
      SELECT pg_advisory_lock(1)`);
    const id = await trigger();
    leases.note();
    const claiming = leases.claimWorkflowRun();
    await until(() => sql`SELECT 1 FROM pg_locks WHERE NOT granted`);
    proxy.cut();
    await assert.rejects(claiming, StorageError);
    // Other statements learn of the loss as well.
    const look = async (): Promise<WorkflowRun | null> => {
      leases.note();
      try {
        return await leases.claimWorkflowRun();
      } catch (error) {
        assert.ok(error instanceof StorageError);
        return look();
      }
    };
    assert.equal(await look(), null, 'nothing is stored so far');
    await sql`SELECT pg_advisory_unlock(1)`;
    await until(() => sql`SELECT 1 FROM executions WHERE id = ${id} AND worker_id IS NOT NULL`);
    let run = await look();
    while (!run) run = await look();
    const { execution } = leases.get(run.id);
    assert.deepEqual([execution.id, execution.suspicion.crashCount], [id, 0], 'the process has not crashed');
  });

  it('are found by an index, however many executions wait', async () => {
    await trigger();
    await sql`INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, input, queue, needs, available_at)
      SELECT 'exec' || number, workflow_id, event_id, status, cause, created_at, input, queue, needs, available_at
      FROM executions, generate_series(1, 5000) AS number`;
    await sql`ANALYZE executions`;
    // The server counts the uses of an index a moment after them.
    for (let isUsed = false; !isUsed;) {
      assert.ok(await claimOne(store.executions));
      const [row] =
        await sql`SELECT idx_scan > 0 AS used FROM pg_stat_user_indexes WHERE indexrelname = 'executions_claim'`;
      isUsed = row?.['used'] === true;
    }
  });

  it('leave alone what a process of an earlier version may have, and take it over once none is connected', async () => {
    const older = postgres(address.url, { max: 1, connection: { application_name: `${olderName}/3` } });
    await older.unsafe(`CREATE SCHEMA ${engineSchema}; CREATE TABLE ${engineSchema}.workflow_runs (id TEXT)`);
    const own = await trigger();
    const [{ id: left } = { id: '' }] = await older<{ id: string }[]>`
      INSERT INTO workflow_automation.executions (id, workflow_id, event_id, status, cause, created_at, input, needs)
      SELECT 'left', workflow_id, event_id, status, cause, created_at, input, 3 FROM workflow_automation.executions RETURNING id`;
    const needs = await older`SELECT needs FROM workflow_automation.executions WHERE id = ${own}`;
    assert.ok(Number(needs[0]?.['needs']) > 3, 'the older process leaves it');
    assert.equal(await store.releaseLeases(), false);
    assert.equal((await claimOne(store.executions))?.id, own);
    assert.equal(await claimOne(store.executions), undefined);
    await older`SELECT 1 FROM openworkflow.workflow_runs`;
    await older.end();
    while (!(await store.releaseLeases()));
    assert.equal((await claimOne(store.executions))?.id, left);
    const schemas = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${engineSchema}`;
    assert.equal(schemas.length, 0);
  });

  it('are reported clearly if the database does not respond', async () => {
    await server.stop();
    await assert.rejects(claimOne(store.executions), (error) => {
      assert.ok(error instanceof StorageError);
      assert.equal(error.problem, 'unreachable');
      return true;
    });
  });
});

async function until(read: () => PromiseLike<readonly unknown[]>): Promise<void> {
  while ((await read()).length === 0);
}
