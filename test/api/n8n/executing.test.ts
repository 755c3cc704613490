// Executions of an n8n are started by MCP where there's a token, else by a Webhook node, and never twice.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { isServiceError, type ServiceErrorReason } from '../../../src/domain/errors.ts';
import { resolveExecution } from '../../../src/model/executions/executionLookup.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { recordedKey } from '../../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { createHastyClock } from '../../support/hastyClock.ts';

const input = { message: 'hi' };
const webhook = (parameters: JsonObject) => ({
  id: 'n1',
  name: 'Input',
  type: 'n8n-nodes-base.webhook',
  webhookId: 'hook',
  parameters,
});
const schedule = { id: 'n2', name: 'Every day', type: 'n8n-nodes-base.scheduleTrigger', parameters: {} };
const path = 'orders/new item';

describe('an execution of an n8n', () => {
  let world: N8nWorld;
  const add = (
    nodes: readonly JsonObject[],
    isDeployed = true,
    settings: JsonObject = { availableInMCP: true },
  ) => {
    const workflow = world.n8n.addWorkflow({ name: 'Orders', nodes, connections: {}, settings });
    if (isDeployed) world.n8n.activate(workflow);
    return workflow;
  };
  const deployed = (parameters: JsonObject = { path, httpMethod: 'POST' }) => {
    const workflow = add([webhook(parameters)]);
    workflow.lag = 0;
    return workflow;
  };
  const sentTo = (prefix: string) => world.n8n.requests.filter(({ url }) => url.startsWith(prefix));
  const find = (trigger: Parameters<typeof resolveExecution>[0]['trigger']) =>
    resolveExecution({ client: world.client, clock: createHastyClock(), trigger, known: new Set() });
  const fails = (call: Promise<unknown>, kind: ServiceErrorReason['kind'], words: RegExp) =>
    assert.rejects(call, (error) => isServiceError(error, kind) && words.test(error.message));

  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  it('is started by its Webhook node, and found by what it was called with', async () => {
    const { id } = deployed();
    const one = await world.client.workflows.execute(id, input, { idempotencyKey: 'call-1' });
    const other = await world.client.workflows.execute(id, { message: 'ho' }, { idempotencyKey: 'call-2' });
    assert.deepEqual([one.executionIds, one.eventIds], [[], ['call-1']]);
    assert.deepEqual(await find(other), { kind: 'matched', executionId: '2' });
    assert.deepEqual(await find(one), { kind: 'matched', executionId: '1' });
    const [call] = sentTo('/webhook/');
    assert.equal(call?.url, '/webhook/orders/new%20item');
    assert.deepEqual(parseJson(call.text), input);
  });

  it('tells n8n no key where it would be stored', async () => {
    const { id } = deployed();
    await world.client.workflows.execute(id, input);
    const [call] = sentTo('/webhook/');
    assert.ok(call !== undefined && !JSON.stringify(call).includes(recordedKey));
    assert.equal(call.headers.authorization, undefined);
    assert.equal(call.headers.cookie, undefined);
  });

  it('has the members of its input in the query where the node takes GET only, and is not repeated as a read', async () => {
    const { id } = deployed({ path: 'orders' });
    world.n8n.webhookAnswer = { status: 503, body: { message: 'Busy' } };
    const { executionIds } = await world.client.workflows.execute(id, input);
    assert.deepEqual(executionIds, ['1']);
    const calls = sentTo('/webhook/');
    assert.deepEqual(
      calls.map(({ method, url }) => [method, decodeURIComponent(url)]),
      [['GET', '/webhook/orders?message=hi']],
    );
  });

  it('is known where the workflow answers with its id', async () => {
    const { id } = deployed();
    world.n8n.webhookAnswer = { status: 200, body: { executionId: 1 } };
    assert.deepEqual((await world.client.workflows.execute(id, input)).executionIds, ['1']);
  });

  it('is asked for again right after a deployment only, until the webhook is there', async () => {
    const workflow = add([webhook({ path: 'orders', httpMethod: 'POST' })]);
    assert.equal(workflow.lag, 2);
    await world.client.workflows.execute(workflow.id, input);
    assert.equal(sentTo('/webhook/').length, 3);
    assert.equal(world.n8n.executions.size, 1);
    world.n8n.webhookAnswer = {
      status: 404,
      body: {
        message: 'This webhook is not registered for POST requests. Did you mean to make a GET request?',
      },
    };
    await fails(world.client.workflows.execute(workflow.id, input), 'notFound', /Did you mean/);
    assert.equal(sentTo('/webhook/').length, 4);
  });

  it('is looked for where the answer says that it failed, and not started again', async () => {
    const { id } = deployed();
    world.n8n.webhookAnswer = { status: 500, body: { message: 'Error in workflow' } };
    assert.deepEqual((await world.client.workflows.execute(id, input)).executionIds, ['1']);
    assert.equal(sentTo('/webhook/').length, 1);
  });

  it('is called once whatever it answers, and found where the workflow itself has refused', async () => {
    for (const status of [400, 404, 409, 429]) {
      const { id } = deployed({ path: `answers-${status}`, httpMethod: 'POST' });
      world.n8n.webhookAnswer = { status, body: { message: 'The customer is not registered' } };
      const before = world.n8n.executions.size;
      const { executionIds } = await world.client.workflows.execute(id, input);
      assert.deepEqual(executionIds, [String(before + 1)]);
      assert.equal(world.n8n.executions.size, before + 1);
    }
  });

  it('is refused in words where the node has an authentication of its own', async () => {
    const { id } = deployed();
    world.n8n.webhookAnswer = { status: 403, body: 'Authorization data is wrong!', mediaType: 'text/plain' };
    await fails(world.client.workflows.execute(id, input), 'notStartable', /authentication/);
  });

  it('is refused before anything is called where it is not deployed, or nothing can start it', async () => {
    const drafted = add([webhook({ path: 'orders' })], false);
    await fails(world.client.workflows.execute(drafted.id, input), 'notDeployed', /isn't deployed/);
    const timed = add([schedule, { ...webhook({ path: 'orders' }), disabled: true }]);
    await fails(world.client.workflows.execute(timed.id, input), 'notStartable', /Nothing can start it/);
    for (const unusable of ['../api/v1/workflows', 'half-\ud83d']) {
      const { id } = add([webhook({ path: unusable, httpMethod: 'POST' })]);
      await fails(world.client.workflows.execute(id, input), 'notStartable', /Nothing can start it/);
    }
    assert.ok(world.n8n.requests.every(({ method }) => method === 'GET'));
    assert.deepEqual(sentTo('/webhook/'), []);
    assert.deepEqual(sentTo('/mcp-server/'), []);
  });

  it('is started by MCP where there is a token, also on a schedule, with its id', async () => {
    const client = world.connect({ mcpToken: recordedToken });
    const { id } = deployed();
    assert.deepEqual((await client.workflows.execute(id, input)).executionIds, ['1']);
    const timed = add([schedule]);
    assert.deepEqual((await client.workflows.execute(timed.id, input)).executionIds, ['2']);
    assert.deepEqual(sentTo('/webhook/'), []);
    for (const { url, headers } of world.n8n.requests) {
      const isMcp = url.startsWith('/mcp-server/');
      assert.equal(headers.authorization, isMcp ? `Bearer ${recordedToken}` : undefined);
      assert.equal(headers['x-n8n-api-key'], isMcp ? undefined : recordedKey);
    }
    const names = sentTo('/mcp-server/').map(({ text }) => {
      const call = parseJson(text);
      const params = isJsonObject(call) ? call['params'] : undefined;
      const given = isJsonObject(params) ? params['arguments'] : undefined;
      return isJsonObject(given) ? given['triggerNodeName'] : undefined;
    });
    // n8n acts on the deployment a moment after it has answered.
    assert.deepEqual(names, [undefined, 'Input', 'Every day', 'Every day', 'Every day']);
  });

  it('is started by its webhook where it is not available in MCP, or its path has parameters', async () => {
    const client = world.connect({ mcpToken: recordedToken });
    const older = add([webhook({ path: 'orders', httpMethod: 'PUT' })], true, {});
    older.lag = 0;
    await client.workflows.execute(older.id, input);
    const named = add([webhook({ path: 'users/:userId/orders', httpMethod: 'POST' })]);
    named.lag = 0;
    const whole = { body: input, params: { userId: 'a b' }, query: { page: 2, tag: ['x', 'y'] } };
    await client.workflows.execute(named.id, whole);
    assert.deepEqual(
      sentTo('/webhook/').map(({ method, url, text }) => [method, url, parseJson(text)]),
      [
        ['PUT', '/webhook/orders', input],
        ['POST', '/webhook/hook/users/a%20b/orders?page=2&tag%5B%5D=x&tag%5B%5D=y', input],
      ],
    );
    await fails(client.workflows.execute(named.id, input), 'invalid', /needs "userId"\. Write the input as/);
    const alone = add([schedule], true, {});
    await fails(client.workflows.execute(alone.id, input), 'notStartable', /not available in MCP/);
  });

  it('begins at the trigger that was chosen, each with what it takes', async () => {
    const client = world.connect({ mcpToken: recordedToken });
    const typed = (name: string, type: string) => ({ id: name, name, type, parameters: {} });
    const { id } = add([
      typed('By hand', 'n8n-nodes-base.manualTrigger'),
      schedule,
      typed('Chat', '@n8n/n8n-nodes-langchain.chatTrigger'),
      typed('Form', 'n8n-nodes-base.formTrigger'),
      webhook({ path: 'orders', httpMethod: ['PATCH', 'POST'] }),
    ]);
    assert.deepEqual(await client.workflows.triggers?.(id), [
      { kind: 'schedule', name: 'Every day', detail: '' },
      { kind: 'chat', name: 'Chat', detail: '' },
      { kind: 'form', name: 'Form', detail: '' },
      { kind: 'webhook', name: 'Input (PATCH)', detail: 'PATCH /webhook/orders' },
      { kind: 'webhook', name: 'Input (POST)', detail: 'POST /webhook/orders' },
    ]);
    assert.deepEqual(
      (await world.client.workflows.triggers?.(id))?.map(({ name }) => name),
      ['Input (PATCH)', 'Input (POST)'],
    );
    const workflow = world.n8n.workflows.get(id);
    if (workflow) workflow.lag = 0;
    const given = { chatInput: 'hello', name: 'Ada' };
    for (const trigger of ['Every day', 'Chat', 'Form', 'Input', undefined])
      await client.workflows.execute(id, given, { trigger });
    const starts = sentTo('/mcp-server/').flatMap(({ text }) => {
      const call = parseJson(text);
      const params = isJsonObject(call) ? call['params'] : undefined;
      const start = isJsonObject(params) ? params['arguments'] : undefined;
      return isJsonObject(start) ? [[start['triggerNodeName'], start['inputs']]] : [];
    });
    const called = { webhookData: { method: 'PATCH', body: given } };
    assert.deepEqual(starts, [
      ['Every day', undefined],
      ['Chat', { chatInput: 'hello' }],
      ['Form', { formData: given }],
      ['Input', called],
      ['Input', called],
    ]);
    const { executionIds } = await client.workflows.execute(id, {}, { trigger: 'By hand' });
    assert.equal(world.n8n.executions.get(Number(executionIds[0]))?.mode, 'manual');
    await fails(client.workflows.execute(id, {}, { trigger: 'Other' }), 'notStartable', /Nothing/);
  });

  it('is executed again as it was recorded', async () => {
    const { id } = deployed();
    const whole = { body: { total: 3 }, query: { dry: 'yes' } };
    for (const given of [{ total: 1 }, whole]) {
      await world.client.workflows.execute(id, given);
      const [last = 0] = [...world.n8n.executions.keys()].slice(-1);
      world.n8n.end(last, 'success');
      const { input: recorded, triggerNode } = await world.client.executions.getWithInput(String(last));
      assert.deepEqual([recorded, triggerNode], [given, 'Input']);
    }
  });

  it('that was started and is never found has ended, and is not kept', async () => {
    const client = world.connect({ mcpToken: recordedToken });
    const { id } = deployed();
    const { executionIds } = await client.workflows.execute(id, input);
    world.n8n.executions.clear();
    const items = [];
    for await (const item of client.executions.follow(executionIds[0] ?? '', {}, AbortSignal.timeout(5000)))
      items.push(item);
    assert.ok(items.some((item) => item.kind === 'end' && item.status.notKeptBy !== undefined));
  });
});
