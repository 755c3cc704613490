// Of several members with one name, everything reads the last one, as the service does.
import assert from 'node:assert/strict';
import { isJsonArray, isJsonObject, type JsonValue, parseJson, stringifyJson } from '../../src/base/json.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { listNodeIds } from '../../src/definition/nodeIds.ts';

/** Writes each member of an object twice, first with what `earlier` has in its place. */
function writeTwice(value: JsonValue, earlier: JsonValue): string {
  if (isJsonArray(value)) {
    const others = isJsonArray(earlier) ? earlier : [];
    return `[${value.map((item, index) => writeTwice(item, others[index] ?? null)).join(', ')}]`;
  }
  if (!isJsonObject(value)) return stringifyJson(value);
  const others = isJsonObject(earlier) ? earlier : {};
  const members = Object.entries(value).map(([name, member]) => {
    const other = others[name] ?? null;
    return `"${name}": ${stringifyJson(other)}, "${name}": ${writeTwice(member, other)}`;
  });
  return `{${members.join(', ')}}`;
}

const service = {
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: { inputSchema: { required: ['total'] } } },
    {
      id: 'ask',
      type: 'httpRequest',
      config: {
        url: '{{ input.url }}',
        headers: { accept: 'text/plain' },
        body: { total: '{{ nodes.start }}' },
      },
    },
  ],
  edges: [{ source: 'start', target: 'ask', branch: 'true' }],
};
const serviceBefore = {
  nodes: [
    { id: 'old', name: 'Old', type: 'log', config: { inputSchema: { required: ['gone'] } } },
    {
      id: 'older',
      type: 'output',
      config: { url: '{{ nodes.old }}', headers: { accept: '*/*' }, body: { total: '{{ nodes.older }}' } },
    },
  ],
  edges: [{ source: 'old', target: 'older', branch: 'false' }],
};
const n8n = {
  nodes: [
    { name: 'Start', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'new' } },
    {
      name: 'Code',
      type: 'n8n-nodes-base.code',
      typeVersion: 3,
      parameters: { language: 'python', pythonCode: 'return 1', jsCode: 'return 2' },
    },
  ],
  connections: { Start: { main: [[{ node: 'Code', type: 'main', index: 0 }]] } },
};
const n8nBefore = {
  nodes: [
    { name: 'Old', type: 'n8n-nodes-base.set', typeVersion: 1, parameters: { path: 'old' } },
    {
      name: 'Older',
      type: 'n8n-nodes-base.function',
      typeVersion: 1,
      parameters: { language: 'javascript', pythonCode: 'return 3', jsCode: 'return 4' },
    },
  ],
  connections: { Start: { main: [[{ node: 'Old', type: 'main', index: 0 }]] } },
};

/** What is read of a definition, whatever the places. */
function look({ format, nodes, edges, text, byId }: DefinitionText) {
  const textOf = ({ offset, length }: { readonly offset: number; readonly length: number }) =>
    text.slice(offset, offset + length);
  return {
    format,
    ids: [...byId.keys()],
    nodes: nodes.map((node) => ({
      name: node.name,
      type: node.type,
      label: textOf(node.label),
      version: node.typeVersion,
      url: node.config('url'),
      headers: node.headers,
      schema: node.inputSchema,
      parameters: node.parameters,
      code: node.code && [node.code.language, node.code.value, node.code.range && textOf(node.code.range)],
      expressions: node.expressions.map(({ path, expression }) => [path.join('.'), expression]),
    })),
    edges: edges.map(({ source, target, branch, ends }) => [source, target, branch, ...ends.map(textOf)]),
  };
}

describe('A definition with members that are there twice', () => {
  for (const [title, value, earlier, path, place] of [
    ['a service', service, serviceBefore, ['nodes', '1', 'config', 'url'], '"{{ input.url }}"'],
    ['n8n', n8n, n8nBefore, ['nodes', '0', 'parameters', 'path'], '"new"'],
  ] as const) {
    const text = writeTwice(value, earlier);

    it(`reports what its values mean: of ${title}`, () => {
      assert.deepEqual(parseJson(text), value);
      assert.deepEqual(look(new DefinitionText(text)), look(DefinitionText.of(value)));
    });

    it(`finds each place whose value counts: of ${title}`, () => {
      const { offset, length } = new DefinitionText(text).locate(path);
      assert.equal(text.slice(offset, offset + length), place);
    });
  }

  it('is renamed in the members that count', () => {
    const definition = new DefinitionText(writeTwice(service, serviceBefore));
    assert.deepEqual(listNodeIds(definition, 'old'), []);
    assert.deepEqual(
      listNodeIds(definition, 'start').map(({ kind }) => kind),
      ['node', 'expression', 'edge'],
    );
  });

  it('is read up to the end while the last one is being written', () => {
    const definition = new DefinitionText('{ "nodes": [ { "id": "a", "id" } ], "edges": [], "nodes');
    assert.deepEqual([...definition.byId.keys()], ['a']);
  });
});
