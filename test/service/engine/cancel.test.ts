// A cancelled execution ends at once and once, whatever it does just then, and begins no node any more.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  followUntil,
  listAt,
  textAt,
} from '../calls.ts';

/** An expression that never ends. */
const long = '($again := function($n) { $again($n + 1) }; $again(1))';

describe('Cancelling an execution', () => {
  let service: TestService;
  let server: Running;
  let arrived: () => void = () => undefined;
  let left: () => void = () => undefined;

  before(async () => {
    service = await createTestService({
      requestsPerMinute: 10_000,
      sandbox: { deadlineMs: 20_000 },
      limits: { iterations: 20_000_000_000, bytes: 1024 ** 3 },
    });
    // Never responds.
    server = await serve((_request, response) => {
      response.on('close', () => left());
      arrived();
    });
  });
  after(async () => {
    await service.dispose();
    await server.close();
  });

  const cancel = (executionId: string) => call(service, 'POST', `/v1/executions/${executionId}/cancel`);
  const events = async (executionId: string): Promise<readonly string[]> => {
    const { body } = await call(service, 'GET', '/v1/portal/events?limit=100');
    const own = listAt(body, 'data').filter((event) => JSON.stringify(event).includes(executionId));
    return own.map((event) => textAt(event, 'type')).filter((type) => type.startsWith('execution.'));
  };

  async function assertCancelled(executionId: string): Promise<readonly JsonObject[]> {
    const answer = await cancel(executionId);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body['status'], 'cancelled');
    assert.notEqual(answer.body['completedAt'], null);
    const rows = await follow(service, executionId);
    assertRefused(await cancel(executionId), 409, 'execution_ended');
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}`);
    assert.equal(body['status'], 'cancelled');
    const told = await events(executionId);
    assert.equal(told.filter((type) => type === 'execution.cancelled').length, 1);
    assert.ok(!told.includes('execution.completed') && !told.includes('execution.failed'));
    return rows;
  }

  const lastOf = (rows: readonly JsonObject[], nodeId: string) =>
    rows.findLast((row) => row['nodeId'] === nodeId)?.['status'];

  for (const milliseconds of [4000, 3_600_000])
    it(`ends a delay of ${milliseconds} ms`, async () => {
      const workflowId = await createDeployed(
        service,
        chain(
          ['start', 'trigger'],
          ['rest', 'delay', { milliseconds }],
          ['end', 'output', { expression: '1' }],
        ),
      );
      const executionId = await execute(service, workflowId, {});
      await followUntil(service, executionId, ({ status }) => status === 'waiting');
      const rows = await assertCancelled(executionId);
      assert.deepEqual([lastOf(rows, 'start'), lastOf(rows, 'rest')], ['completed', 'cancelled']);
      assert.equal(lastOf(rows, 'end'), undefined);
    });

  it('aborts a request', async () => {
    const url = `http://127.0.0.1:${server.port}/`;
    const workflowId = await createDeployed(
      service,
      chain(['start', 'trigger'], ['ask', 'httpRequest', { url }], ['end', 'output', { expression: '1' }]),
    );
    const came = new Promise<void>((resolve) => (arrived = resolve));
    const closed = new Promise<void>((resolve) => (left = resolve));
    const executionId = await execute(service, workflowId, {});
    await came;
    const rows = await assertCancelled(executionId);
    await closed;
    assert.deepEqual([lastOf(rows, 'ask'), lastOf(rows, 'end')], ['cancelled', undefined]);
  });

  it('ends an expression, and between two attempts', async () => {
    const nodes = [
      { id: 'start', type: 'trigger' },
      {
        id: 'fails',
        type: 'fail',
        config: { message: 'no' },
        retry: { maximumAttempts: 3, initialDelayMs: 60_000 },
      },
    ];
    const failing = { name: 'Retries', nodes, edges: [{ source: 'start', target: 'fails' }] };
    const between = await execute(service, await createDeployed(service, failing), {});
    await followUntil(service, between, ({ status }) => status === 'failed');
    const rows = (await assertCancelled(between)).filter(({ nodeId }) => nodeId === 'fails');
    assert.deepEqual(
      rows.map(({ attempt, status }) => [attempt, status]),
      [
        [1, 'running'],
        [1, 'failed'],
        [2, 'cancelled'],
      ],
    );
    const slow = chain(['start', 'trigger'], ['make', 'transform', { expression: long }]);
    const executionId = await execute(service, await createDeployed(service, slow), {});
    await followUntil(service, executionId, ({ nodeId }) => nodeId === 'make');
    assert.equal(lastOf(await assertCancelled(executionId), 'make'), 'cancelled');
  });

  it('ends a loop in a loop of 100,000 items each', async () => {
    const items = '[1..100000]';
    const definition = {
      name: 'Long',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'outer', type: 'forEach', config: { items } },
        { id: 'inner', type: 'forEach', config: { items } },
        { id: 'make', type: 'transform', config: { expression: 'item' } },
      ],
      edges: [
        { source: 'start', target: 'outer' },
        { source: 'outer', target: 'inner', branch: 'each' },
        { source: 'inner', target: 'make', branch: 'each' },
      ],
    };
    const executionId = await execute(service, await createDeployed(service, definition), {});
    await followUntil(service, executionId, ({ nodeId }) => nodeId === 'make');
    const rows = await assertCancelled(executionId);
    assert.deepEqual([lastOf(rows, 'outer'), lastOf(rows, 'inner')], ['cancelled', 'cancelled']);
    // No row comes after the end.
    const again = await follow(service, executionId);
    assert.equal(again.length, rows.length);
  });

  it('at the moment of its own end publishes one end only', async () => {
    const workflowId = await createDeployed(
      service,
      chain(['start', 'trigger'], ['end', 'output', { expression: '1' }]),
    );
    for (let round = 0; round < 20; round += 1) {
      const executionId = await execute(service, workflowId, {});
      const answer = await cancel(executionId);
      assert.ok(answer.status === 200 || answer.status === 409, answer.text);
      await follow(service, executionId);
      const { body } = await call(service, 'GET', `/v1/executions/${executionId}`);
      assert.equal(body['status'], answer.status === 200 ? 'cancelled' : 'completed');
      const ends = (await events(executionId)).filter((type) => /completed|failed|cancelled/.test(type));
      assert.equal(ends.length, 1, ends.join());
    }
  });

  it('is refused for an unknown execution', async () =>
    assertRefused(await cancel('exec_none'), 404, 'execution_not_found'));

  it('is advertised by every response, like the other capabilities', async () => {
    const answers = [
      await call(service, 'GET', '/v1/workflows'),
      await call(service, 'GET', '/v1/executions/exec_none'),
      await call(service, 'GET', '/v1/workflows', undefined, { Authorization: 'Bearer svc_sk_unknown' }),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('Workflow-Capabilities')]),
      [200, 404, 401].map((status) => [status, 'cancel, retry, draft, definition, answers, search']),
    );
  });
});
