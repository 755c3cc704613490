// Many executions at once: each is carried out, and none waits while there is room for it.
import assert from 'node:assert/strict';
import { createTestService } from '../../support/service.ts';
import { call, chain, createDeployed, follow } from '../calls.ts';
import { executeMany } from '../process/underWay.ts';

/** More than compute at once. */
const count = 400;
/** It takes 4 s; one that nothing wakes waits for a round. */
const longestMs = 50_000;
const definition = chain(
  ['start', 'trigger'],
  ['change', 'transform', { expression: '1 + 1' }],
  ['say', 'log', { message: 'Got {{ nodes.change }}' }],
);

describe('Many executions at once', () => {
  it('all complete, even if nothing polls for them', async () => {
    const service = await createTestService({ requestsPerMinute: 1_000_000, roundMs: 2 * longestMs });
    const began = performance.now();
    const ids = await executeMany(service, await createDeployed(service, definition), count);
    for (const id of ids) await follow(service, id);
    assert.ok(performance.now() - began < longestMs);
    const { body } = await call(service, 'GET', '/v1/executions?limit=1&status=failed');
    assert.deepEqual(body['data'], []);
    await service.dispose();
  });
});
