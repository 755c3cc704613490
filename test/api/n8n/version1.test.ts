// An older n8n gives what it has, and what it hasn't is refused as such.
import assert from 'node:assert/strict';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { reasonOf } from '../../support/reasons.ts';

const content = { name: 'Sorts', nodes: [], connections: {}, settings: {} };

describe('an n8n of version 1', () => {
  let world: N8nWorld;
  beforeEach(async () => {
    world = await createN8nWorld();
    world.n8n.version = 1;
  });
  afterEach(() => world.dispose());

  it('lists executions by state and time, though it knows fewer of both', async () => {
    const { client, n8n } = world;
    const { id } = n8n.addWorkflow(content);
    const [first, second, third] = [n8n.start(id), n8n.start(id), n8n.start(id)];
    for (const each of [first, second]) n8n.end(each.id, 'error');
    const idsOf = async (query: Parameters<typeof client.executions.list>[0]) =>
      (await client.executions.list({ workflowId: id, ...query })).items.map((each) => Number(each.id));
    assert.deepEqual(await idsOf({ status: 'failed' }), [second.id, first.id]);
    assert.deepEqual(await idsOf({ status: 'queued' }), []);
    const startedAfter = new Date(second.startedAt);
    for (let count = 0; count < 2; count += 1)
      assert.deepEqual(await idsOf({ startedAfter }), [third.id, second.id]);
    // What it refused once isn't asked again.
    assert.equal(n8n.requests.filter(({ url }) => url.includes('startedAfter')).length, 1);
  });

  it('is told from a record that is gone, where it cannot cancel or archive', async () => {
    const { client, n8n } = world;
    const { id } = n8n.addWorkflow(content);
    const notOffered = { kind: 'notOffered', by: 'n8n' };
    assert.deepEqual(await reasonOf(client.executions.cancel(String(n8n.start(id).id))), notOffered);
    assert.deepEqual(await reasonOf(client.workflows.archive?.(id) ?? assert.fail()), notOffered);
    assert.deepEqual(await reasonOf(client.executions.get('99')), { kind: 'notFound' });
  });

  it('keeps the settings that it sets to a default where they are left out', async () => {
    const { client, n8n } = world;
    const settings = { callerPolicy: 'any', availableInMCP: true, timezone: 'UTC' };
    const { id } = n8n.addWorkflow({ ...content, settings });
    await client.workflows.update(id, { name: 'Renamed' });
    assert.deepEqual(n8n.workflows.get(id)?.settings, settings);
  });

  it('says that there is no MCP server, where nothing else could start an execution', async () => {
    const client = world.connect({ mcpToken: recordedToken });
    const nodes = [{ id: 'a', name: 'Daily', type: 'n8n-nodes-base.scheduleTrigger', parameters: {} }];
    const workflow = world.n8n.addWorkflow({ ...content, nodes });
    world.n8n.activate(workflow);
    await client.learnOffers?.();
    assert.deepEqual(await reasonOf(client.workflows.execute(workflow.id, {})), {
      kind: 'notStartable',
      because: 'noMcp',
      by: 'n8n',
    });
  });
});
