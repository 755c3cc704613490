import assert from 'node:assert/strict';
import { findNodePositions } from '../../../../src/features/definitions/lastRun/nodePositions.ts';
import { definition } from './twoNodes.ts';

const textAt = (text: string, { offset, length }: { offset: number; length: number }) =>
  text.slice(offset, offset + length);

describe('positions of nodes in a definition', () => {
  const found = (text: string) =>
    findNodePositions(text).map(({ nodeId, label }) => [nodeId, textAt(text, label)]);

  it('are told by id, once each, with what names the node', () => {
    assert.deepEqual(found(definition), [
      ['start', '"Start"'],
      ['say', '"say"'],
    ]);
    const [first, second] = findNodePositions(definition);
    assert.ok(first);
    assert.deepEqual([first.nodeType, second?.nodeType], ['trigger', 'log']);
    assert.equal(findNodePositions('{ "nodes": [ { "id": "a", "type": 7 } ] }')[0]?.nodeType, '');
    assert.ok(textAt(definition, first).startsWith('{ "id": "start"'));
  });

  for (const [what, text, ids] of [
    ['a text that breaks off', '{ "nodes": [ { "id": "a", "name": "A" }, { "id": "b", "na', ['a', 'b']],
    ['a missing comma', '{ "nodes": [ { "id": "a" } { "id": "b" } ] }', ['a', 'b']],
    ['a missing value', '{ "name": , "nodes": [ { "id": "a" } ] }', ['a']],
    ['comments', '{ /* x */ "nodes": [ { "id": "a" } ] }', ['a']],
    ['no text', '', []],
    ['no JSON at all', 'hello', []],
    ['nodes of another shape', '{ "nodes": { "id": "a" } }', []],
    ['another nodes further down', '{ "settings": { "nodes": [ { "id": "a" } ] } }', []],
  ] as const) {
    it(`are found in ${what}`, () =>
      assert.deepEqual(
        found(text).map(([id]) => id),
        ids,
      ));
  }
});
