// Executing and reading what came of it, over HTTP (contract section 3, operations 10 to 14).
import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  ExecutionSchema,
  ExecutionSummarySchema,
  NodeLogSchema,
  OutputSchema,
  TriggeredSchema,
} from '../../../src/protocol/records.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  at,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  listAt,
  runToEnd,
  textAt,
} from '../calls.ts';

const answering = chain(['start', 'trigger'], ['answer', 'output', { expression: 'input.n * 2' }]);

describe('Executions', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  afterEach(() => service.dispose());

  it('are triggered: 202 with the workflow, the events and the status', async () => {
    const id = await createDeployed(service, answering);
    const answer = await call(service, 'POST', `/v1/workflows/${id}/execute`, { input: { n: 4 } });
    assert.equal(answer.status, 202);
    const { workflowId, eventIds, status, executionIds } = v.parse(
      v.strictObject(TriggeredSchema.entries),
      answer.body,
    );
    assert.deepEqual([workflowId, status, eventIds.length, executionIds.length], [id, 'triggered', 1, 1]);
    const found = await call(service, 'GET', `/v1/executions?eventId=${eventIds[0] ?? ''}`);
    assert.equal(at(found.body, 'data', 0, 'id'), executionIds[0]);
    const events = await call(service, 'GET', '/v1/portal/events?type=execution.triggered');
    assert.equal(at(events.body, 'data', 0, 'id'), eventIds[0]);
  });

  it('are refused for an undeployed workflow and for an input that is not an object', async () => {
    const id = textAt((await call(service, 'POST', '/v1/workflows', answering)).body, 'id');
    const path = `/v1/workflows/${id}/execute`;
    assertRefused(await call(service, 'POST', path, { input: {} }), 409, 'workflow_not_deployed');
    for (const body of [{}, { input: null }, { input: [] }, { input: 'x' }, []])
      assertRefused(await call(service, 'POST', path, body), 422, 'validation_failed');
    assert.deepEqual((await call(service, 'GET', '/v1/executions')).body['data'], []);
  });

  it('are triggered once for one Idempotency-Key', async () => {
    const id = await createDeployed(service, answering);
    const send = (input: object, key = 'order-1') =>
      call(service, 'POST', `/v1/workflows/${id}/execute`, { input }, { 'Idempotency-Key': key });
    const [first, again] = await Promise.all([send({ n: 1 }), send({ n: 1 })]);
    assert.deepEqual(again.body, first.body);
    assertRefused(await send({ n: 2 }), 409, 'idempotency_conflict');
    assert.notDeepEqual((await send({ n: 2 }, 'order-2')).body, first.body);
    const other = await service.store.keys.create('other', 'never');
    const byOther = await call(
      { app: service.app, key: other.key },
      'POST',
      `/v1/workflows/${id}/execute`,
      { input: { n: 1 } },
      { 'Idempotency-Key': 'order-1' },
    );
    assert.notDeepEqual(byOther.body, first.body);
  });

  it('return their details and their output', async () => {
    const { executionId, workflowId, result } = await runToEnd(service, answering, { n: 21 });
    assert.deepEqual(v.parse(v.strictObject(OutputSchema.entries), result), {
      executionId,
      status: 'completed',
      output: 42,
      error: null,
    });
    const details = await call(service, 'GET', `/v1/executions/${executionId}`);
    const execution = v.parse(v.strictObject(ExecutionSchema.entries), details.body);
    assert.deepEqual(
      [execution.workflowId, execution.status, execution.trigger, execution.input, execution.error],
      [workflowId, 'completed', 'api', { n: 21 }, null],
    );
    const { startedAt, completedAt, durationMs } = execution;
    assert.ok(startedAt !== null && completedAt !== null);
    assert.equal(durationMs, Date.parse(completedAt) - Date.parse(startedAt));
  });

  it('have no output before their end', async () => {
    const definition = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);
    const id = await execute(service, await createDeployed(service, definition), {});
    const { status, body } = await call(service, 'GET', `/v1/executions/${id}/output`);
    assert.deepEqual([status, body['output'], body['error']], [200, null, null]);
    assert.match(textAt(body, 'status'), /^(queued|running|waiting)$/);
  });

  it('use the definition that was deployed when they were triggered', async () => {
    const id = await createDeployed(service, answering);
    const nodes = listAt(answering, 'nodes').map((node) =>
      node['id'] === 'answer' ? { ...node, config: { expression: '"edited"' } } : node,
    );
    await call(service, 'PATCH', `/v1/workflows/${id}`, { nodes });
    const executionId = await execute(service, id, { n: 1 });
    await call(service, 'DELETE', `/v1/workflows/${id}`);
    await follow(service, executionId);
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    assert.equal(body['output'], 2);
    assert.equal((await call(service, 'GET', `/v1/executions/${executionId}`)).status, 200);
  });

  it('are listed newest first, filtered and paged, without input', async () => {
    const failing = chain(['start', 'trigger'], ['stop', 'fail', { message: 'No.' }]);
    const good = await runToEnd(service, answering, { n: 1 });
    const bad = await runToEnd(service, failing);
    const idsFor = async (query: string) => {
      const { body } = await call(service, 'GET', `/v1/executions?${query}`);
      return listAt(body, 'data').map(
        (item) => v.parse(v.strictObject(ExecutionSummarySchema.entries), item).id,
      );
    };
    assert.deepEqual(await idsFor(''), [bad.executionId, good.executionId]);
    assert.deepEqual(await idsFor('status=failed'), [bad.executionId]);
    assert.deepEqual(await idsFor(`workflowId=${good.workflowId}`), [good.executionId]);
    assert.deepEqual(await idsFor('startedAfter=2020-01-01T00:00:00Z&limit=1'), [bad.executionId]);
    assert.deepEqual(await idsFor('startedBefore=2020-01-01T00:00:00Z'), []);
    const page = await call(service, 'GET', '/v1/executions?limit=1');
    assert.deepEqual(await idsFor(`limit=1&cursor=${textAt(page.body, 'nextCursor')}`), [good.executionId]);
    const own = await call(service, 'GET', `/v1/workflows/${bad.workflowId}/executions`);
    assert.deepEqual(at(own.body, 'data', 0, 'error'), {
      code: 'node_failed',
      message: 'No.',
      nodeId: 'stop',
    });
  });

  it('return their node logs in order, after a sequence, of one node, in pages', async () => {
    const { executionId } = await runToEnd(service, answering, { n: 1 });
    const read = async (query: string) =>
      (await call(service, 'GET', `/v1/executions/${executionId}/logs?${query}`)).body;
    const all = await read('');
    assert.deepEqual([all['executionStatus'], all['nextCursor']], ['completed', null]);
    const rows = listAt(all, 'data').map((row) => v.parse(v.strictObject(NodeLogSchema.entries), row));
    assert.deepEqual(
      rows.map((row) => [row.sequence, row.nodeId, row.status]),
      [
        [1, 'start', 'running'],
        [2, 'start', 'running'],
        [3, 'start', 'completed'],
        [4, 'answer', 'running'],
        [5, 'answer', 'running'],
        [6, 'answer', 'completed'],
      ],
    );
    assert.deepEqual([rows[3]?.input, rows[5]?.output, rows[5]?.nodeName], [{ n: 1 }, 2, 'ANSWER']);
    assert.equal(new Set(rows.slice(3).map((row) => `${row.attempt} ${row.startedAt ?? ''}`)).size, 1);
    const sequences = (body: typeof all) => listAt(body, 'data').map((row) => row['sequence']);
    assert.deepEqual(sequences(await read('after=4')), [5, 6]);
    assert.deepEqual(sequences(await read('nodeId=answer&after=4')), [5, 6]);
    const page = await read('limit=4');
    assert.deepEqual(sequences(page), [1, 2, 3, 4]);
    assert.deepEqual(sequences(await read(`limit=4&cursor=${textAt(page, 'nextCursor')}`)), [5, 6]);
    const wrong = await call(service, 'GET', `/v1/executions/${executionId}/logs?after=x`);
    assertRefused(wrong, 400, 'invalid_request');
  });

  it('that do not exist are distinguished from routes that do not exist', async () => {
    for (const path of ['', '/output', '/logs'])
      assertRefused(
        await call(service, 'GET', `/v1/executions/exec_none${path}`),
        404,
        'execution_not_found',
      );
  });
});
