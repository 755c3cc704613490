// Whether a draft has moved on from what is deployed is read in the words of many services, and not guessed where none tells.
import assert from 'node:assert/strict';
import { decodeWorkflow, withoutDeployed } from '../../../src/api/decode/workflow.ts';
import type { JsonObject } from '../../../src/base/json.ts';

const draft = { nodes: [{ id: 'a' }], edges: [], settings: { a: 1 } };
const other = { nodes: [], edges: [], settings: { a: 1 } };
const read = (fields: JsonObject) => {
  const reading = decodeWorkflow({ id: 'w', ...fields });
  return [reading?.isDeployed, reading?.hasUndeployedChanges, reading?.deployedDefinition];
};

describe('what is deployed of a workflow', () => {
  const flags: readonly (readonly [JsonObject, boolean | null])[] = [
    [{ isDeployed: true, hasUndeployedChanges: true }, true],
    [{ isDeployed: true, hasUndeployedChanges: false }, false],
    [{ isDeployed: true, needsRedeployment: true }, true],
    [{ is_deployed: true, needs_redeployment: false }, false],
    [{ published: true, hasUnpublishedChanges: true }, true],
    [{ needsRedeployment: true }, true],
    [{ isDeployed: false, needsRedeployment: true }, false],
    [{ isDeployed: false }, false],
    [{ isDeployed: true, hasUndeployedChanges: 'yes' }, null],
    [{ isDeployed: true, hasUndeployedChanges: null }, null],
    [{ isDeployed: true }, null],
    [{}, null],
    [{ active: true, versionId: 'v2', activeVersionId: 'v1' }, true],
    [{ active: true, versionId: 'v2', activeVersionId: 'v2' }, false],
    [{ active: true, versionId: 'v2', activeVersion: { versionId: 'v1' } }, true],
    [{ active: true, version_id: 'v2', active_version: { version_id: 'v2' } }, false],
    [{ active: false, versionId: 'v2', activeVersionId: null, activeVersion: null }, false],
    [{ active: true, versionId: 'v2' }, null],
    [{ version: 3, activeVersion: 2 }, null],
  ];
  for (const [fields, expected] of flags)
    it(`${JSON.stringify(fields)} ${expected === null ? 'does not tell whether the draft is it' : `tells ${String(expected)}`}`, () => {
      const [, hasUndeployedChanges, deployedDefinition] = read(fields);
      assert.deepEqual([hasUndeployedChanges, deployedDefinition], [expected, null]);
    });

  it('keeps a version as the version, and as the sign of being deployed', () => {
    for (const [version, text] of [
      [4, '4'],
      ['v4', 'v4'],
    ] as const) {
      const reading = decodeWorkflow({ id: 'w', activeVersion: version });
      assert.deepEqual([reading?.isDeployed, reading?.version], [true, text]);
    }
    const whole = decodeWorkflow({ id: 'w', versionId: 'v2', activeVersion: { versionId: 'v1' } });
    assert.deepEqual([whole?.isDeployed, whole?.version], [true, 'v2']);
    assert.deepEqual([whole?.draftVersion, whole?.deployedVersion], ['v2', 'v1']);
  });

  const definitions: readonly (readonly [string, JsonObject, readonly unknown[]])[] = [
    ['of the contract', { isDeployed: true, ...draft, deployedDefinition: other }, [true, true, other]],
    [
      'that is the draft, in another order',
      {
        isDeployed: true,
        ...draft,
        deployedDefinition: { settings: { a: 1 }, edges: [], nodes: [{ id: 'a' }] },
      },
      [true, false, draft],
    ],
    [
      'in snake case, with no word for being deployed',
      { ...draft, deployed_definition: other },
      [true, true, other],
    ],
    [
      'of a workflow that is not',
      { isDeployed: false, ...draft, deployedDefinition: other },
      [false, false, null],
    ],
    [
      'where the word for it goes first',
      { needsRedeployment: false, ...draft, deployedDefinition: other },
      [true, false, other],
    ],
    [
      'as a version, of which only the nodes belong to the definition',
      {
        active: true,
        versionId: 'v1',
        nodes: [1],
        connections: {},
        settings: { tz: 'UTC' },
        activeVersion: { versionId: 'v1', name: 'One', createdAt: 'c', nodes: [1], connections: { x: 1 } },
      },
      [true, false, { nodes: [1], connections: { x: 1 } }],
    ],
    [
      'as a state beside a state',
      {
        isDeployed: true,
        state: { blocks: { a: 1 }, edges: [], loops: {}, lastSaved: 7 },
        deployedState: { blocks: { a: 2 }, edges: [], loops: {}, lastSaved: 5 },
      },
      [true, true, { state: { blocks: { a: 2 }, edges: [], loops: {}, lastSaved: 7 } }],
    ],
    [
      'one level down on both sides',
      { graph: draft, publishedVersion: { number: 3, graph: other } },
      [true, true, { graph: other }],
    ],
    ['without the draft beside it', { isDeployed: true, deployedDefinition: other }, [true, null, null]],
    ['without nodes', { isDeployed: true, ...draft, deployedState: { at: 'x' } }, [true, null, null]],
    [
      'as a word',
      { isDeployed: true, ...draft, deployedState: 'live', activeVersion: 3 },
      [true, null, null],
    ],
  ];
  for (const [title, fields, expected] of definitions)
    it(`is read ${title}`, () => assert.deepEqual(read(fields), expected));

  it('is not sent back with the rest; a version is', () => {
    const kept = { id: 'w', ...draft, activeVersion: 3, tags: ['x'] };
    const told = { hasUndeployedChanges: true, deployed_state: other, publishedVersion: { nodes: [] } };
    assert.deepEqual(withoutDeployed({ ...kept, ...told }), kept);
  });
});
