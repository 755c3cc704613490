import assert from 'node:assert/strict';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { definition } from './twoNodes.ts';

const textAt = (text: string, { offset, length }: { offset: number; length: number }) =>
  text.slice(offset, offset + length);

const nodesOf = (text: string) => [...new DefinitionText(text).byId.values()];

describe('positions of nodes in a definition', () => {
  const found = (text: string) => nodesOf(text).map(({ id, label }) => [id, textAt(text, label)]);

  it('are found by ID, each once, with the range that names the node', () => {
    assert.deepEqual(found(definition), [
      ['start', '"Start"'],
      ['say', '"say"'],
    ]);
    const [first, second] = nodesOf(definition);
    assert.ok(first);
    assert.deepEqual([first.type, second?.type], ['trigger', 'log']);
    assert.equal(nodesOf('{ "nodes": [ { "id": "a", "type": 7 } ] }')[0]?.type, '');
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

describe('the node with the cursor', () => {
  const text = `{ "nodes": [
  { "id": "a" },
  { "id": "b" }, { "id": "c" },

  {
    "id": "d"
  }
] }`;
  const definition = new DefinitionText(text);
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
    it(`${title}: ${nodeId ?? 'none'}`, () => assert.equal(definition.nodeAt(offset)?.id ?? null, nodeId));
});

describe('how the nodes of a definition follow each other', () => {
  const edges = [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'inner', branch: 'each' },
    { from: 'inner', to: 'deep', branch: 'each' },
    { source: 'each', target: 'end', branch: 'done' },
    { source: 'again', target: 'again' },
  ];
  const nodes = ['start', 'each', 'inner', 'deep', 'end', 'again'].map((id) => ({
    id,
    type: id === 'each' || id === 'inner' ? 'forEach' : 'log',
  }));
  const text = DefinitionText.of({ nodes, edges });

  it('is known in both directions, also in a cycle', () => {
    assert.deepEqual([...text.before('deep')].sort(), ['each', 'inner', 'start']);
    assert.deepEqual([...text.after('each')].sort(), ['deep', 'end', 'inner']);
    assert.deepEqual([...text.after('again')], ['again']);
  });

  it('includes the loops around a node, innermost first', () => {
    assert.deepEqual(
      text.loopsOf('deep').map(({ id }) => id),
      ['inner', 'each'],
    );
    assert.deepEqual(text.loopsOf('end'), []);
    assert.deepEqual([...text.body('each')].sort(), ['deep', 'inner']);
  });

  it('includes the loops around a node of a cycle while an edge is being written', () => {
    const unfinished = DefinitionText.of({
      nodes: nodes.filter(({ id }) => id !== 'again'),
      edges: [
        ...edges.slice(0, 4),
        { source: 'deep', target: 'each' },
        { source: 'deep', target: 'nowhere' },
      ],
    });
    assert.deepEqual(
      unfinished.loopsOf('deep').map(({ id }) => id),
      ['inner', 'each'],
    );
    assert.deepEqual(unfinished.loopsOf('each'), []);
    assert.deepEqual([...unfinished.body('each')].sort(), ['deep', 'inner']);
  });
});
