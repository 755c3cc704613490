// Each operation is found where a service keeps it, and asked for there from then on.
import assert from 'node:assert/strict';
import { serviceWith } from '../../support/endpoints.ts';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';

const workflow = { id: 'w', name: 'W', isDeployed: true, nodes: [], edges: [], extra: 1 };
const execution = {
  id: 'e',
  status: 'completed',
  output: 7,
  steps: [{ id: 's', nodeId: 'n', message: 'm' }],
};

const done = { body: workflow };

interface Case {
  readonly title: string;
  readonly endpoints: Readonly<Record<string, ScriptedAnswer>>;
  readonly call: (client: ServicePort) => Promise<unknown>;
  /** What the first call asks, and what the second one does. */
  readonly first: readonly string[];
  readonly second: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'update by PUT with the whole object',
    endpoints: { 'GET /workflows/w': { body: { data: workflow } }, 'PUT /workflows/w': done },
    call: ({ workflows }) => workflows.update('w', { name: 'V' }),
    first: [
      'PATCH /workflows/w {"name":"V"}',
      'GET /workflows/w',
      `PUT /workflows/w ${JSON.stringify({ ...workflow, name: 'V' })}`,
    ],
    second: ['GET /workflows/w', `PUT /workflows/w ${JSON.stringify({ ...workflow, name: 'V' })}`],
  },
  {
    title: 'get from the list',
    endpoints: { 'GET /workflows': { body: [workflow] } },
    call: ({ workflows }) => workflows.get('w'),
    first: ['GET /workflows/w', 'GET /workflows?limit=100'],
    second: ['GET /workflows?limit=100'],
  },
  {
    title: 'duplicate by clone',
    endpoints: { 'POST /workflows/w/clone': { body: { ...workflow, id: 'v' } } },
    call: ({ workflows }) => workflows.duplicate('w', 'V'),
    first: ['POST /workflows/w/duplicate {"name":"V"}', 'POST /workflows/w/clone {"name":"V"}'],
    second: ['POST /workflows/w/clone {"name":"V"}'],
  },
  {
    title: 'duplicate by fetching and creating',
    endpoints: { 'GET /workflows/w': done, 'POST /workflows': { body: { ...workflow, id: 'v' } } },
    call: ({ workflows }) => workflows.duplicate('w', undefined),
    first: [
      'POST /workflows/w/duplicate {}',
      'POST /workflows/w/clone {}',
      'GET /workflows/w',
      'POST /workflows {"name":"W (copy)","nodes":[],"edges":[],"extra":1}',
    ],
    second: [
      'POST /workflows/w/duplicate {}',
      'POST /workflows/w/clone {}',
      'GET /workflows/w',
      'POST /workflows {"name":"W (copy)","nodes":[],"edges":[],"extra":1}',
    ],
  },
  {
    title: 'deploy by activate',
    endpoints: { 'POST /workflows/w/activate': done },
    call: ({ workflows }) => workflows.deploy('w'),
    first: ['POST /workflows/w/deploy {}', 'POST /workflows/w/publish {}', 'POST /workflows/w/activate {}'],
    second: ['POST /workflows/w/activate {}'],
  },
  {
    title: 'undeploy by DELETE, without a body',
    endpoints: { 'DELETE /workflows/w/deploy': { status: 204 }, 'GET /workflows/w': done },
    call: ({ workflows }) => workflows.undeploy('w'),
    first: ['POST /workflows/w/undeploy {}', 'DELETE /workflows/w/deploy', 'GET /workflows/w'],
    second: ['DELETE /workflows/w/deploy', 'GET /workflows/w'],
  },
  {
    title: 'undeploy by deactivate',
    endpoints: { 'POST /workflows/w/deactivate': done },
    call: ({ workflows }) => workflows.undeploy('w'),
    first: [
      'POST /workflows/w/undeploy {}',
      'DELETE /workflows/w/deploy',
      'POST /workflows/w/unpublish {}',
      'POST /workflows/w/deactivate {}',
    ],
    second: ['POST /workflows/w/deactivate {}'],
  },
  {
    title: 'executions below their workflow, one of them by the workflow that the list told',
    endpoints: {
      'GET /workflows/w/runs': { body: { runs: [{ id: 'e' }] } },
      'GET /workflows/w/executions/e': { body: execution },
    },
    call: async ({ executions }) => {
      assert.equal((await executions.list({ workflowId: 'w', limit: 5 })).items[0]?.workflowId, 'w');
      assert.equal((await executions.get('e')).workflowId, 'w');
    },
    first: [
      'GET /executions?workflowId=w&limit=5',
      'GET /workflows/w/executions?limit=5',
      'GET /workflows/w/runs?limit=5',
      'GET /executions/e',
      'GET /workflows/w/executions/e',
    ],
    second: ['GET /workflows/w/runs?limit=5', 'GET /workflows/w/executions/e'],
  },
  {
    title: 'output from the details',
    endpoints: { 'GET /executions/e': { body: execution } },
    call: async ({ executions }) => {
      assert.deepEqual(await executions.output('e'), { kind: 'ready', output: 7, error: null });
    },
    first: ['GET /executions/e/output', 'GET /executions/e'],
    second: ['GET /executions/e'],
  },
  {
    title: 'logs from the nodes',
    endpoints: { 'GET /executions/e/nodes': { body: execution.steps } },
    call: ({ executions }) => executions.logs('e', {}),
    first: [
      'GET /executions/e/logs?limit=100',
      'GET /executions/e/node-logs?limit=100',
      'GET /executions/e/nodes?limit=100',
    ],
    second: ['GET /executions/e/nodes?limit=100'],
  },
  {
    title: 'logs from the details',
    endpoints: { 'GET /executions/e': { body: { data: execution } } },
    call: async ({ executions }) => {
      assert.equal((await executions.logs('e', {})).rows[0]?.message, 'm');
    },
    first: [
      'GET /executions/e/logs?limit=100',
      'GET /executions/e/node-logs?limit=100',
      'GET /executions/e/nodes?limit=100',
      'GET /executions/e',
    ],
    second: ['GET /executions/e'],
  },
  {
    title: 'an execution in the list, with all that it holds',
    endpoints: { 'GET /executions': { body: [{ ...execution, input: { n: 1 } }] } },
    call: async ({ executions }) => {
      assert.equal((await executions.get('e')).status.state, 'completed');
      assert.deepEqual((await executions.getWithInput('e')).input, { n: 1 });
      assert.equal((await executions.output('e')).kind, 'ready');
      assert.equal((await executions.logs('e', {})).rows[0]?.message, 'm');
    },
    first: [
      'GET /executions/e',
      'GET /executions?limit=100',
      'GET /executions?limit=100',
      'GET /executions/e/output',
      'GET /executions?limit=100',
      'GET /executions/e/logs?limit=100',
      'GET /executions/e/node-logs?limit=100',
      'GET /executions/e/nodes?limit=100',
      'GET /executions?limit=100',
    ],
    second: Array.from({ length: 4 }, () => 'GET /executions?limit=100'),
  },
  {
    title: 'what an execution lacks in the record that the list shows',
    endpoints: {
      'GET /executions/e': { body: { id: 'e', status: 'completed' } },
      'GET /executions': { body: [execution] },
    },
    call: async ({ executions }) => {
      assert.deepEqual(await executions.output('e'), { kind: 'ready', output: 7, error: null });
    },
    first: ['GET /executions/e/output', 'GET /executions/e', 'GET /executions?limit=100'],
    second: ['GET /executions?limit=100'],
  },
  {
    title: 'portal events under another name',
    endpoints: { 'GET /events': { body: [] } },
    call: ({ portalEvents }) => portalEvents.list({}),
    first: ['GET /portal/events', 'GET /portal-events', 'GET /events'],
    second: ['GET /events'],
  },
];

describe('the endpoint fallback finds', () => {
  for (const { title, endpoints, call, first, second } of cases)
    it(`${title}, and remembers`, async () => {
      const { client, asked } = serviceWith(endpoints);
      await call(client);
      assert.deepEqual(asked(), first);
      await call(client);
      assert.deepEqual(asked().slice(first.length), second);
      assert.deepEqual([...client.notOffered.current], []);
    });

  it('the form of an import, and takes a refusal of both for what it is', async () => {
    const endpoint = 'POST /workflows/import';
    const scripted = createScriptedClient((_path, { body = '' }) =>
      body.startsWith('{"workflow"') ? { status: 422, body: { message: 'name is missing' } } : done,
    );
    await scripted.client.workflows.import({ name: 'a' });
    await scripted.client.workflows.import({ name: 'b' });
    assert.deepEqual(
      scripted.requests.map(({ body }) => body),
      ['{"workflow":{"name":"a"}}', '{"name":"a"}', '{"name":"b"}'],
    );
    const refusing = serviceWith({ [endpoint]: { status: 422, body: { message: 'bad' } } });
    assert.equal(await kindOf(refusing.client.workflows.import({ name: 'a' })), 'invalid');
    assert.equal(refusing.requests.length, 2);
    const none = serviceWith({});
    assert.equal(await kindOf(none.client.workflows.import({ name: 'a' })), 'notOffered');
    assert.equal(none.requests.length, 1);
  });
});
