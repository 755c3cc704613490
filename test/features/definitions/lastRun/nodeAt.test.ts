import assert from 'node:assert/strict';
import { findNodeAt, findNodePositions } from '../../../../src/features/definitions/lastRun/nodePositions.ts';

describe('the node with the cursor', () => {
  const text = `{ "nodes": [
  { "id": "a" },
  { "id": "b" }, { "id": "c" },

  {
    "id": "d"
  }
] }`;
  const positions = findNodePositions(text);
  const after = (part: string): number => text.indexOf(part) + part.length;
  for (const [title, offset, nodeId] of [
    ['at the beginning of the text', 0, null],
    ['on the line before the first node', after('"nodes"'), null],
    ['before a node on its line', after('[\n'), 'a'],
    ['at its first character', after('[\n  '), 'a'],
    ['in it', after('"a"'), 'a'],
    ['after its comma', after('"a" },'), 'a'],
    ['before the first of two on a line', after('"a" },\n'), 'b'],
    ['in the second of them', after('"c"'), 'c'],
    ['on an empty line', after('"c" },\n'), null],
    ['before the first line of one with several', after('"c" },\n\n'), 'd'],
    ['before a line in it', after('{\n    "id": "d'), 'd'],
    ['behind its last line', after('"d"\n  }'), 'd'],
    ['at the end of the text', text.length, null],
  ] as const)
    it(`${title}: ${nodeId ?? 'none'}`, () =>
      assert.equal(findNodeAt(positions, text, offset)?.nodeId ?? null, nodeId));
});
