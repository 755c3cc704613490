// A delay is seen as one wherever somebody looks: in the list, in the execution, in the log and among the portal events.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow, followUntil, listAt } from '../calls.ts';

const resting = (milliseconds: number): JsonObject =>
  chain(['start', 'trigger'], ['rest', 'delay', { milliseconds }], ['end', 'output', { expression: '1' }]);

describe('A delay', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  // The engine keeps a short delay, and hands a long one over.
  for (const milliseconds of [4500, 3_600_000])
    it(`of ${milliseconds} ms shows its execution and its node as waiting`, async () => {
      const workflowId = await createDeployed(service, resting(milliseconds));
      const executionId = await execute(service, workflowId, {});
      await followUntil(service, executionId, ({ status }) => status === 'waiting');
      const { body: one } = await call(service, 'GET', `/v1/executions/${executionId}`);
      const { body: list } = await call(service, 'GET', `/v1/executions?workflowId=${workflowId}`);
      const { body: log } = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
      const { body: events } = await call(
        service,
        'GET',
        '/v1/portal/events?type=execution.waiting&limit=100',
      );
      assert.equal(one['status'], 'waiting');
      assert.deepEqual(
        listAt(list, 'data').map(({ status }) => status),
        ['waiting'],
      );
      assert.equal(listAt(log, 'data').findLast(({ nodeId }) => nodeId === 'rest')?.['status'], 'waiting');
      assert.ok(JSON.stringify(events).includes(executionId));
    });

  it('is waited for before the next node starts', async () => {
    const workflowId = await createDeployed(service, resting(20));
    const rows = await follow(service, await execute(service, workflowId, {}));
    assert.deepEqual(
      rows.filter(({ nodeId }) => nodeId === 'rest').map(({ status }) => status),
      ['running', 'waiting', 'completed'],
    );
  });

  it('never has a negative duration, even if the clock is set back meanwhile', async () => {
    let setBackMs = 0;
    const own = await createTestService({ now: () => Date.now() - setBackMs });
    try {
      const workflowId = await createDeployed(own, resting(500));
      const executionId = await execute(own, workflowId, {});
      await followUntil(own, executionId, ({ status }) => status === 'waiting');
      setBackMs = 172_800_000;
      const rows = await follow(own, executionId);
      const { body } = await call(own, 'GET', `/v1/executions/${executionId}`);
      const durations = [body, ...rows].map(({ durationMs }) => durationMs).filter((each) => each !== null);
      assert.ok(durations.length >= 4, JSON.stringify(durations));
      assert.deepEqual(
        durations.filter((each) => Number(each) < 0),
        [],
      );
    } finally {
      await own.dispose();
    }
  });
});
