// What the service adds to OpenWorkflow's storage of runs.
import assert from 'node:assert/strict';
import type { Backend } from 'openworkflow/internal';
import { openPostgresBackend } from '../../../src/service/engine/postgresBackend.ts';
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
  let runs: Backend;

  before(async () => {
    server = await PostgresServer.start();
    const address = await server.createDatabase('leases');
    await migrate(address);
    ({ runs } = openPostgresBackend(address, 2));
  });
  after(async () => {
    await runs.stop();
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

  it('tell in words that the database does not answer', async () => {
    await server.stop();
    const claimed = runs.claimWorkflowRun({ workerId: 'worker', leaseDurationMs });
    await assert.rejects(claimed, (error) => {
      assert.ok(error instanceof StorageError);
      assert.equal(error.problem, 'unreachable');
      return true;
    });
  });
});
