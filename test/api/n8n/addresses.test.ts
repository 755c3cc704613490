// Deploying on an n8n where another workflow listens at the same address.
import assert from 'node:assert/strict';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { reasonOf } from '../../support/reasons.ts';

const webhook = {
  id: 'n1',
  name: 'Input',
  type: 'n8n-nodes-base.webhook',
  webhookId: 'hook',
  parameters: { path: 'in', httpMethod: 'POST' },
};
const content = { name: 'Sorts', connections: {}, settings: {} };

describe('the addresses of an n8n', () => {
  let world: N8nWorld;

  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  const form = (id: string, parameters: object) => ({
    id,
    name: id,
    type: 'n8n-nodes-base.formTrigger',
    webhookId: id,
    parameters: { ...parameters },
  });
  const chat = {
    id: 'c',
    name: 'Chat',
    type: '@n8n/n8n-nodes-langchain.chatTrigger',
    webhookId: 'chat',
    parameters: {},
  };
  const pathed = {
    ...webhook,
    id: 'p',
    name: 'Users',
    webhookId: 'users',
    parameters: { path: 'users/:id' },
  };
  /** How many of its triggers listen where the others of this document do. */
  const reasonOfDeploy = async (id: string) => {
    const reason = await reasonOf(world.client.workflows.deploy(id));
    return typeof reason === 'object' && 'isAddressTaken' in reason && reason.isAddressTaken;
  };

  it('deploy at new addresses what another one is in the way of, and only that, in the draft first', async () => {
    const { client, n8n } = world;
    const nodes = [
      webhook,
      pathed,
      form('Old', { path: 'ask' }),
      form('New', { options: { path: 'tell' } }),
      form('Plain', {}),
      chat,
    ];
    n8n.activate(n8n.addWorkflow({ ...content, nodes }));
    const free = {
      ...webhook,
      id: 'f',
      name: 'Free',
      parameters: { path: 'in', httpMethod: ['PUT', 'PATCH'] },
    };
    const copy = n8n.addWorkflow({ ...content, nodes: [free, ...nodes] });
    assert.equal(await reasonOfDeploy(copy.id), true);
    const deployed = (await client.workflows.deployElsewhere?.(copy.id)) ?? assert.fail();
    assert.deepEqual(
      deployed.moved.map(({ name, address }) => `${name} ${address.replaceAll(/[0-9a-f-]{36}/g, 'new')}`),
      [
        'Input /webhook/new',
        'Users /webhook/new/users/:id',
        'Old /form/new',
        'New /form/new',
        'Plain /form/new',
        'Chat /webhook/new/chat',
      ],
    );
    assert.equal(deployed.workflow.isDeployed, true);
    assert.deepEqual([copy.nodes[0], copy.activeContent['nodes']], [free, copy.nodes]);
    const saved = n8n.requests.find(({ method }) => method === 'PUT')?.url;
    assert.equal(saved, `/api/v1/workflows/${copy.id}?publishIfActive=false`);
  });

  it('are refused at the triggers that another workflow is in the way of', async () => {
    const { client, n8n } = world;
    n8n.activate(
      n8n.addWorkflow({ ...content, nodes: [webhook, form('New', { options: { path: 'ask' } })] }),
    );
    const free = { ...webhook, id: 'f', name: 'Free', parameters: { path: 'free', httpMethod: 'POST' } };
    const copy = n8n.addWorkflow({
      ...content,
      nodes: [free, form('New', { options: { path: 'ask' } }), webhook],
    });
    const placesOf = async () => {
      const reason = await reasonOf(client.workflows.deploy(copy.id));
      return (
        typeof reason === 'object' && reason.kind === 'invalid' && reason.details.map(({ path }) => path)
      );
    };
    assert.deepEqual(await placesOf(), ['nodes.1', 'nodes.2.parameters.path']);
    // Without the right to list workflows, the refusal itself is still what is said.
    n8n.instead = (call) =>
      call === 'GET /workflows' ? { status: 403, body: { message: 'Forbidden' } } : undefined;
    assert.deepEqual(await placesOf(), ['']);
  });

  it('deploy at new addresses what listens twice at one, and what a workflow is in the way of that nobody sees', async () => {
    const { client, n8n } = world;
    const twice = n8n.addWorkflow({ ...content, nodes: [webhook, { ...webhook, id: 'n2', name: 'Second' }] });
    const first = await client.workflows.deployElsewhere?.(twice.id);
    assert.deepEqual(
      first?.moved.map(({ name }) => name),
      ['Second'],
    );
    const hidden = n8n.addWorkflow({ ...content, nodes: [chat] });
    n8n.activate(hidden);
    n8n.instead = (call) =>
      call === 'GET /workflows' ? { status: 200, body: { data: [], nextCursor: null } } : undefined;
    // What it's deployed with already isn't what is in the way.
    n8n.replace(twice, { ...content, nodes: [...twice.nodes, chat] }, false);
    assert.equal(await reasonOfDeploy(twice.id), true);
    const second = await client.workflows.deployElsewhere?.(twice.id);
    assert.deepEqual(
      second?.moved.map(({ name }) => name),
      ['Chat'],
    );
  });

  it('duplicate a path with parameters and that of a form so that both can be deployed', async () => {
    const { client, n8n } = world;
    const { workflows } = client;
    const nodes = [pathed, form('New', { options: { path: 'tell' } })];
    const { id } = n8n.addWorkflow({ ...content, nodes });
    const { id: copyId } = await workflows.duplicate(id, 'Copy');
    for (const each of [id, copyId]) assert.equal((await workflows.deploy(each)).isDeployed, true);
    assert.deepEqual(n8n.workflows.get(copyId)?.nodes[0]?.['parameters'], pathed.parameters);
  });
});
