// An execution with many rows is deleted in steps that delay no one, and is readable until it's gone.
import assert from 'node:assert/strict';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { queryStorage } from '../../support/storage.ts';
import { call, chain, keepDrafts, runToEnd } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const many = 12_000;
const values = 30;
/** What a step may delete: 5,000 rows, of which a large value counts as one for each 4,096 bytes. */
const maximumRows = 5000;
const maximumBytes = 20_480_000 + 1_000_000;

describe('Deleting an execution with many rows', () => {
  let dataFolder = '';
  let service: TestService;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    service = await createTestService({ path: databasePath(dataFolder), requestsPerMinute: 10_000 });
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  const ask = (sql: string) => queryStorage(databasePath(dataFolder), sql);
  const sizes = async (id: string) => {
    const rowsOf = (table: string) => `(SELECT count(*) FROM ${table} WHERE execution_id = '${id}')`;
    const [row] = await ask(
      `SELECT ${['node_logs', 'node_runs', 'loop_turns', 'payloads'].map(rowsOf).join(' + ')} AS rows,
         (SELECT coalesce(sum(bytes), 0) FROM payloads WHERE execution_id = '${id}') AS bytes`,
    );
    return { rows: Number(row?.['rows']), bytes: Number(row?.['bytes']) };
  };

  /** SQL for the numbers from 1 to `many`. */
  const numbers = `WITH RECURSIVE more (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM more WHERE number < ${many})`;
  const addNodeRuns = (id: string) =>
    ask(
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at)
         ${numbers} SELECT '${id}', 'again', '[' || number || ']', 1, 'completed', '' FROM more`,
    );
  const prune = (keep: number | null) =>
    service.store.executions.prune({ before: null, draftsBefore: null, keep, keepDrafts, limit: 20 });

  it('takes steps of limited size, whichever table the rows are in', async () => {
    const definition = chain(['start', 'trigger'], ['answer', 'output', { expression: '$pad("y", 5000)' }]);
    const { executionId } = await runToEnd(service, definition, { text: 'x'.repeat(5000) });
    await addNodeRuns(executionId);
    await ask(
      `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result)
         ${numbers} SELECT '${executionId}', 'again', '[]', number, '1' FROM more`,
    );
    const value = `'${'z'.repeat(1_000_000)}'`;
    for (let count = 0; count < values; count += 1)
      await ask(
        `INSERT INTO payloads (execution_id, hash, bytes, value) VALUES ('${executionId}', 'hash${count}', 1000000, ${value})`,
      );
    let before = await sizes(executionId);
    assert.ok(before.rows > 2 * many && before.bytes > values * 1_000_000);
    let steps = 0;
    while ((await prune(0)) > 0) {
      steps += 1;
      const after = await sizes(executionId);
      const deleted = { rows: before.rows - after.rows, bytes: before.bytes - after.bytes };
      assert.ok(deleted.rows <= maximumRows && deleted.bytes <= maximumBytes, JSON.stringify(deleted));
      before = after;
      const answers = await Promise.all(
        ['', '/output', '/logs'].map((rest) => call(service, 'GET', `/v1/executions/${executionId}${rest}`)),
      );
      const expected = after.rows === 0 ? 404 : 200;
      assert.deepEqual(
        answers.map(({ status }) => status),
        [expected, expected, expected],
      );
    }
    assert.ok(steps > 5, String(steps));
    assert.deepEqual(before, { rows: 0, bytes: 0 });
  });

  it('ends once it has begun, although the limits would leave the execution by now', async () => {
    const { executionId } = await runToEnd(service, chain(['start', 'trigger']), {});
    await addNodeRuns(executionId);
    assert.equal(await prune(0), 1);
    assert.equal((await call(service, 'GET', `/v1/executions/${executionId}`)).status, 200);
    while ((await prune(null)) > 0);
    assert.equal((await call(service, 'GET', `/v1/executions/${executionId}`)).status, 404);
    assert.deepEqual(await sizes(executionId), { rows: 0, bytes: 0 });
  });
});
