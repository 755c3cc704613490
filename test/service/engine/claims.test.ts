// What the engine needs to find its next execution, beside many that wait.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/base/time.ts';
import { Admissions } from '../../../src/service/engine/admissions.ts';
import { ExecutionLeases } from '../../../src/service/engine/executionLeases.ts';
import { Slots } from '../../../src/service/engine/slots.ts';
import { knownLevel, queueOf } from '../../../src/service/store/needs.ts';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';
import { claimMany } from './claimingMany.ts';

const waiting = 100_000;
const claims = 40;
/** Takes below 400 ms; sorting all that wait for each claim takes more than 2 s. */
const maximumMs = 1200;
const execution = {
  workflowId: 'wf_1',
  definition: { nodes: [], edges: [], settings: {} },
  input: '{}',
  queue: queueOf('wf_1', { level: 1, readsSecrets: true }),
};

describe('Claiming an execution', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  for (const queues of [1, 100])
    it(`costs the same beside ${waiting} executions that wait in ${queues} queues`, async () => {
      const path = join(dataFolder, 'service.db');
      const store = new SqliteStore({ path });
      const file = new DatabaseSync(path);
      file.exec(
        `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${waiting})
       INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, input, queue, needs, available_at)
       SELECT 'exec' || number, 'wf', 'evt', 'queued', 'api', '', '{}', '4/' || (number % ${queues}), 4, 1 FROM numbers`,
      );
      file.close();
      const began = performance.now();
      const ids = await claimMany(store, claims);
      const tookMs = performance.now() - began;
      await store.close();
      assert.equal(ids.size, claims);
      assert.ok(tookMs < maximumMs, `${tookMs} ms`);
    });

  it('goes on when the clock is set back', async () => {
    let setBackMs = 0;
    const store = new SqliteStore({ path: ':memory:', now: () => Date.now() - setBackMs });
    const trigger = () => store.executions.trigger(execution);
    await trigger();
    setBackMs = 3_600_000;
    await trigger();
    assert.ok(!(await claimMany(store, 2)).has(undefined));
    await store.close();
  });

  it('whose claim was stored before the process failed to take it needs no other work', async () => {
    const store = new SqliteStore({ path: join(dataFolder, 'service.db') });
    await store.executions.trigger(execution);
    const admissions = new Admissions(systemClock, () => undefined);
    let looks = 0;
    const leases = new ExecutionLeases({
      store,
      admissions,
      slots: new Slots({ computing: 8, inFlight: 8 }, () => undefined),
      level: knownLevel,
      // The first look is before the claim, the second one after it.
      canReadSecrets: () =>
        (looks += 1) === 2 ? Promise.reject(new Error('The disk is busy.')) : Promise.resolve(true),
      onRest: () => undefined,
    });
    await assert.rejects(leases.claimWorkflowRun(), /busy/);
    assert.ok(await leases.claimWorkflowRun());
    admissions.dispose();
    await store.close();
  });
});
