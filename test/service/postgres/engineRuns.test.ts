// What the service adds to OpenWorkflow's storage of runs.
import assert from 'node:assert/strict';
import type { Backend } from 'openworkflow/internal';
import postgres from 'postgres';
import type { EngineBackend } from '../../../src/service/engine/engineBackend.ts';
import { openPostgresBackend } from '../../../src/service/engine/postgresBackend.ts';
import { commonQueue } from '../../../src/service/store/needs.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { StorageError } from '../../../src/service/store/storageError.ts';
import { PostgresServer } from '../../support/postgres.ts';

/** OpenWorkflow's own; the engine asks for another poll each second. */
const leaseDurationMs = 30_000;
const aimMs = 30_000;
const pollMs = 1000;
/** How often OpenWorkflow renews a lease. */
const renewalMs = 15_000;

describe('The runs of the engine', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let backend: EngineBackend;
  let runs: Backend;

  before(async () => {
    server = await PostgresServer.start();
    address = await server.createDatabase('leases');
    await migrate(address);
    backend = openPostgresBackend(address, 2);
    runs = backend.of(commonQueue.name);
  });
  after(async () => {
    await backend.stop();
    await server.dispose();
  });

  it('are leased so that a poll fits into the 30 seconds, and a late renewal into the lease', async () => {
    const nothing = { parentStepAttemptNamespaceId: null, parentStepAttemptId: null, deadlineAt: null };
    const run = { workflowName: 'any', version: null, idempotencyKey: null, config: {}, context: null };
    await runs.createWorkflowRun({ ...run, ...nothing, input: null, availableAt: null });
    const claimed = await runs.claimWorkflowRun({ workerId: 'worker', leaseDurationMs });
    assert.ok(claimed);
    const own = { workflowRunId: claimed.id, workerId: 'worker' };
    const renewed = await runs.extendWorkflowRunLease({ ...own, leaseDurationMs });
    for (const { availableAt, updatedAt } of [claimed, renewed]) {
      assert.ok(availableAt);
      const leasedMs = availableAt.getTime() - updatedAt.getTime();
      assert.ok(leasedMs + pollMs < aimMs, `${leasedMs} ms`);
      assert.ok(leasedMs > renewalMs + 10_000, `${leasedMs} ms`);
    }
  });

  it('are claimed by an index, however many wait', async () => {
    const sql = postgres(address.url, { ...connectionOptions(1) });
    await sql.unsafe(
      `INSERT INTO openworkflow.workflow_runs
         (namespace_id, id, workflow_name, status, config, attempts, available_at, created_at, updated_at)
       SELECT 'default', 'run' || number, 'any', 'pending', '{}', 0, now(), now(), now()
       FROM generate_series(1, 5000) AS number`,
    );
    await sql.unsafe('ANALYZE openworkflow.workflow_runs');
    // The server counts the uses of an index a moment after them.
    for (let isUsed = false; !isUsed;) {
      await runs.claimWorkflowRun({ workerId: 'worker', leaseDurationMs });
      const [row] =
        await sql`SELECT idx_scan > 0 AS used FROM pg_stat_user_indexes WHERE indexrelname = 'workflow_runs_claim'`;
      isUsed = row?.['used'] === true;
    }
    await sql.end({ timeout: 1 });
  });

  it('report clearly that the database does not respond', async () => {
    await server.stop();
    const claimed = runs.claimWorkflowRun({ workerId: 'worker', leaseDurationMs });
    await assert.rejects(claimed, (error) => {
      assert.ok(error instanceof StorageError);
      assert.equal(error.problem, 'unreachable');
      return true;
    });
  });
});
