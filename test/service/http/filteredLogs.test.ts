// A reader of one node's rows costs what is new, however long the log is that has none of them.
import assert from 'node:assert/strict';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { queryStorage } from '../../support/storage.ts';
import {
  call,
  chain,
  createDeployed,
  execute,
  followUntil,
  openStream,
  readEvents,
  readToEnds,
  textAt,
} from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const rows = 60_000;
const readers = 30;
const news = 20;
const delayed = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);

describe('The log of one node', () => {
  let dataFolder = '';
  let service: TestService;
  let executionId = '';
  let sequence = 0;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    const path = databasePath(dataFolder);
    service = await createTestService({ path, requestsPerMinute: 10_000, longestWaitMs: 0 });
    executionId = await execute(service, await createDeployed(service, delayed), {});
    await followUntil(service, executionId, (row) => row['status'] === 'waiting');
    sequence = (await service.store.nodeRuns.lastSequence(executionId)) + rows;
    await queryStorage(
      path,
      `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt, level, message,
         status, input, output, error, timestamp, started_at, completed_at)
       WITH RECURSIVE more (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM more WHERE number < ${rows})
       SELECT execution_id, ${sequence - rows} + number, 'log_' || number, node_id, node_name, node_type, iteration, attempt, level,
         message, status, input, output, error, timestamp, started_at, completed_at
       FROM more, node_logs WHERE execution_id = '${executionId}' AND sequence = 1`,
    );
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  const path = (query: string) => `/v1/executions/${executionId}/logs?${query}`;
  const say = async (message: string) => {
    const run = {
      executionId,
      nodeId: 'wait',
      nodeName: 'WAIT',
      nodeType: 'delay',
      iteration: [],
      attempt: 1,
    };
    const open = { ...run, startedAt: new Date().toISOString(), status: 'waiting' } as const;
    await service.store.executions.write({ executionId, claim: null }, (writer) =>
      writer.say(open, { level: 'info', message }),
    );
  };

  it('without rows delays no one: thirty readers of a long log that grows', async () => {
    const streams = await Promise.all(
      Array.from({ length: readers }, () => openStream(service, path('nodeId=none'))),
    );
    const { ended } = await readToEnds(streams);
    // What is there is looked at once.
    await say('first');
    await call(service, 'GET', `/v1/executions/${executionId}`);
    const waits: number[] = [];
    for (let count = 0; count < news; count += 1) {
      const begin = performance.now();
      await say('news');
      await call(service, 'GET', `/v1/executions/${executionId}`);
      waits.push(performance.now() - begin);
    }
    const all = waits.reduce((sum, wait) => sum + wait, 0);
    assert.ok(
      all < 3000,
      `${news} news took ${Math.round(all)} ms, one ${Math.round(Math.max(...waits))} ms.`,
    );
    service.endStreams();
    await ended;
  });

  it('has each row once, even with others in between, and continues after any sequence', async () => {
    const stream = await openStream(service, path(`nodeId=wait&after=${sequence - 5}`));
    const found: string[] = [];
    const reading = (async () => {
      for await (const { data } of readEvents(stream)) if (found.push(textAt(data, 'message')) === 3) return;
    })();
    for (const message of ['one', 'two', 'three']) await say(message);
    await reading;
    assert.deepEqual(found, ['one', 'two', 'three']);
    const { body } = await call(service, 'GET', path(`nodeId=wait&after=${sequence + 1}`));
    assert.deepEqual(
      [textAt(body, 'data', 0, 'message'), textAt(body, 'data', 1, 'message'), body['nextCursor']],
      ['two', 'three', null],
    );
    const none = await call(service, 'GET', path('nodeId=none'));
    assert.deepEqual([none.body['data'], none.body['nextCursor']], [[], null]);
  });
});
