// Workflows of an n8n that call each other, promoted to another n8n, where they have other ids.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, stringifyJson } from '../../src/base/json.ts';
import { type OpenService, openService } from '../../src/program/openService.ts';
import { calledFirst, findCalled, mapCalled } from '../../src/workflowFiles/subWorkflows.ts';
import { MemoryFolder } from '../support/memory/filesFolder.ts';
import { recordedKey } from '../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../support/n8n/world.ts';
import { actionsOf, Clone, kindsOf, promote as promoteFiles } from './filesWorld.ts';

const chosen = (value: string, name?: string): JsonObject => ({
  __rl: true,
  mode: name === undefined ? 'id' : 'list',
  value,
  ...(name !== undefined && { cachedResultName: name, cachedResultUrl: `/workflow/${value}` }),
});

const calling = (
  workflowId: JsonObject | string,
  type = 'n8n-nodes-base.executeWorkflow',
  name = 'Call',
): JsonObject => ({
  id: name,
  name,
  type,
  typeVersion: 1.2,
  position: [200, 0],
  parameters: { workflowId, options: {} },
});

const documentOf = (name: string, nodes: readonly JsonObject[], settings: JsonObject = {}): JsonObject => ({
  name,
  nodes: [
    {
      id: '1',
      name: 'Start',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      position: [0, 0],
      parameters: { inputSource: 'passthrough' },
    },
    ...nodes,
  ],
  connections: {},
  settings: { executionOrder: 'v1', ...settings },
});

describe('the workflows that a definition of n8n calls', () => {
  const ids = new Map([['one', 'uno']]);
  const rows: readonly (readonly [
    what: string,
    from: JsonObject,
    found: readonly string[],
    to: JsonObject,
  ])[] = [
    ['by its id', documentOf('A', [calling('one')]), ['one'], documentOf('A', [calling('uno')])],
    [
      'as its editor chooses it',
      documentOf('A', [calling(chosen('one', 'One'))]),
      ['one One'],
      documentOf('A', [calling(chosen('uno', 'One'))]),
    ],
    [
      'as a tool',
      documentOf('A', [calling('one', '@n8n/n8n-nodes-langchain.toolWorkflow')]),
      ['one'],
      documentOf('A', [calling('uno', '@n8n/n8n-nodes-langchain.toolWorkflow')]),
    ],
    [
      'for its errors',
      documentOf('A', [], { errorWorkflow: 'one' }),
      ['one'],
      documentOf('A', [], { errorWorkflow: 'uno' }),
    ],
    ['that is another one', documentOf('A', [calling('two')]), ['two'], documentOf('A', [calling('two')])],
    [
      'by an expression',
      documentOf('A', [calling('={{ $json.id }}')]),
      [],
      documentOf('A', [calling('={{ $json.id }}')]),
    ],
    [
      'by a member of another node',
      documentOf('A', [calling('one', 'n8n-nodes-base.set')]),
      [],
      documentOf('A', [calling('one', 'n8n-nodes-base.set')]),
    ],
  ];
  for (const [what, from, found, to] of rows)
    it(`${what}: is found, and gets the id that it has elsewhere`, () => {
      assert.deepEqual(
        findCalled(from).map(({ workflowId, name }) => [workflowId, name].filter(Boolean).join(' ')),
        found,
      );
      assert.deepEqual(mapCalled(from, ids), to);
    });

  it('come first, as far as they do not call each other', () => {
    const calls: Readonly<Record<string, readonly string[]>> = {
      a: ['b', 'c'],
      b: ['c'],
      c: [],
      d: ['e'],
      e: ['d'],
    };
    assert.deepEqual(
      calledFirst(['a', 'b', 'c', 'd', 'e'], (each) => calls[each] ?? []),
      ['c', 'b', 'a', 'e', 'd'],
    );
  });
});

describe('a promotion between two n8n', function () {
  this.timeout(60_000);
  let place = '';
  let worlds: readonly [from: N8nWorld, to: N8nWorld];
  let services: readonly [from: OpenService, to: OpenService];
  let folder: MemoryFolder;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'files-'));
    worlds = [await createN8nWorld(), await createN8nWorld()];
    // So that no id of one is an id of the other.
    for (const name of ['1', '2', '3', '4']) worlds[1].n8n.addWorkflow(documentOf(name, []));
    worlds[1].n8n.workflows.clear();
    const [from, to] = worlds;
    const open = ({ address: url }: N8nWorld, name: string) =>
      openService({ url, kind: 'n8n' }, { apiKey: recordedKey }, { ledgerPath: join(place, name) });
    services = [open(from, 'from'), open(to, 'to')];
    const environments = {
      staging: { url: from.address, kind: 'n8n' },
      live: { url: to.address, kind: 'n8n' },
    };
    folder = new MemoryFolder([['workflows.json', stringifyJson({ environments })]]);
  });
  afterEach(async () => {
    for (const service of services) service.dispose();
    for (const world of worlds) await world.dispose();
    await rm(place, { recursive: true });
  });

  const promote = async () => {
    const [from, to] = services;
    return promoteFiles(folder, {
      from: { name: 'staging', service: from },
      to: { name: 'live', service: to },
    });
  };
  const pull = () => new Clone(services[0], folder, 'staging').pull();
  /** Who calls whom on the second one, by their names; what isn't there by its id. */
  const callsThere = (): Readonly<Record<string, readonly string[]>> => {
    const there = [...worlds[1].n8n.workflows.values()];
    const nameOf = (id: string) => there.find((each) => each.id === id)?.name ?? id;
    return Object.fromEntries(
      there.map(({ name, nodes, settings }) => [
        name,
        findCalled({ nodes: [...nodes], connections: {}, settings: { ...settings } }).map(({ workflowId }) =>
          nameOf(workflowId),
        ),
      ]),
    );
  };

  it('creates what is called first, with the ids that it gets there, and does nothing twice', async () => {
    const child = worlds[0].n8n.addWorkflow(documentOf('Child', []));
    worlds[0].n8n.addWorkflow(
      documentOf('A parent', [calling(chosen(child.id, 'Child'))], { errorWorkflow: child.id }),
    );
    await pull();
    const { plan, results } = await promote();
    assert.deepEqual(
      plan.steps.map(({ compared, action, needs }) => [compared.file, action, needs?.workflows]),
      [
        ['Child.n8n.workflow.json', 'create', []],
        ['A parent.n8n.workflow.json', 'create', []],
      ],
    );
    assert.deepEqual(kindsOf(results), ['done', 'done']);
    assert.deepEqual(callsThere(), { Child: [], 'A parent': ['Child'] });
    const again = await promote();
    assert.deepEqual(new Set(Object.values(actionsOf(again.plan))), new Set(['nothing']));
  });

  it('takes the workflow of the name, and says which ones are missing', async () => {
    const [known, gone] = ['Known', 'Gone'].map((name) => worlds[0].n8n.addWorkflow(documentOf(name, [])));
    assert.ok(known && gone);
    worlds[0].n8n.addWorkflow(
      documentOf('Parent', [calling(known.id), calling(chosen(gone.id, 'Gone'), undefined, 'Call another')]),
    );
    await pull();
    worlds[1].n8n.addWorkflow(documentOf('Known', [], { timezone: 'Europe/Berlin' }));
    for (const name of ['Known', 'Gone']) folder.files.delete(`${name}.n8n.workflow.json`);
    const workflows = {
      'Parent.n8n.workflow.json': { staging: [...worlds[0].n8n.workflows.keys()].at(-1) ?? '' },
    };
    const environments = {
      staging: { url: worlds[0].address, kind: 'n8n' },
      live: { url: worlds[1].address, kind: 'n8n' },
    };
    folder.files.set('workflows.json', stringifyJson({ environments, workflows }));
    const { plan } = await promote();
    assert.deepEqual(
      plan.steps.map(({ needs }) => needs?.workflows),
      [[`Gone (${gone.id})`]],
    );
    assert.deepEqual(callsThere(), { Known: [], Parent: ['Known', gone.id] });
  });

  it('brings those that call each other, and themselves', async () => {
    const { n8n } = worlds[0];
    const one = n8n.addWorkflow(documentOf('One', []));
    const two = n8n.addWorkflow(documentOf('Two', [calling(one.id)]));
    n8n.replace(one, documentOf('One', [calling(two.id), calling(one.id, undefined, 'Call itself')]));
    await pull();
    assert.deepEqual(kindsOf((await promote()).results), ['done', 'done']);
    assert.deepEqual(callsThere(), { One: ['Two', 'One'], Two: ['One'] });
    const again = await promote();
    assert.deepEqual(new Set(Object.values(actionsOf(again.plan))), new Set(['nothing']));
  });
});
