// Which nodes of a text aren't what an execution ran.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { ChangedNodes, findReplaced, withoutReplaced } from '../../src/ui/changedNodes.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../support/memory/records.ts';

const definition = `{
  "nodes": [
    { "id": "a", "name": "First" },
    { "id": "b", "type": "log" }
  ]
}`;
const positionsIn = (text: string) => [...new DefinitionText(text).byId.values()];
const positions = positionsIn(definition);

describe('the nodes that changed since an execution', () => {
  const ran = new Map([
    ['a', { name: 'First', id: 'a' }],
    ['gone', { id: 'gone' }],
  ]);
  const find = (text: string, changed = new ChangedNodes()) => [...changed.find(positionsIn(text), ran)];

  it('are those with another content, and those that are new, whatever the order of members', () => {
    assert.deepEqual(find(definition), [['b', 'added']]);
    assert.deepEqual(find(definition.replace('First', 'Other')), [
      ['a', 'changed'],
      ['b', 'added'],
    ]);
    assert.deepEqual(find('{ "nodes": [ { "id": "a", "name": "First" '), [['a', 'changed']]);
  });

  it('are replaced where the type is another one, also in a text that breaks off', () => {
    const ranTyped = new Map([['a', { id: 'a', type: 'log' }]]);
    const findTyped = (text: string) => [...new ChangedNodes().find(positionsIn(text), ranTyped)];
    assert.deepEqual(findTyped('{ "nodes": [ { "id": "a", "type": "fail" } ] }'), [['a', 'replaced']]);
    assert.deepEqual(findTyped('{ "nodes": [ { "id": "a", "type": "fail"'), [['a', 'replaced']]);
    assert.deepEqual(findTyped('{ "nodes": [ { "id": "a", "type": "log"'), [['a', 'changed']]);
    assert.deepEqual(findTyped('{ "nodes": [ { "id": "a" } ] }'), [['a', 'changed']]);
  });

  it('are found again as the text is edited, and none where it is not known what ran', () => {
    const changed = new ChangedNodes();
    assert.equal(find(definition, changed).length, 1);
    assert.equal(find(definition.replace('First', 'Other'), changed).length, 2);
    assert.equal(find(definition, changed).length, 1);
    assert.equal(changed.find(positions, undefined).size, 0);
  });
});

describe('the nodes whose runs were of another type', () => {
  const text = JSON.stringify({
    nodes: [
      { id: 'a', type: 'log' },
      { id: 'b', type: 'httpRequest' },
      { id: 'c', type: 'log' },
      { id: 'd' },
    ],
  });
  const typed = positionsIn(text);
  const find = (types: Readonly<Record<string, string | null>>) => {
    const rows = Object.entries(types).map(([nodeId, nodeType]) =>
      makeNodeLog(1, { nodeId, nodeType, status: statusOf('failed') }),
    );
    return findReplaced(typed, treeOf(foldNodeRuns(rows)).select(new Map()));
  };

  for (const [what, types, replaced] of [
    ['are found by the records', { a: 'log', b: 'log' }, ['b']],
    ['are none where all fit', { a: 'log', b: 'httpRequest' }, []],
    ['are none where either type is not known', { a: 'log', b: null, d: 'log' }, []],
    ['are none where the log names types in words of its own', { a: 'Log', b: 'HTTP Request' }, []],
  ] as const)
    it(what, () => assert.deepEqual([...find(types).keys()], replaced));

  it('are left out', () => {
    const left = withoutReplaced(typed, find({ a: 'log', b: 'log' }));
    assert.deepEqual(
      left.map(({ id }) => id),
      ['a', 'c', 'd'],
    );
  });
});
