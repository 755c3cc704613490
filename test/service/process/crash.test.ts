// After a crash with much work under way nobody waits: the service responds at once while it resumes all of it.
import assert from 'node:assert/strict';
import { type Answer, at, call, createDeployed, listAt, type Service } from '../calls.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';
import { executeMany, resting } from './underWay.ts';

/** A statement that waits for a lock of its own thread waits for 5 s. */
const longestAnswerMs = 2000;

describe('After a crash', () => {
  let dataFolder = '';
  let program: Program;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    program = await startProgram(dataFolder);
  });
  afterEach(async () => {
    await program.kill();
    await removeDataFolder(dataFolder);
  });

  for (const count of [8, 100])
    it(`with ${count} executions under way, every response arrives at once, and each execution completes`, async () => {
      const key = await createKey(dataFolder);
      const service = serviceOf(program, key);
      const ids = await executeMany(service, await createDeployed(service, resting), count);
      await program.kill();

      program = await startProgram(dataFolder);
      const restarted = serviceOf(program, key);
      await askUntilCompleted(restarted, ids);
      for (const id of ids) await assertOnce(restarted, id);
    });
});

/** Asks for a list, the health and one execution after the other, from the first moment on, until all have completed. */
async function askUntilCompleted(service: Service, ids: readonly string[]): Promise<void> {
  const ask = async (path: string): Promise<Answer> => {
    const began = performance.now();
    const answer = await call(service, 'GET', path);
    const tookMs = Math.round(performance.now() - began);
    assert.ok(tookMs < longestAnswerMs, `${path} took ${tookMs} ms`);
    return answer;
  };
  for (const id of ids)
    for (let isCompleted = false; !isCompleted;) {
      const [execution, list] = await Promise.all([
        ask(`/v1/executions/${id}`),
        ask('/v1/executions?limit=100'),
        ask('/health'),
      ]);
      assert.deepEqual([execution.status, list.status], [200, 200], execution.text);
      assert.notEqual(execution.body['status'], 'failed', execution.text);
      isCompleted = execution.body['status'] === 'completed';
    }
}

/** What had finished wasn't repeated: each node has one end, and no row is lost. */
async function assertOnce(service: Service, id: string): Promise<void> {
  const rows = listAt((await call(service, 'GET', `/v1/executions/${id}/logs?limit=100`)).body, 'data');
  assert.deepEqual(
    rows.map((row) => row['sequence']),
    rows.map((_row, index) => index + 1),
  );
  const completed = rows.filter((row) => row['status'] === 'completed' && row['nodeId'] !== null);
  assert.deepEqual(
    completed.map((row) => row['nodeId']),
    ['start', 'rest'],
  );
  const rests = rows.filter((row) => row['nodeId'] === 'rest');
  assert.deepEqual(
    new Set(rests.map((row) => at(row, 'attempt'))),
    new Set([1]),
    'a delay is taken up again',
  );
}
