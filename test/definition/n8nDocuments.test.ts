// Documents of n8n: how their parts are read, and what is wrong with them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { checkText } from '../../src/definition/checkText.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { schemaFaults } from '../../src/definition/faults.ts';
import { formatOf } from '../../src/domain/definitionFormat.ts';

const node = (name: string, type = 'n8n-nodes-base.set') => ({ id: `id of ${name}`, name, type });
const to = (name: string) => ({ node: name, type: 'main', index: 0 });

const document = {
  name: 'Sorts',
  nodes: [
    { ...node('Input', 'n8n-nodes-base.webhook'), parameters: { path: 'in' } },
    node('Sort', 'n8n-nodes-base.if'),
    { ...node('Say'), parameters: { value: '={{ $json.text }}', inputSchema: {} } },
    node('Model', 'vendor.model'),
  ],
  connections: {
    Input: { main: [[to('Sort')]] },
    Sort: { main: [[to('Say')], null, [to('Say'), to('Input')]] },
    Model: { ai_model: [[{ node: 'Say', type: 'ai_model', index: 0 }]] },
  },
  settings: { executionOrder: 'v1' },
};
const textOf = (value: JsonObject): string => JSON.stringify(value, null, 2);

describe('a document of n8n', () => {
  const definition = new DefinitionText(textOf(document), 'n8n');

  it('has nodes identified by their names, and no expressions of our service', () => {
    assert.deepEqual([...definition.byId.keys()], ['Input', 'Sort', 'Say', 'Model']);
    const say = definition.byId.get('Say') ?? assert.fail();
    assert.deepEqual([say.name, say.type, say.expressions], ['Say', 'n8n-nodes-base.set', []]);
    for (const { offset, length } of [say.label, say.idRange])
      assert.equal(definition.text.slice(offset, offset + length), '"Say"');
  });

  it('has edges from its connections, labelled with the output if there are several, else with the type', () => {
    assert.deepEqual(
      definition.edges.map(({ source, target, branch }) => [source, target, branch]),
      [
        ['Input', 'Sort', ''],
        ['Sort', 'Say', 'true'],
        ['Sort', 'Say', '3'],
        ['Sort', 'Input', '3'],
        ['Model', 'Say', 'ai_model'],
      ],
    );
    assert.deepEqual([...definition.after('Input')].sort(), ['Input', 'Say', 'Sort']);
  });

  it('is detected by its form if no service is known', () => {
    assert.equal(new DefinitionText(textOf(document)).format, 'n8n');
    assert.equal(formatOf(document), 'n8n');
    for (const other of [{}, { nodes: [], edges: [] }, { nodes: [], connections: [] }, { connections: {} }]) {
      assert.equal(new DefinitionText(JSON.stringify(other)).format, 'service');
      assert.equal(formatOf(other), 'service');
    }
    assert.equal(new DefinitionText(textOf(document), 'service').format, 'service');
  });

  for (const text of [
    '',
    '{ "nodes": [ { "name": "A" }, { "name": "B',
    '{ "connections": { "A": { "main": [[{ "no',
  ]) {
    it(`may be unfinished: ${text}`, () => {
      const unfinished = new DefinitionText(text, 'n8n');
      assert.doesNotThrow(() => [unfinished.edges, unfinished.byId, unfinished.nodeAt(3)]);
    });
  }
});

describe('the check of a document of n8n', () => {
  const check = (value: JsonObject) => {
    const text = new DefinitionText(textOf(value), 'n8n');
    return (checkText(text.text, 'n8n')?.faults ?? assert.fail()).map((fault) => {
      const { offset, length } = text.locateFault(fault);
      return [text.text.slice(offset, offset + length), fault.message, fault.rule];
    });
  };

  it('finds nothing wrong in a valid document', () => {
    assert.deepEqual(check(document), []);
    assert.deepEqual(check({}), []);
    assert.deepEqual(
      check({ nodes: [{}, 7, { name: 3 }], connections: { A: null, B: 7, C: { main: [null] } } }),
      [],
    );
    assert.deepEqual(check({ ...document, edges: [{ source: 'x', target: 'y' }], other: 1 }), []);
    assert.equal(checkText('[]', 'n8n'), null);
  });

  it('finds connections from and to missing nodes, and where they are', () => {
    const connections = {
      ...document.connections,
      Inptu: { main: [[to('Say'), to('Gone')]] },
      Old: { main: [[]] },
    };
    assert.deepEqual(check({ ...document, connections }), [
      [
        '"Inptu"',
        'a connection starts at a node that doesn\'t exist ("Inptu"); did you mean "Input"?',
        'structure',
      ],
      ['"Gone"', 'node "Inptu" is connected to a node that doesn\'t exist ("Gone")', 'structure'],
    ]);
  });

  it('finds nodes that share a name', () => {
    const nodes = [...document.nodes, node('Say')];
    assert.deepEqual(check({ ...document, nodes }), [
      ['"Say"', 'the name "Say" is used by another node', 'structure'],
    ]);
  });
});

describe('the JSON schema of documents of n8n', () => {
  const read = parseJson(readFileSync('media/n8n-workflow.schema.json', 'utf8'));
  const schema = isJsonObject(read) ? read : assert.fail();
  const faults = (value: JsonValue) =>
    schemaFaults(schema, '7', value).faults.map(({ path }) => path.join('.'));

  it('accepts exported documents and unknown members', () => {
    assert.deepEqual(faults(document), []);
    const unknown = { ...document, meta: {}, settings: { later: true }, nodes: [{ ...node('A'), later: 1 }] };
    assert.deepEqual(faults(unknown), []);
    assert.deepEqual(faults({ ...document, connections: { A: { main: [null, [to('A')]] } } }), []);
  });

  it('refuses other values, and members of the wrong type', () => {
    assert.deepEqual(faults({ nodes: [{ name: '' }], connections: [] }), [
      '',
      'nodes.0',
      'nodes.0.name',
      'connections',
    ]);
    assert.deepEqual(faults({ ...document, nodes: [{ ...node('A'), position: 'here', disabled: 1 }] }), [
      'nodes.0.position',
      'nodes.0.disabled',
    ]);
  });
});
