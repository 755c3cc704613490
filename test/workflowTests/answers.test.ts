// What a node would send, its retries and its error branch are tested without a server: the test answers at the network.
import assert from 'node:assert/strict';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { runAll } from '../support/testRuns.ts';

const calling = {
  name: 'Calling',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    {
      id: 'call',
      type: 'httpRequest',
      retry: { maximumAttempts: 2, initialDelayMs: 1 },
      config: {
        method: 'POST',
        url: 'http://orders.test/{{ input.id }}',
        headers: { 'X-Shop': 'one' },
        body: { id: '{{ input.id }}' },
      },
    },
    { id: 'end', type: 'output', config: { expression: 'nodes.call.body.total' } },
    { id: 'sorry', type: 'output', config: { expression: 'nodes.call.error.code' } },
  ],
  edges: [
    { source: 'start', target: 'call' },
    { source: 'call', target: 'end' },
    { source: 'call', target: 'sorry', branch: 'error' },
  ],
};

describe('answers of a test', () => {
  let service: TestService;
  let model: ServiceModel;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 1000 });
    model = await createServiceModel(service);
    await model.actions.import(model.connectionId, calling);
  });
  afterEach(async () => {
    model.dispose();
    await service.dispose();
  });

  it('test a retry, an error branch, and what would have been sent', async () => {
    const ended = await runAll(model, 'Calling', [
      {
        name: 'retry',
        input: { id: 7 },
        answers: { call: [{ status: 503 }, { status: 200, body: { total: 5 } }] },
        expected: {
          status: 'completed',
          output: 5,
          nodes: {
            call: {
              runs: 2,
              requests: [
                { url: 'http://orders.test/7' },
                { method: 'POST', headers: { 'x-shop': 'one' }, body: { id: 7 } },
              ],
            },
          },
        },
      },
      {
        name: 'error branch',
        answers: { call: [{ error: 'timeout' }] },
        input: { id: 7 },
        expected: { status: 'completed', output: 'request_timed_out', nodes: { sorry: { runs: 1 } } },
      },
      {
        name: 'other request',
        answers: { call: [{ status: 200, body: { total: 5 } }] },
        input: { id: 7 },
        expected: { status: 'completed', nodes: { call: { requests: [{ body: { id: 8 } }] } } },
      },
    ]);
    assert.deepEqual(
      Object.fromEntries(ended.map(({ name, outcome, message }) => [name, message ?? outcome])),
      {
        retry: 'passed',
        'error branch': 'passed',
        'other request': 'nodes.call.requests[0].body.id: 8 is expected, but 7 came.',
      },
    );
  });
});
