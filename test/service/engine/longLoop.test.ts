// A loop with more iterations than a run of the engine has steps.
import assert from 'node:assert/strict';
import { createTestService } from '../../support/service.ts';
import { runToEnd } from '../calls.ts';

const items = Array.from({ length: 1500 }, (_item, index) => index);

describe('A loop with more iterations than an engine run has steps', () => {
  it('gives all its results', async () => {
    const service = await createTestService({ requestsPerMinute: 10_000 });
    const { result, rows } = await runToEnd(
      service,
      {
        name: 'A loop',
        nodes: [
          { id: 'start', type: 'trigger' },
          { id: 'all', type: 'forEach', config: { items: 'input.items', result: 'nodes.double' } },
          { id: 'double', type: 'transform', config: { expression: 'item * 2' } },
          { id: 'answer', type: 'output', config: { expression: 'nodes.all' } },
        ],
        edges: [
          { source: 'start', target: 'all' },
          { source: 'all', target: 'double', branch: 'each' },
          { source: 'all', target: 'answer', branch: 'done' },
        ],
      },
      { items },
    );
    assert.deepEqual(
      result['output'],
      items.map((item) => item * 2),
    );
    const ended = rows.filter((row) => row['nodeId'] === 'double' && row['status'] === 'completed');
    assert.equal(ended.length, items.length);
    await service.dispose();
  });
});
