// Whatever is asked of the local service, it answers as described and never fails.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import { chain, createDeployed, execute, follow, textAt } from '../service/calls.ts';
import { assertDescribed } from '../service/conformance.ts';
import { type DescribedRequest, describedRequests } from '../support/describedRequests.ts';
import { tries } from '../support/properties.ts';
import { createTestService, type TestService } from '../support/service.ts';

describe('The local service, asked anything', () => {
  let service: TestService;
  let requests: fc.Arbitrary<DescribedRequest>;
  const logged: string[] = [];

  before(async () => {
    const logger = {
      debug: () => 0,
      info: () => 0,
      warn: () => 0,
      error: (text: string) => logged.push(text),
    };
    service = await createTestService({ requestsPerMinute: 1_000_000, logger });
    const definition = chain(['start', 'trigger'], ['answer', 'output', { expression: 'input' }]);
    const workflowIds = await Promise.all([1, 2, 3].map(() => createDeployed(service, definition)));
    const executionId = await execute(service, workflowIds[0] ?? '', { x: 1 });
    await follow(service, executionId);
    requests = describedRequests({ workflowId: workflowIds, executionId: [executionId] });
  });
  after(() => service.dispose());

  it('never answers with 500, and refuses with an error that names its request', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, headers, body }) => {
        const response = await service.app.request(`/v1${path}`, {
          method,
          headers: { Authorization: `Bearer ${service.key}`, ...headers },
          ...(body !== undefined && !['GET', 'HEAD'].includes(method) && { body }),
        });
        if (response.headers.get('Content-Type')?.startsWith('text/event-stream') === true) {
          await response.body?.cancel();
          return;
        }
        const text = await response.text();
        assert.ok(response.status < 500, `${response.status} ${text}`);
        if (response.status < 400) {
          if (method !== 'HEAD') assertDescribed(method, `/v1${path}`, response, text);
          return;
        }
        if (method === 'HEAD') return;
        const refusal = parseJson(text);
        assert.ok(isJsonObject(refusal), text);
        assert.match(textAt(refusal, 'error', 'code'), /^[a-z_]+$/);
        assert.notEqual(textAt(refusal, 'error', 'message'), '');
        assert.equal(textAt(refusal, 'error', 'requestId'), response.headers.get('X-Request-Id'));
      }),
      tries(500),
    );
    assert.deepEqual(logged, []);
  });
});
