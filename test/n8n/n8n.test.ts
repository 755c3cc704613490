// The scenarios with a real n8n, once by its Webhook nodes and once by its MCP server. Not part of the usual tests, which need no network.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../src/api/n8n/client.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { n8nDefinition } from '../scenarios/n8nDefinitions.ts';
import { describeScenarios } from '../scenarios/scenarios.ts';
import type { Behavior, Subject } from '../scenarios/subject.ts';
import { installN8n } from './install.ts';
import { type RealN8n, startRealN8n } from './realN8n.ts';

let n8n: RealN8n;

before(async function () {
  this.timeout(30 * 60_000);
  await installN8n();
  n8n = await startRealN8n();
});
after(() => n8n.stop());

function subjectOf(token: () => string | undefined, definitionOf: Subject['definitionOf']): Subject {
  const loader = new HttpLoader(() => ({ environment: {} }));
  const connect = (key: string): ServicePort =>
    createN8nClient({
      http: loader.load,
      baseUrl: n8n.address,
      key: () => Promise.resolve(key),
      mcpToken: () => Promise.resolve(token()),
      logger: silentLogger,
      clock,
    });
  const client = connect(n8n.key);
  return {
    client,
    clock,
    connectWithout: () => connect('unknown'),
    definitionOf,
    close() {
      client.dispose();
      loader.dispose();
      return Promise.resolve();
    },
  };
}

function clientOf(token?: string): { readonly client: ServicePort; readonly close: () => void } {
  const subject = subjectOf(() => token, n8nDefinition);
  return { client: subject.client, close: () => void subject.close() };
}

const forMcp = (behavior: Behavior, name: string) => ({
  ...n8nDefinition(behavior, name),
  settings: { executionOrder: 'v1', availableInMCP: true },
});

describeScenarios('a real n8n, by its webhooks', () =>
  Promise.resolve(subjectOf(() => undefined, n8nDefinition)),
);
describeScenarios('a real n8n, by its MCP server', () =>
  Promise.resolve(subjectOf(() => n8n.mcpToken, forMcp)),
);

describe('what could hurt somebody, with a real n8n', () => {
  let opened: ReturnType<typeof clientOf>;
  beforeEach(() => {
    opened = clientOf();
  });
  afterEach(() => opened.close());

  const webhook = (path: string, more: JsonObject = {}) => ({
    id: 'a',
    name: 'Input',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    webhookId: path,
    parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', ...more },
  });
  const code = (jsCode: string) => ({
    id: 'b',
    name: 'Work',
    type: 'n8n-nodes-base.code',
    typeVersion: 2,
    position: [200, 0],
    parameters: { jsCode },
  });
  const connections = { Input: { main: [[{ node: 'Work', type: 'main', index: 0 }]] } };
  const document = (path: string, jsCode: string, settings: JsonObject = { executionOrder: 'v1' }) => ({
    name: `Fence ${path}`,
    nodes: [webhook(path), code(jsCode)],
    connections,
    settings,
  });
  const deployed = async (given: JsonObject) => {
    const { id } = await opened.client.workflows.create(given);
    await opened.client.workflows.deploy(id);
    return id;
  };
  const answers = async (path: string) => {
    const response = await fetch(`${n8n.address}/webhook/${path}`, { method: 'POST' });
    return [response.status, await response.text()] as const;
  };

  it('sends the input as the body with its query, and executes again as it was recorded', async () => {
    const { workflows, executions } = opened.client;
    const path = `orders-${randomUUID()}`;
    const id = await deployed(
      document(path, 'return [{ json: { ...$input.first().json.body, ...$input.first().json.query } }]'),
    );
    const given = { body: { email: 'ada@example.com', n: 1 }, query: { dry: 'yes' } };
    for (const input of [given, { email: 'ada@example.com' }]) {
      await workflows.execute(id, input);
      const [latest] = (await executions.list({ workflowId: id, limit: 1 })).items;
      const { input: recorded, output, triggerNode } = await executions.getWithInput(latest?.id ?? '');
      assert.deepEqual([recorded, triggerNode], [input, 'Input']);
      const sent = 'query' in input ? { ...input.body, ...input.query } : input;
      assert.deepEqual(output, [sent]);
    }
  });

  it('keeps what is live when something else is saved', async () => {
    const { workflows } = opened.client;
    const path = `live-${randomUUID()}`;
    const id = await deployed(document(path, "return [{ json: { says: 'live' } }]"));
    await workflows.update(id, { nodes: [webhook(path), code("throw new Error('half done')")] });
    const renamed = await workflows.update(id, { name: 'Renamed' });
    await workflows.saveProgress(id);
    assert.deepEqual([renamed.isDeployed, renamed.hasUndeployedChanges], [true, true]);
    assert.deepEqual(await answers(path), [200, '{"says":"live"}']);
    await workflows.deploy(id);
    assert.equal((await answers(path))[0], 500);
  });

  it('keeps pins, groups and a description, and says what a delete takes', async () => {
    const { workflows, executions, keepsExecutions } = opened.client;
    const path = `pins-${randomUUID()}`;
    const pinData = { Work: [{ json: { pinned: 1 } }] };
    const settings = { executionOrder: 'v1', engineType: 'v1', errorWorkflow: null };
    const given = {
      ...document(path, 'return $input.all()', settings),
      pinData,
      description: 'What it is for',
    };
    const id = await deployed(given);
    const { raw } = await workflows.get(id);
    assert.deepEqual([raw['pinData'], raw['description']], [pinData, 'What it is for']);
    const changed = { Work: [{ json: { pinned: 2 } }] };
    assert.deepEqual((await workflows.update(id, { pinData: changed })).raw['pinData'], changed);
    await answers(path);
    const [latest] = (await executions.list({ workflowId: id, limit: 1 })).items;
    await workflows.delete(id);
    assert.equal(keepsExecutions, false);
    assert.equal((await executions.get(latest?.id ?? '')).status.isNotKept, true);
  });

  it('is followed through a crash and a new start', async function () {
    this.timeout(240_000);
    const { executions } = opened.client;
    const path = `slow-${randomUUID()}`;
    const wait = { ...code(''), type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 60 } };
    const slow = { ...document(path, ''), nodes: [webhook(path, { responseMode: 'onReceived' }), wait] };
    const id = await deployed(slow);
    await answers(path);
    const [latest] = (await executions.list({ workflowId: id, status: 'running' })).items;
    assert.ok(latest);
    const stop = new AbortController();
    const said = new Set<string>();
    let isKilled = false;
    for await (const item of executions.follow(latest.id, {}, stop.signal)) {
      said.add(item.kind === 'end' ? `end ${item.status.state}` : item.kind);
      if (item.kind === 'open' && !isKilled) {
        isKilled = true;
        await n8n.kill();
        n8n.startAgain();
      }
    }
    assert.ok(said.has('lost') && said.has('end failed'), [...said].join());
    assert.ok((await executions.list({ status: 'failed' })).items.some((each) => each.id === latest.id));
  });
});
