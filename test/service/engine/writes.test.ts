// What one write of a run changes, whatever it changes twice or reads in between.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import type { ClaimedExecution } from '../../../src/service/store/executionClaims.ts';
import type { ExecutionWriter, NodeRunStart } from '../../../src/service/store/executionWriter.ts';
import { LostClaimError } from '../../../src/service/store/lockedExecution.ts';
import type { NodeRunRef } from '../../../src/service/store/nodeRuns.ts';
import { openTestStorage, queryStorage, type TestStorage } from '../../support/storage.ts';
import { claimOne } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const large = JSON.stringify('x'.repeat(2000));

describe('A write of a run', () => {
  let dataFolder = '';
  let path = '';
  let storage: TestStorage;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
    storage = await openTestStorage({ path, now: systemClock.now, logger: silentLogger });
    await storage.store.executions.trigger({
      workflowId: 'wf_1',
      definition: { nodes: [], edges: [], settings: {} },
      input: '{}',
    });
  });
  afterEach(async () => {
    await storage.store.close();
    await removeDataFolder(dataFolder);
  });

  const claimed = async (): Promise<ClaimedExecution> => {
    const execution = await claimOne(storage.store.executions);
    assert.ok(execution);
    return execution;
  };
  const begin = (writer: ExecutionWriter, executionId: string, nodeId: string): Promise<NodeRunStart> =>
    writer.begin(nodeOf(executionId, nodeId), {
      input: large,
      canResume: false,
      isNew: false,
      maximumAttempts: 3,
      now: systemClock.now(),
    });
  const opened = (start: NodeRunStart) => {
    assert.equal(start.kind, 'started');
    return start.run;
  };

  it('changes a row twice, in order', async () => {
    await queryStorage(path, 'UPDATE executions SET deaths = 1');
    const execution = await claimed();
    const run = opened(await execution.write((writer) => begin(writer, execution.id, 'last')));
    await execution.write(async (writer) => {
      await writer.end(run, { status: 'completed', output: large });
      writer.finish({ status: 'completed', output: large });
    });
    const [row] = await queryStorage(path, 'SELECT status, deaths FROM executions');
    assert.deepEqual({ ...row }, { status: 'completed', deaths: 0 });
    const runs = await queryStorage(path, 'SELECT status FROM node_runs');
    assert.deepEqual(
      runs.map((each) => each['status']),
      ['completed'],
    );
  });

  it('reads what it has changed', async () => {
    const execution = await claimed();
    await execution.write(async (writer) => {
      const first = opened(await begin(writer, execution.id, 'again'));
      const error = { code: 'failed', message: 'No.' };
      await writer.end(first, { status: 'failed', error }, { retryAt: 1 });
      const second = opened(await begin(writer, execution.id, 'again'));
      assert.equal(second.attempt, 2);
      await writer.end(second, { status: 'completed', output: '1' });
      assert.equal((await begin(writer, execution.id, 'again')).kind, 'ended');
    });
    const runs = await queryStorage(path, 'SELECT attempt, status FROM node_runs ORDER BY attempt');
    assert.deepEqual(
      runs.map((each) => [each['attempt'], each['status']]),
      [
        [1, 'failed'],
        [2, 'completed'],
      ],
    );
  });

  it('changes many rows', async () => {
    const execution = await claimed();
    const names = Array.from({ length: 30 }, (_name, index) => `node_${index}`);
    await execution.write(async (writer) => {
      for (const name of names) await writer.skip(nodeOf(execution.id, name), 'a test', true);
    });
    const [row] = await queryStorage(
      path,
      `SELECT (SELECT CAST(count(*) AS INTEGER) FROM node_runs) AS runs, (SELECT CAST(count(*) AS INTEGER) FROM node_logs) AS logs,
         (SELECT CAST(count(*) AS INTEGER) FROM portal_events WHERE type = 'node.skipped') AS events`,
    );
    assert.deepEqual({ ...row }, { runs: 30, logs: 30, events: 30 });
  });

  it('adds a row to the log once, although the response to it was lost', async () => {
    const execution = await claimed();
    const run = opened(await execution.write((writer) => begin(writer, execution.id, 'calls')));
    const say = (writer: ExecutionWriter) => writer.say(run, { level: 'info', message: 'Calling.' });
    const wait = (writer: ExecutionWriter) => writer.wait(run, 'Waiting.', 1);
    const lost = new Error('The response is lost.');
    await execution.write(say);
    for (const work of [say, wait]) {
      await storage.store.executions.write(execution.claim, work);
      await assert.rejects(
        execution.write(() => Promise.reject(lost)),
        lost,
      );
      await execution.write(work);
    }
    const rows = await queryStorage(path, 'SELECT message FROM node_logs ORDER BY sequence');
    assert.deepEqual(
      rows.map((row) => row['message']),
      ['node started', 'Calling.', 'Calling.', 'Waiting.'],
    );
  });

  it('changes nothing once another run has the execution', async () => {
    const works: readonly ((writer: ExecutionWriter, id: string) => unknown)[] = [
      (writer, id) => writer.skip(nodeOf(id, 'new'), 'a test', true),
      (writer, id) => begin(writer, id, 'read'),
      () => undefined,
    ];
    for (const work of works) {
      const lost = await claimed();
      await queryStorage(path, 'UPDATE executions SET available_at = 0, claims = claims + 1');
      await assert.rejects(async () => lost.write((writer) => work(writer, lost.id)), LostClaimError);
    }
    assert.equal((await queryStorage(path, 'SELECT 1 FROM node_runs')).length, 0);
    assert.equal((await queryStorage(path, 'SELECT 1 FROM node_logs')).length, 0);
  });
});

function nodeOf(executionId: string, nodeId: string): NodeRunRef {
  return { executionId, nodeId, nodeName: nodeId, nodeType: 'transform', iteration: [] };
}
