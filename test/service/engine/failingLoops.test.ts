// A node that fails in a loop ends the loop, which says in which turn.
import assert from 'node:assert/strict';
import { createTestService, type TestService } from '../../support/service.ts';
import { runToEnd } from '../calls.ts';

describe('A failing loop', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  it('reports the iteration in which it failed', async () => {
    const definition = {
      name: 'Loop that fails',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'all', type: 'forEach', config: { items: '[1, 2, 3]' } },
        { id: 'check', type: 'condition', config: { expression: 'item = 2' } },
        { id: 'stop', type: 'fail', config: { message: 'No {{ item }}.' } },
      ],
      edges: [
        { source: 'start', target: 'all' },
        { source: 'all', target: 'check', branch: 'each' },
        { source: 'check', target: 'stop', branch: 'true' },
      ],
    };
    const { result, rows } = await runToEnd(service, definition);
    assert.deepEqual(result['error'], { code: 'node_failed', message: 'No 2.', nodeId: 'stop' });
    const loop = rows.findLast((row) => row['nodeId'] === 'all');
    assert.deepEqual([loop?.['status'], loop?.['message']], ['failed', 'Failed in iteration 2 of 3: No 2.']);
    const stop = rows.findLast((row) => row['nodeId'] === 'stop');
    assert.deepEqual([stop?.['status'], stop?.['message'], stop?.['iteration']], ['failed', 'No 2.', [1]]);
  });

  it('ends the loops around it, from the inside', async () => {
    const definition = {
      name: 'Loops that fail',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'outer', type: 'forEach', config: { items: '[1]' } },
        { id: 'inner', type: 'forEach', config: { items: '[1]' } },
        { id: 'stop', type: 'fail', config: { message: 'No.' } },
      ],
      edges: [
        { source: 'start', target: 'outer' },
        { source: 'outer', target: 'inner', branch: 'each' },
        { source: 'inner', target: 'stop', branch: 'each' },
      ],
    };
    const { rows } = await runToEnd(service, definition);
    const ends = rows.filter((row) => row['status'] === 'failed').map((row) => row['nodeId']);
    assert.deepEqual(ends, ['stop', 'inner', 'outer']);
  });
});
