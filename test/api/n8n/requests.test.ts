// What a workflow of an n8n gets is what its callers send, and the same again when it's executed again.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';

const node = (name: string, type: string, parameters: JsonObject = {}): JsonObject => ({
  id: name,
  name,
  type,
  webhookId: `hook-${name}`,
  parameters,
});
const webhook = (path: string, httpMethod: string | readonly string[] = 'POST', name = 'Input') =>
  node(name, 'n8n-nodes-base.webhook', { path, httpMethod });

describe('a workflow of an n8n', () => {
  let world: N8nWorld;
  beforeEach(async () => {
    world = await createN8nWorld();
    world.n8n.play = ({ id }) => world.n8n.end(id, 'success');
  });
  afterEach(() => world.dispose());

  const deployed = (...nodes: readonly JsonObject[]): string => {
    const settings = { availableInMCP: true };
    const workflow = world.n8n.addWorkflow({ name: 'Orders', nodes, connections: {}, settings });
    world.n8n.activate(workflow);
    workflow.lag = 0;
    return workflow.id;
  };
  const withToken = () => world.connect({ mcpToken: recordedToken });
  /** What its first node gave in the last execution. */
  const received = async () => {
    const id = String([...world.n8n.executions.keys()].at(-1));
    const { rows } = await world.client.executions.logs(id, {});
    const [row] = rows;
    assert.ok(row !== undefined);
    return row.output;
  };
  const inputOfLast = () =>
    world.client.executions.getWithInput(String([...world.n8n.executions.keys()].at(-1)));
  const webhookUrls = () =>
    world.n8n.requests
      .filter(({ url }) => url.startsWith('/webhook/'))
      .map(({ url }) => decodeURIComponent(url));

  it('gets its input as the body, by its webhook and by MCP', async () => {
    const id = deployed(webhook('orders'));
    const input = { email: 'ada@example.com', input: { deep: [1, null] } };
    for (const client of [world.client, withToken()]) {
      await client.workflows.execute(id, input);
      const [item] = [await received()].flat();
      assert.ok(isJsonObject(item));
      assert.deepEqual(item['body'], input);
      assert.deepEqual((await inputOfLast()).input, input);
    }
    assert.equal(webhookUrls().length, 1);
  });

  it('gets its input as the query where it is called with GET', async () => {
    const id = deployed(webhook('orders', 'GET'));
    await world.client.workflows.execute(id, { page: 2, of: ['a', 'b'], filter: { open: true } });
    const query = { page: '2', of: ['a', 'b'], filter: { open: 'true' } };
    assert.deepEqual(await received(), [{ params: {}, query, body: {} }]);
    // As n8n has kept it, which is in texts.
    assert.deepEqual((await inputOfLast()).input, query);
    await withToken().workflows.execute(id, { page: 2 });
    assert.deepEqual(await received(), [{ query: { page: '2' }, body: {} }]);
    assert.equal(webhookUrls().length, 1);
  });

  it('is sent lists in a query, lists as a body and parameters of its address by its webhook, also with a token', async () => {
    const id = deployed(webhook('users/:userId/orders'));
    const input = { params: { userId: 'ada b' }, query: { tags: ['x', 'y'] }, body: [1, 2] };
    for (const client of [world.client, withToken()]) {
      await client.workflows.execute(id, input);
      assert.deepEqual(await received(), [input]);
      assert.deepEqual((await inputOfLast()).input, input);
    }
    assert.deepEqual(
      new Set(webhookUrls()),
      new Set(['/webhook/hook-Input/users/ada b/orders?tags[]=x&tags[]=y']),
    );
  });

  it('gets the fields of a form and the text of a chat, and they are its input', async () => {
    const client = withToken();
    const form = deployed(node('Form', 'n8n-nodes-base.formTrigger', { path: 'form' }));
    await client.workflows.execute(form, { Name: 'Ada' });
    assert.deepEqual((await inputOfLast()).input, { Name: 'Ada' });
    const chat = deployed(node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger'));
    await client.workflows.execute(chat, { chatInput: 'hi', sessionId: 'old' });
    assert.deepEqual(await received(), [
      { sessionId: 'mcp-session-1', action: 'sendMessage', chatInput: 'hi' },
    ]);
    await assert.rejects(
      client.workflows.execute(chat, {}),
      (error) => isServiceError(error, 'invalid') && error.message.includes('chatInput: string'),
    );
  });

  it('begins at the method that it is told, and is read back with it', async () => {
    const id = deployed(webhook('a', ['GET', 'POST'], 'A'), webhook('b', 'POST', 'B'));
    const triggers = await world.client.workflows.triggers?.(id);
    assert.deepEqual(
      triggers?.map(({ name, detail }) => [name, detail]),
      [
        ['A (GET)', 'GET /webhook/a'],
        ['A (POST)', 'POST /webhook/a'],
        ['B', 'POST /webhook/b'],
      ],
    );
    for (const trigger of ['A (POST)', 'A (GET)', 'B'])
      for (const client of [world.client, withToken()]) {
        await client.workflows.execute(id, { a: '1' }, { trigger });
        const execution = await inputOfLast();
        assert.deepEqual([execution.triggerNode, execution.input], [trigger, { a: '1' }]);
      }
  });

  it('is called as it is deployed, not as it is edited', async () => {
    const id = deployed(webhook('old'));
    await world.client.workflows.update(id, { nodes: [webhook('new')] });
    await world.client.workflows.execute(id, {});
    assert.deepEqual(webhookUrls(), ['/webhook/old']);
  });
});
