// What a new node ID may be, and how it's written where the node is named.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { localId, renameNodeId } from '../../../../src/features/definitions/nodeIds/renaming.ts';
import schema from '../../../../media/workflow-definition.schema.json' with { type: 'json' };

const text = `{
  "nodes": [
    { "id": "start", "type": "trigger" },
    { "id": "fetch", "type": "httpRequest", "config": { "url": "https://example.com/{{ nodes.start.path }}" } },
    { "id": "sum", "type": "transform", "config": { "expression": "nodes.\`fetch\`.total + nodes.\\"fetch\\"and nodes.fetch" } }
  ],
  "edges": [{ "source": "start", "target": "fetch" }, { "source": "fetch", "target": "sum" }]
}`;

interface Asked {
  /** Default: where its node is. */
  readonly at?: string;
  readonly to: string;
  readonly isLocal?: boolean;
  readonly of?: string;
}

/** The text after it, or why it's refused. */
function rename({ at = '"id": "fetch', to, isLocal = false, of = text }: Asked): string {
  const edits = renameNodeId(new DefinitionText(of), of.indexOf(at) + at.length, to, isLocal);
  if ('refusal' in edits) return edits.refusal;
  return [...edits]
    .reverse()
    .reduce(
      (now, { offset, length, content }) => now.slice(0, offset) + content + now.slice(offset + length),
      of,
    );
}

describe('a new node ID', () => {
  it('is written everywhere, from each place', () => {
    const renamed = text
      .replace(
        'nodes.`fetch`.total + nodes.\\"fetch\\"and nodes.fetch',
        'nodes.get.total + nodes.`get`and nodes.get',
      )
      .replaceAll('"fetch"', '"get"');
    for (const at of [
      '"id": "fetch',
      '"id": "',
      '"target": "',
      'nodes.`fetch`',
      'nodes.`f',
      '\\"fet',
      'and nodes.',
    ])
      assert.equal(
        rename({ at: at === '"target": "' ? '"target": "f' : at, to: 'get', isLocal: true }),
        at === '"id": "' ? rename({ at, to: 'get' }) : renamed,
        at,
      );
  });

  it('is quoted in expressions where it is no word, and escaped in JSON', () => {
    const renamed = rename({ to: 'get "it"\\' });
    assert.equal(renamed.match(/nodes\.`get \\"it\\"\\\\`/g)?.length, 3);
    assert.equal(renamed.match(/": "get \\"it\\"\\\\"/g)?.length, 3);
    assert.equal(rename({ to: 'null' }).match(/nodes\.`null`/g)?.length, 3);
    assert.match(rename({ to: 'größe' }), /nodes\.größe\.total/);
  });

  it('that it has already changes nothing', () => assert.equal(rename({ to: 'fetch', isLocal: true }), text));

  for (const [asked, words] of [
    [{ to: '' }, "A node ID can't be empty."],
    [{ to: ' ' }, "A node ID can't be empty."],
    [{ to: 'sum' }, 'The ID "sum" is used by another node.'],
    [{ to: 'a`b' }, "A node ID can't have `, because expressions couldn't read it."],
    [{ to: 'a}}b' }, "A node ID can't have }}, because expressions couldn't read it."],
    [
      { to: '1st', isLocal: true },
      "A node ID can have at most 64 letters, digits and _, and can't begin with a digit.",
    ],
    [
      { to: 'a-b', isLocal: true },
      "A node ID can have at most 64 letters, digits and _, and can't begin with a digit.",
    ],
    [{ to: 'b', at: '"nodes' }, "There's no node ID here."],
    [{ to: 'b', at: '"type": "tri' }, "There's no node ID here."],
    [{ to: 'b', at: '.total' }, "There's no node ID here."],
  ] as const)
    it(`is refused: ${words}`, () => assert.equal(rename(asked), words));

  it('of another service can be what its rules allow', () => {
    assert.match(rename({ to: '1st-node' }), /"id": "1st-node"/);
  });

  it('is held to the rule of the schema', () => {
    assert.equal(localId.source, schema.definitions.node.properties.id.pattern);
  });

  it('is refused for n8n, whose expressions name nodes too', () => {
    const of = '{ "nodes": [{ "id": "1", "name": "A" }], "connections": {} }';
    assert.equal(
      rename({ of, at: '"name": "', to: 'b' }),
      "In a definition of n8n, a node can't be renamed here. Rename it in n8n.",
    );
  });

  it('of a copy leaves the first node, edges and expressions as they are', () => {
    const node = '{ "id": "a", "type": "log", "config": { "message": "{{ nodes.a }}" } }';
    const of = `{ "nodes": [${node}, ${node}], "edges": [{ "source": "a", "target": "a" }] }`;
    assert.equal(
      rename({ of, at: '}, { "id": "a', to: 'b' }),
      of.replace('}, { "id": "a"', '}, { "id": "b"'),
    );
    const first = rename({ of, at: '[{ "id": "a', to: 'b' });
    assert.equal(
      first,
      of
        .replaceAll('"a"', '"b"')
        .replaceAll('nodes.a', 'nodes.b')
        .replace('}, { "id": "b"', '}, { "id": "a"'),
    );
  });

  it('is given to an edge and an expression whose node is missing', () => {
    const of =
      '{ "nodes": [{ "id": "x", "type": "log", "config": { "message": "{{ nodes.a }}" } }], "edges": [{ "source": "a", "target": "x" }] }';
    assert.equal(
      rename({ of, at: '"source": "', to: 'b' }),
      of.replace('nodes.a', 'nodes.b').replace('"a"', '"b"'),
    );
  });
});
