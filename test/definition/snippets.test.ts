// A snippet for each node type, which gives a node that can be deployed as it stands.
import assert from 'node:assert/strict';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import { checkDefinition } from '../../src/definition/checkDefinition.ts';
import { nodeTypes } from '../../src/definition/nodeTypes.ts';

const { defaultSnippets, properties } = schema.definitions.node;

/** As VS Code's JSON language writes a body: without quotation marks around what begins with "^", with the placeholders as they're offered. */
function fill(body: object): JsonObject {
  const text = JSON.stringify(body)
    .replace(/"\^(.*?)"/g, '$1')
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1');
  const node = parseJson(text);
  assert.ok(isJsonObject(node), text);
  return node;
}

describe('the snippets of nodes', () => {
  it('are one for each type, in the same order, and begin with what the type does', () => {
    assert.deepEqual(
      defaultSnippets.map(({ body }) => body.type),
      nodeTypes,
    );
    assert.deepEqual(properties.type.enum, nodeTypes);
    for (const [index, { description }] of defaultSnippets.entries()) {
      const sentence = properties.type.enumDescriptions[index]?.replace(/\.$/, '');
      assert.ok(sentence !== undefined && description.startsWith(sentence), description);
    }
  });

  for (const { label, body } of defaultSnippets)
    it(`give a node that can be deployed: ${label}`, () => {
      const start = { id: 'start', type: 'trigger' };
      const end = { id: 'end', type: 'log', config: { message: 'Hi' } };
      const node = fill(body);
      const branches: Readonly<Record<string, string>> = { condition: 'true', forEach: 'each' };
      const branch = branches[body.type];
      const definition =
        body.type === 'trigger'
          ? { nodes: [node], edges: [] }
          : {
              nodes: [start, node, end],
              edges: [
                { source: 'start', target: 'id' },
                { source: 'id', target: 'end', ...(branch !== undefined && { branch }) },
              ],
            };
      assert.deepEqual(checkDefinition(definition).faults, []);
    });
});
