// What travels to an n8n, counted on the wire: each secret at its own door, none elsewhere, and nothing asked too often.
import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import type { JsonObject } from '../../../src/base/json.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { recordedKey, type SeenRequest } from '../../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import { type Running, serve } from '../../support/servers.ts';

const input = { message: 'hi' };
const node = (name: string, type: string, parameters: JsonObject = {}) => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
});
const webhook = node('Input', 'webhook', { path: 'orders', httpMethod: 'POST' });
const content = { name: 'Orders', nodes: [webhook], connections: {}, settings: { availableInMCP: true } };

/** Where a secret stands in a request. */
function placesOf(secret: string, { url, headers, text }: SeenRequest): readonly string[] {
  const inHeaders = Object.entries(headers).filter(([, value]) => String(value).includes(secret));
  return [
    ...inHeaders.map(([name]) => name),
    ...(url.includes(secret) ? ['url'] : []),
    ...(text.includes(secret) ? ['body'] : []),
  ];
}

describe('what travels to an n8n', () => {
  let world: N8nWorld;
  let elsewhere: Running;
  let askedElsewhere: string[];

  beforeEach(async () => {
    world = await createN8nWorld();
    askedElsewhere = [];
    elsewhere = await serve((request, response) => {
      askedElsewhere.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
  });
  afterEach(async () => {
    await world.dispose();
    await elsewhere.close();
  });

  const deployed = () => {
    const workflow = world.n8n.addWorkflow(content);
    world.n8n.activate(workflow);
    workflow.lag = 0;
    return workflow;
  };

  it('has each secret in one header at its own door, whatever is done', async () => {
    const { n8n } = world;
    n8n.play = ({ id }) => n8n.end(id, 'error', { message: 'No stock.' });
    for (const client of [world.client, world.connect({ mcpToken: recordedToken })]) {
      const { workflows, executions } = client;
      const { id } = await workflows.create(content);
      const copy = await workflows.duplicate(id, undefined);
      await workflows.update(id, { name: 'Renamed' });
      await workflows.deploy(id);
      await workflows.execute(id, input);
      const [started] = (await executions.list({ workflowId: id })).items;
      const executionId = started?.id ?? assert.fail();
      await client.mcp?.verify().catch(() => undefined);
      if (started?.status.isTerminal === false) await executions.cancel(executionId);
      await executions.retry(executionId, {});
      await executions.logs(executionId, {});
      await workflows.undeploy(id);
      for (const each of [id, copy.id]) await workflows.delete(each);
    }
    const doors = new Map<string, Set<string>>();
    for (const request of n8n.requests) {
      const [door = ''] = /^\/(api\/v1|mcp-server\/http|webhook)(?=[/?]|$)/.exec(request.url) ?? [];
      const found = doors.get(door) ?? new Set();
      doors.set(door, found);
      for (const place of placesOf(recordedKey, request)) found.add(`key in ${place}`);
      for (const place of placesOf(recordedToken, request)) found.add(`token in ${place}`);
    }
    assert.deepEqual(Object.fromEntries([...doors].map(([door, found]) => [door, [...found]])), {
      '/api/v1': ['key in x-n8n-api-key'],
      '/webhook': [],
      '/mcp-server/http': ['token in authorization'],
    });
  });

  it('follows no redirect from any door to another origin', async () => {
    const { n8n, client, connect } = world;
    const { id } = deployed();
    const location = `http://127.0.0.1:${elsewhere.port}/taken`;
    const redirect = (door: string) => {
      n8n.passOn = ({ url }, answer) => (url.startsWith(door) ? { status: 307, body: '', location } : answer);
    };
    redirect('/webhook/');
    assert.equal(await kindOf(client.workflows.execute(id, input)), 'unreadable');
    redirect('/mcp-server/');
    const withToken = connect({ mcpToken: recordedToken });
    assert.equal(await kindOf(withToken.mcp?.verify() ?? Promise.resolve()), 'unreadable');
    assert.equal(await kindOf(withToken.workflows.execute(id, input)), 'unreadable');
    redirect('/api/v1/');
    assert.deepEqual(await reasonOf(client.workflows.list({})), { kind: 'unreadable', cause: 'redirect' });
    assert.equal(await kindOf(client.workflows.update(id, { name: 'x' })), 'unreadable');
    assert.deepEqual(askedElsewhere, []);
    assert.equal(n8n.requests.filter(({ url }) => url.startsWith('/webhook/')).length, 1);
  });

  it('finds every door behind the prefix of a proxy', async () => {
    const { n8n, address, connect } = world;
    const { id } = deployed();
    const paths = new Set<string>();
    const proxy = await serve((request, response) => {
      const { url = '', method = '', headers } = request;
      paths.add(url.replace(/\?.*/, ''));
      const to = new URL(url.replace(/^\/team\/n8n\//, '/'), address);
      request.pipe(
        send(to, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    const behind = { address: `http://127.0.0.1:${proxy.port}/team/n8n/` };
    await connect(behind).workflows.execute(id, input);
    await connect({ ...behind, mcpToken: recordedToken }).workflows.execute(id, input);
    assert.deepEqual([...paths].sort(), [
      `/team/n8n/api/v1/workflows/${id}`,
      '/team/n8n/mcp-server/http',
      '/team/n8n/webhook/orders',
    ]);
    assert.equal(n8n.executions.size, 2);
    await proxy.close();
  });

  for (const [door, mcpToken] of [
    ['/webhook/', undefined],
    ['/mcp-server/', recordedToken],
  ] as const)
    it(`asks ${door} again for 2 seconds where nothing ran, and no longer`, async () => {
      const { n8n, waits, connect } = world;
      const workflow = deployed();
      workflow.lag = Infinity;
      const client = connect(mcpToken === undefined ? {} : { mcpToken });
      const kind = mcpToken === undefined ? 'notFound' : 'notDeployed';
      assert.equal(await kindOf(client.workflows.execute(workflow.id, input)), kind);
      assert.equal(
        waits.reduce((sum, each) => sum + each, 0),
        2000,
      );
      assert.equal(n8n.executions.size, 0);
      const calls = n8n.requests.filter(
        ({ url, text }) => url.startsWith(door) && !text.includes('tools/list'),
      );
      assert.equal(calls.length, 21);
    });

  for (const [status, message] of [
    [404, 'The requested resource is gone.'],
    [422, 'Failed to parse request body'],
    [500, 'Error in workflow'],
    [503, 'Service unavailable'],
  ] as const)
    it(`calls a webhook once that answers ${status} "${message}" and started nothing`, async () => {
      const { n8n, client } = world;
      const { id } = deployed();
      n8n.passOn = ({ url }, answer) => {
        if (!url.startsWith('/webhook/')) return answer;
        n8n.executions.clear();
        return { status, body: { code: status, message, stacktrace: 'Error: at /home/node/app.js:1' } };
      };
      await assert.rejects(
        client.workflows.execute(id, input),
        (error) => isServiceError(error) && error.status === status && error.message === message,
      );
      assert.equal(n8n.requests.filter(({ url }) => url.startsWith('/webhook/')).length, 1);
    });

  it('asks for the data of a running execution at most every 2 seconds, also to find it', async () => {
    const { n8n, client, clock } = world;
    // Nothing of it says what it was called with.
    const { id } = n8n.start(deployed().id);
    const reads = () => n8n.requests.filter(({ url }) => url.startsWith(`/api/v1/executions/${id}`)).length;
    const look = async () => (await client.executions.list({ eventId: 'call-1' })).items;
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await look(), []);
    assert.equal(reads(), 1);
    await new Promise<void>((resolve) => void clock.schedule(resolve, 2000));
    await look();
    assert.equal(reads(), 2);
  });
});
