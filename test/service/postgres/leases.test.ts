// A run belongs to a worker for a time: when the worker dies, another takes the run over once that time is up.
import assert from 'node:assert/strict';
import type { Backend } from 'openworkflow/internal';
import { openPostgresBackend } from '../../../src/service/engine/postgresBackend.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';

/** OpenWorkflow's own; the engine asks for another poll each second. */
const leaseDurationMs = 30_000;
const aimMs = 30_000;
const pollMs = 1000;
/** How often OpenWorkflow renews a lease. */
const renewalMs = 15_000;

describe('The lease of a run', () => {
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

  it('leaves time for a poll within the 30 seconds, and for a late renewal', async () => {
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
});
