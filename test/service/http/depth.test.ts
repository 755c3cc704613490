// Deep JSON is refused wherever it comes in, and what is taken in comes out again.
import assert from 'node:assert/strict';
import { isTooDeep } from '../../../src/base/jsonScan.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('JSON that is deep', () => {
  let service: TestService;
  let workflow = '';
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    const definition = chain(['start', 'trigger'], ['answer', 'output', { expression: 'input' }]);
    workflow = `/v1/workflows/${await createDeployed(service, definition)}`;
  });
  after(() => service.dispose());

  const bodies: readonly (readonly [string, () => string, (deep: string) => string])[] = [
    ['POST', () => `${workflow}/execute`, (deep) => `{"input":${deep}}`],
    ['POST', () => '/v1/workflows', (deep) => `{"name":"Deep","nodes":[{"id":"a","config":${deep}}]}`],
    ['PATCH', () => workflow, (deep) => `{"settings":${deep}}`],
    ['PUT', () => workflow, (deep) => `{"name":"Deep","settings":${deep}}`],
    ['POST', () => '/v1/workflows/import', (deep) => `{"workflow":{"name":"Deep","settings":${deep}}}`],
    ['POST', () => `${workflow}/duplicate`, (deep) => `{"name":"Deep","more":${deep}}`],
    ['POST', () => `${workflow}/deploy`, (deep) => deep],
    ['POST', () => `${workflow}/undeploy`, (deep) => deep],
    ['POST', () => '/v1/portal/events', (deep) => `{"type":"deep","data":${deep}}`],
  ];
  for (const depth of [200, 5000, 100_000])
    for (const [method, path, body] of bodies)
      it(`is refused: ${depth} and more, ${method} ${body('…')}`, async () => {
        // Where it is the whole body it has to be one deeper.
        const answer = await call(service, method, path(), body(nested(depth + 1)));
        assertRefused(answer, 422, 'too_deep');
        assert.equal(
          at(answer.body, 'error', 'message'),
          'The body is JSON nested more than 200 levels deep.',
        );
      });

  it('of 200 levels is accepted: into an execution, its log and its output', async () => {
    const answer = await call(service, 'POST', `${workflow}/deploy`);
    assert.equal(answer.status, 200, answer.text);
    const input: unknown = JSON.parse(nested(199));
    const workflowId = workflow.split('/').at(-1) ?? '';
    const triggered = await call(service, 'POST', `${workflow}/execute`, { input });
    assert.equal(triggered.status, 202, triggered.text);
    const executionId = textAt(triggered.body, 'executionIds', 0);
    const rows = await follow(service, executionId);
    assert.ok(rows.some((row) => row['status'] === 'completed' && row['nodeId'] === 'answer'));
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    assert.deepEqual(body['output'], input);
    assert.equal(isTooDeep(JSON.stringify(body['output'])), false);
    assert.notEqual(await execute(service, workflowId, {}), executionId);
  });
});
