// What the engine needs to find its next run, beside many that wait.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteBackend } from '../../../src/service/engine/sqliteBackend.ts';
import { QueuedRuns } from '../../../src/service/engine/queuedRuns.ts';
import { Slots } from '../../../src/service/engine/slots.ts';
import { knownLevel } from '../../../src/service/store/needs.ts';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const waiting = 100_000;
const claims = 40;
/** Takes below 400 ms; sorting all that wait for each claim takes more than 2 s. */
const maximumMs = 1200;

describe('Claiming a run', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  for (const queues of [1, 100])
    it(`costs the same beside ${waiting} runs that wait in ${queues} queues`, async () => {
      const path = join(dataFolder, 'service.db');
      const store = new SqliteStore({ path });
      const backend = await openSqliteBackend(store);
      const file = new DatabaseSync(path);
      file.exec(
        `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${waiting})
       INSERT INTO workflow_runs (namespace_id, id, workflow_name, status, config, input, attempts, available_at, created_at, updated_at)
       SELECT '1/' || (number % ${queues}), 'run' || number, 'interpreter', 'pending', '{}', '{}', 0, '2026-01-01', '2026-01-01', '2026-01-01' FROM numbers`,
      );
      file.close();
      const queued = new QueuedRuns({
        backend,
        slots: new Slots({ computing: 1000, inFlight: 1000 }, () => undefined),
        level: knownLevel,
        canReadSecrets: () => Promise.resolve(true),
        onRest: () => undefined,
      });
      const began = performance.now();
      const ids = new Set<string | undefined>();
      for (let count = 0; count < claims; count += 1) {
        queued.note();
        ids.add((await queued.backend.claimWorkflowRun({ workerId: 'worker', leaseDurationMs: 30_000 }))?.id);
      }
      const tookMs = performance.now() - began;
      await backend.stop();
      await store.close();
      assert.equal(ids.size, claims);
      assert.ok(tookMs < maximumMs, `${tookMs} ms`);
    });
});
