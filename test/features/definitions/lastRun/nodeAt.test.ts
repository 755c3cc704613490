import assert from 'node:assert/strict';
import { findNodeAt } from '../../../../src/features/definitions/lastRun/nodePositions.ts';

describe('the node with the cursor', () => {
  const name = { nodeType: 'log', id: { offset: 0, length: 0 }, label: { offset: 0, length: 0 } };
  const positions = [
    { nodeId: 'a', offset: 10, length: 5, ...name },
    { nodeId: 'b', offset: 20, length: 5, ...name },
  ];
  for (const [offset, nodeId] of [
    [0, null],
    [10, 'a'],
    [15, 'a'],
    [17, null],
    [25, 'b'],
  ] as const)
    it(`at ${offset} is ${nodeId ?? 'none'}`, () =>
      assert.equal(findNodeAt(positions, offset)?.nodeId ?? null, nodeId));
});
