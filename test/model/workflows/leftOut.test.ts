// What an import doesn't keep is known by name, from the answers of the real service and of n8n.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { findLeftOut } from '../../../src/model/workflows/leftOut.ts';
import { createAppPort } from '../../support/appPort.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { createN8nWorld } from '../../support/n8n/world.ts';
import { createTestService } from '../../support/service.ts';

describe('what a service left out of an import', () => {
  it('is known of our own service, which keeps all of nodes, edges and settings', async () => {
    const service = await createTestService();
    const client = createClient({
      http: () => Promise.resolve(createAppPort(service.app)),
      baseUrl: 'http://127.0.0.1:4100/v1',
      key: () => Promise.resolve(service.key),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock: systemClock, requestsPerMinute: 60 }),
      logger: silentLogger,
    });
    const definition = {
      $schema: 'https://example.com/workflow.json',
      id: 'wf_old',
      version: 7,
      isDeployed: true,
      createdAt: '2025-01-01T00:00:00.000Z',
      name: 'Totals',
      nodes: [
        { id: 'start', type: 'trigger', position: { x: 1, y: [2, { z: null }] }, 'x-note': 'kept' },
        { id: 'end', type: 'output', config: { expression: 'input', own: 1 } },
      ],
      edges: [{ source: 'start', target: 'end', label: 'on', id: 'e1' }],
      settings: { timezone: 'Europe/Vienna', deep: { own: [1] } },
      tags: ['billing'],
      meta: { owner: 'team' },
      nothing: null,
      none: [],
    };
    try {
      const workflow = await client.workflows.import(definition);
      assert.deepEqual(findLeftOut(definition, workflow), ['tags', 'meta']);
      const { nodes, edges, settings } = workflow.raw;
      assert.deepEqual(
        { nodes, edges, settings },
        { nodes: definition.nodes, edges: definition.edges, settings: definition.settings },
      );
    } finally {
      client.dispose();
      await service.dispose();
    }
  });

  it('is known of n8n, without what tells where an export comes from', async () => {
    const world = await createN8nWorld();
    const definition = {
      id: 'abc',
      active: true,
      versionId: 'v1',
      name: 'Hook',
      nodes: [
        {
          id: '1',
          name: 'Input',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          parameters: {},
        },
      ],
      connections: {},
      settings: {},
      pinData: { Input: [{ json: { a: 1 } }] },
      staticData: { lastId: 7 },
      meta: { instanceId: 'x' },
      shared: [{ role: 'workflow:owner', projectId: 'p' }],
      triggerCount: 1,
      isArchived: false,
      tags: [{ id: 't', name: 'billing' }],
    };
    try {
      const workflow = await world.client.workflows.import(definition);
      assert.deepEqual(findLeftOut(definition, workflow), ['tags']);
    } finally {
      await world.dispose();
    }
  });

  const answers: readonly (readonly [
    title: string,
    given: JsonObject,
    raw: JsonObject,
    names: readonly string[],
  ])[] = [
    [
      'in nodes, each member once',
      {
        nodes: [
          { id: 'a', color: 1 },
          { id: 'b', color: 2, config: { x: 1, y: 2 } },
        ],
        edges: [],
      },
      { id: 'w', nodes: [{ id: 'a' }, { id: 'b', config: { y: 3 } }], edges: [] },
      ['nodes.color', 'nodes.config.x'],
    ],
    [
      'items of a list',
      { nodes: [{ id: 'a' }, { id: 'b' }], edges: [] },
      { id: 'w', nodes: [{ id: 'a' }], edges: [] },
      ['nodes'],
    ],
    [
      'nothing where the definition is in a member of the record',
      { name: 'A', nodes: [{ id: 'a' }], edges: [] },
      { id: 'w', name: 'A', definition: { nodes: [{ id: 'a' }], edges: [] } },
      [],
    ],
    [
      'all of a request that was given for a definition',
      { name: 'A', workflow: { nodes: [{ id: 'a' }] } },
      { id: 'w', name: 'A', nodes: [], edges: [], settings: {} },
      ['workflow'],
    ],
    [
      'a member with an odd name',
      JSON.parse('{"nodes":[],"__proto__":{"a":1}}'),
      { id: 'w', nodes: [] },
      ['__proto__'],
    ],
  ];
  for (const [title, given, raw, names] of answers)
    it(`tells ${title}`, () => {
      assert.deepEqual(findLeftOut(given, makeWorkflow('w', { raw, hasDefinition: true })), names);
    });

  it('is not guessed of an answer without the definition', () => {
    assert.deepEqual(findLeftOut({ nodes: [{ id: 'a' }] }, makeWorkflow('w')), []);
  });
});
