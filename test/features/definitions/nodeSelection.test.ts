import assert from 'node:assert/strict';
import { findNodeAt } from '../../../src/features/definitions/nodeSelection.ts';

describe('the node with the cursor', () => {
  const label = { offset: 0, length: 0 };
  const positions = [
    { nodeId: 'a', offset: 10, length: 5, label },
    { nodeId: 'b', offset: 20, length: 5, label },
  ];
  for (const [offset, nodeId] of [
    [0, null],
    [10, 'a'],
    [15, 'a'],
    [17, null],
    [25, 'b'],
  ] as const)
    it(`at ${offset} is ${nodeId ?? 'none'}`, () => assert.equal(findNodeAt(positions, offset), nodeId));
});
