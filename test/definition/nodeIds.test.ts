// Where a definition names its nodes, as it stands in the text.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { findNodeId, listNodeIds, type NodeIdPlace } from '../../src/definition/nodeIds.ts';

const configOf = (type: string, config: string): string =>
  `{ "nodes": [ { "id": "a", "type": "${type}", "config": ${config} } ] }`;

/** What stands at each place of an id: alone, and with what another id replaces. */
const places = (text: string, id: string): readonly string[] =>
  listNodeIds(new DefinitionText(text), id).map(({ kind, span, written }) => {
    const [alone, all] = [span, written].map(({ start, end }) => text.slice(start, end));
    return alone === all ? `${kind} ${alone}` : `${kind} ${alone} in ${all}`;
  });

/** What is found at one offset or another. */
function foundIn(text: string): readonly NodeIdPlace[] {
  const definition = new DefinitionText(text);
  const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset);
  return offsets.flatMap((offset) => findNodeId(definition, offset) ?? []);
}

describe('the places of a node ID', () => {
  for (const [what, type, config, id, expected] of [
    ['an expression', 'transform', '{ "expression": "nodes.x.y + nodes.x" }', 'x', ['x', 'x']],
    ['the parts of a text', 'log', '{ "message": "{{ nodes.x }} nodes.x {{nodes.x}}" }', 'x', ['x', 'x']],
    ['a loop', 'forEach', '{ "items": "nodes.x", "result": "$$.nodes.x" }', 'x', ['x', 'x']],
    ['a quoted name', 'transform', '{ "expression": "nodes.`x y`.z" }', 'x y', ['x y in `x y`']],
    ['a text', 'transform', '{ "expression": "nodes.\\"x\\"" }', 'x', ['x in \\"x\\"']],
    [
      'a text with escapes alone',
      'transform',
      String.raw`{ "expression": "\"nod\\u0065s\".\"\\u0078\"" }`,
      'x',
      [String.raw`\\u0078 in \"\\u0078\"`],
    ],
    [
      'a text with escapes of both languages',
      'transform',
      String.raw`{ "expression": "\u0041 & nodes.\"x\\\"\\u0079\" & nodes.'x\"y'" }`,
      'x"y',
      [String.raw`x\\\"\\u0079 in \"x\\\"\\u0079\"`, String.raw`x\"y in 'x\"y'`],
    ],
    [
      'names that look like marks',
      'transform',
      String.raw`{ "expression": "nodes.\"\\\"\"" }`,
      '"',
      [String.raw`\\\" in \"\\\"\"`],
    ],
    [
      'what the service does not evaluate',
      'log',
      '{ "note": "{{ nodes.x }}", "items": ["{{ nodes.x }}"] }',
      'x',
      ['x', 'x'],
    ],
    ['a type that is not known', 'teleport', '{ "to": "{{ nodes.x }}" }', 'x', ['x']],
    ['not a schema', 'trigger', '{ "inputSchema": { "default": "{{ nodes.x }}" } }', 'x', []],
    [
      'not another value',
      'transform',
      '{ "expression": "input.nodes.x + $n.nodes.x & \\"nodes.x\\"" }',
      'x',
      [],
    ],
    ['not what is computed', 'transform', '{ "expression": "$lookup(nodes, \\"x\\")" }', 'x', []],
    ['not what is no expression', 'transform', '{ "expression": "nodes.x +" }', 'x', []],
  ] as const)
    it(`are found in ${what}`, () => {
      const text = configOf(type, config);
      assert.deepEqual(
        places(text, id),
        expected.map((each) => `expression ${each}`),
      );
      for (const place of listNodeIds(new DefinitionText(text), id))
        for (const offset of [place.written.start, place.span.end])
          assert.deepEqual(findNodeId(new DefinitionText(text), offset), place);
    });

  const text = `{
    "edges": [{ "source": "s", "target": "x y" }, { "from": "x\\u0020y", "to": "s", "branch": "s" }],
    "nodes": [{ "id": "s", "name": "s" }, { "id": "x y", "type": "s" }, { "id": "x y" }, { "id": 5 }, 5],
    "settings": { "source": "s" }
  }`;

  it('are in edges and nodes, in text order', () => {
    assert.deepEqual(places(text, 's'), ['edge s', 'edge s', 'node s']);
    assert.deepEqual(places(text, 'x y'), ['edge x y', 'edge x\\u0020y', 'node x y', 'node x y']);
  });

  it('are not in other texts', () => {
    const found = foundIn(text);
    assert.equal(new Set(found.map(({ span }) => span.start)).size, 7);
    assert.ok(found.every(({ id }) => id === 's' || id === 'x y'));
  });

  it('are names in connections of n8n, each once', () => {
    const connected =
      '{ "nodes": [{ "id": "1", "name": "A" }, { "id": "2", "name": "B" }], "connections": { "A": { "main": [[{ "node": "B" }, { "node": "B" }]] } } }';
    assert.deepEqual(places(connected, 'A'), ['node A', 'edge A']);
    assert.deepEqual(places(connected, 'B'), ['node B', 'edge B', 'edge B']);
  });

  it('do not exist in a text that is not a definition', () => {
    for (const other of [
      '',
      '5',
      '[]',
      '{ "name": "CI", "jobs": [{ "id": "x" }] }',
      '{ "nodes": 5, "edges": {} }',
      '{ "nodes": [',
    ])
      assert.deepEqual(foundIn(other), []);
  });

  it('are found as far as the text can be read', () => {
    assert.deepEqual(places('{ "nodes": [{ "id": "x" }], "edges": [{ "source": "x", "target": ', 'x'), [
      'node x',
      'edge x',
    ]);
  });

  it('are found in one pass over a large text', () => {
    const count = 2000;
    const nodes = Array.from({ length: count }, (_, at) => ({
      id: `n${at}`,
      type: 'log',
      config: { message: '{{ nodes.n0 }}'.repeat(10) },
    }));
    const edges = nodes.map(({ id }) => ({ source: 'n0', target: id }));
    assert.equal(listNodeIds(DefinitionText.of({ nodes, edges }), 'n0').length, 11 * count + 2);
  });
});
