// What stands in a definition's document, and what a save sends, as tables.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import {
  parseDefinition,
  renderDefinition,
  toDefinition,
  toUpdate,
} from '../../../src/model/workflows/workflowDefinition.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

function reading(raw: JsonObject): Workflow {
  return {
    id: 'wf_1',
    name: 'Any',
    description: null,
    isDeployed: null,
    deployedAt: null,
    version: null,
    draftVersion: null,
    deployedVersion: null,
    hasUndeployedChanges: null,
    deployedDefinition: null,
    createdAt: null,
    updatedAt: null,
    hasDefinition: true,
    raw,
  };
}

describe('the definition of a workflow', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'leaves out what the service keeps of the record',
      {
        id: 'wf_1',
        name: 'A',
        description: null,
        isDeployed: true,
        deployedAt: null,
        version: 3,
        nodes: [],
        edges: [],
        settings: {},
        createdAt: 'c',
        updatedAt: 'u',
      },
      { name: 'A', description: null, nodes: [], edges: [], settings: {} },
    ],
    [
      'leaves out what is deployed of it, as our service tells it',
      {
        id: 'wf_1',
        name: 'A',
        nodes: [],
        isDeployed: true,
        hasUndeployedChanges: true,
        deployedDefinition: { nodes: [1], edges: [], settings: {} },
      },
      { name: 'A', nodes: [] },
    ],
    [
      'leaves out what is deployed of it, as other services tell it',
      {
        id: 'wf_1',
        name: 'A',
        needs_redeployment: true,
        deployed_state: null,
        hasUnpublishedChanges: 1,
        versionId: 'v2',
        activeVersionId: 'v1',
        activeVersion: { nodes: [] },
        published_version: 7,
      },
      { name: 'A' },
    ],
    [
      'keeps unknown members',
      { id: 'wf_1', name: 'A', tags: ['x'], owner: { id: 7 } },
      { name: 'A', tags: ['x'], owner: { id: 7 } },
    ],
    [
      'reads other names for the same',
      { _id: 'wf_1', title: 'A', is_active: false, updated_at: 5, created: 'c', graph: { nodes: [] } },
      { title: 'A', graph: { nodes: [] } },
    ],
    [
      'keeps what merely has the name of such a member',
      {
        id: 'wf_1',
        key: 'other',
        isDeployed: false,
        enabled: true,
        state: { nodes: [] },
        version: { major: 1 },
      },
      { key: 'other', enabled: true, state: { nodes: [] }, version: { major: 1 } },
    ],
  ];
  for (const [title, raw, definition] of cases) {
    it(title, () => assert.deepEqual(toDefinition(reading(raw)), definition));
  }

  it('reads in one order, whatever the order of the record', () => {
    const text = renderDefinition(
      toDefinition(reading({ x: 1, edges: [], id: 'wf_1', nodes: [], name: 'A' })),
    );
    assert.equal(text, '{\n  "name": "A",\n  "nodes": [],\n  "edges": [],\n  "x": 1\n}\n');
  });

  it('survives text and back, odd names included', () => {
    const definition = parseJson('{"name":"é\\u2028\\ud800","__proto__":{"a":1},"nodes":[{"id":"n"}]}');
    assert.ok(isJsonObject(definition) && Object.hasOwn(definition, '__proto__'));
    assert.deepEqual(parseDefinition(renderDefinition(definition), undefined), definition);
  });

  it('is no text that is not a JSON object', () => {
    for (const text of ['', '{', '[]', 'null', '{"a":1,}', '// no\n{}'])
      assert.equal(parseDefinition(text, undefined), undefined, text);
  });

  it('carries $schema only where the service has it', () => {
    const text = '{"$schema": "./x.json", "name": "A"}';
    assert.deepEqual(parseDefinition(text, { name: 'A' }), { name: 'A' });
    assert.deepEqual(parseDefinition(text, { $schema: 'other' }), { $schema: './x.json', name: 'A' });
  });
});

describe('an update', () => {
  it('sends the whole definition, emptied members for removed ones, nothing of the record', () => {
    const base: JsonObject = { name: 'A', description: 'd', nodes: [{ id: 'n' }], settings: { a: 1 }, x: 1 };
    const pasted = { isDeployed: true, version: 9, hasUndeployedChanges: true, deployedDefinition: null };
    assert.deepEqual(toUpdate(base, { name: 'B', x: 1, ...pasted }), {
      name: 'B',
      x: 1,
      description: null,
      nodes: [],
      settings: {},
    });
  });
});
