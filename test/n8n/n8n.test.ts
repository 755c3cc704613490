// The scenarios with a real n8n, once by its Webhook nodes and once by its MCP server. Not part of the usual tests, which need no network.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../src/api/n8n/client.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { keyRights } from '../../src/domain/apiKey.ts';
import { describeN8nRepair } from '../languageTools/n8nRepair.ts';
import { describeN8nCommands } from '../program/process/n8nCommands.ts';
import { describeN8nFiles } from '../program/process/n8nFiles.ts';
import { n8nDefinition } from '../scenarios/n8nDefinitions.ts';
import { describeScenarios } from '../scenarios/scenarios.ts';
import type { Behavior, Subject } from '../scenarios/subject.ts';
import { reasonOf } from '../support/reasons.ts';
import { installN8n, isVersion1 } from './install.ts';
import { describePublicWorkflows } from './publicWorkflows.ts';
import { type RealN8n, startRealN8n } from './realN8n.ts';
import type { DraftRequest } from '../../src/protocol/requests.ts';

let n8n: RealN8n;

before(async function () {
  this.timeout(30 * 60_000);
  await installN8n();
  n8n = await startRealN8n();
});
after(() => n8n.stop());

function subjectOf(
  token: () => string | undefined,
  definitionOf: Subject['definitionOf'],
  ownKey = n8n.key,
): Subject {
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
  const client = connect(ownKey);
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
if (!isVersion1)
  describeScenarios('a real n8n, by its MCP server', () =>
    Promise.resolve(subjectOf(() => n8n.mcpToken, forMcp)),
  );

describeN8nCommands('a real n8n', () =>
  Promise.resolve({
    address: n8n.address,
    key: n8n.key,
    token: n8n.mcpToken,
    close: () => Promise.resolve(),
  }),
);

describeN8nFiles('two real n8n', async () => {
  const other = await startRealN8n();
  const { address, key, mcpToken: token } = n8n;
  return {
    staging: { address, key, token, close: () => Promise.resolve() },
    live: { address: other.address, key: other.key, token: other.mcpToken, close: () => other.stop() },
  };
});

if (!isVersion1)
  describeN8nRepair('a real n8n', () => {
    assert.ok(n8n.mcpToken !== undefined);
    const { address, key, mcpToken: token } = n8n;
    return Promise.resolve({ address, key, token, close: () => Promise.resolve() });
  });

describePublicWorkflows(
  'workflows as people have them, on a real n8n',
  () => Promise.resolve(clientOf()),
  isVersion1 ? 1 : 2,
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

  it('keeps what is live when something else is saved, where it can', async () => {
    const { workflows } = opened.client;
    const path = `live-${randomUUID()}`;
    const id = await deployed(document(path, "return [{ json: { says: 'live' } }]"));
    await workflows.update(id, { nodes: [webhook(path), code("throw new Error('half done')")] });
    const renamed = await workflows.update(id, { name: 'Renamed' });
    await workflows.saveProgress(id);
    assert.deepEqual([renamed.isDeployed, renamed.hasUndeployedChanges], [true, isVersion1 ? null : true]);
    if (!isVersion1) assert.deepEqual(await answers(path), [200, '{"says":"live"}']);
    await workflows.deploy(id);
    assert.equal((await answers(path))[0], 500);
  });

  it('deploys at new addresses what another workflow is in the way of, and only that', async () => {
    const { client, close } = clientOf();
    const node = (name: string, type: string, at: number, more: JsonObject): JsonObject => ({
      id: name,
      name,
      type,
      typeVersion: 2,
      position: [0, at],
      webhookId: randomUUID(),
      parameters: {},
      ...more,
    });
    const nodes = [
      node('Input', 'n8n-nodes-base.webhook', 0, { parameters: { path: randomUUID(), httpMethod: 'POST' } }),
      node('Users', 'n8n-nodes-base.webhook', 200, { parameters: { path: 'users/:id' } }),
      node('Form', 'n8n-nodes-base.formTrigger', 400, {
        typeVersion: 2.2,
        parameters: {
          formTitle: 'Ask',
          formFields: { values: [{ fieldLabel: 'Name' }] },
          options: { path: randomUUID() },
        },
      }),
      node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 600, {
        typeVersion: 1.1,
        parameters: { public: true },
      }),
    ];
    const free = node('Free', 'n8n-nodes-base.webhook', 800, { parameters: { path: randomUUID() } });
    const [first, second] = [
      await client.workflows.create({ name: 'First', nodes, connections: {}, settings: {} }),
      await client.workflows.create({
        name: 'Second',
        nodes: [...nodes, free],
        connections: {},
        settings: {},
      }),
    ];
    await client.workflows.deploy(first.id);
    const reason = await reasonOf(client.workflows.deploy(second.id));
    assert.ok(typeof reason === 'object' && 'isAddressTaken' in reason);
    const deployed = await client.workflows.deployElsewhere?.(second.id);
    assert.deepEqual(
      deployed?.moved.map(({ name }) => name),
      ['Input', 'Users', 'Form', 'Chat'],
    );
    assert.equal((await client.workflows.getOne(second.id)).isDeployed, true);
    for (const { id } of [first, second]) {
      await client.workflows.archive?.(id);
      assert.deepEqual(await reasonOf(client.workflows.deploy(id)), { kind: 'archived', workflowId: id });
      assert.equal((await client.workflows.unarchive?.(id))?.isDeployed, false);
      await client.workflows.delete(id);
    }
    close();
  });

  it('tells which rights a key lacks, by what it may do and by the calls that it refuses', async () => {
    const rights = keyRights.filter((right) => right !== 'workflow:list' && right !== 'workflow:delete');
    const subject = subjectOf(() => undefined, n8nDefinition, await n8n.keyFor(rights));
    const { client } = subject;
    assert.deepEqual(await client.missingRights?.(), ['workflow:list', 'workflow:delete']);
    assert.deepEqual(await reasonOf(client.workflows.list({})), {
      kind: 'forbidden',
      right: 'workflow:list',
    });
    const { id } = await client.workflows.create({ name: 'Kept', nodes: [], connections: {}, settings: {} });
    for (const call of [client.workflows.archive?.(id), client.workflows.delete(id)])
      assert.deepEqual(await reasonOf(call ?? assert.fail()), {
        kind: 'forbidden',
        right: 'workflow:delete',
      });
    await subject.close();
  });

  it('keeps pins, groups and a description, and says what a delete takes', async () => {
    const { workflows, executions, traits } = opened.client;
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
    const changed = { Work: [{ json: { pinned: 2 } }] };
    const saved = (await workflows.update(id, { pinData: changed })).raw['pinData'];
    assert.deepEqual(
      [raw['pinData'], raw['description'], saved],
      isVersion1 ? [undefined, undefined, undefined] : [pinData, 'What it is for', changed],
    );
    await answers(path);
    const [latest] = (await executions.list({ workflowId: id, limit: 1 })).items;
    await workflows.delete(id);
    assert.equal(traits.keepsExecutions, false);
    assert.equal((await executions.get(latest?.id ?? '')).status.notKeptBy, 'n8n');
  });

  it('sends what only an address takes, and reads it back', async () => {
    const { workflows, executions } = opened.client;
    const path = `users-${randomUUID()}/:userId/orders`;
    const id = await deployed({
      ...document(path, ''),
      nodes: [
        {
          ...webhook(path, { httpMethod: ['GET', 'PUT'], responseMode: 'onReceived' }),
          webhookId: randomUUID(),
        },
        code('return $input.all()'),
      ],
      connections: { Input: { main: [[], ...connections.Input.main] } },
    });
    const query = { tags: ['x'], filter: { open: 'yes', of: ['a', 'b'] } };
    for (const [trigger, given] of [
      ['Input (PUT)', { body: [1, { a: null }], query, params: { userId: 'ada é' } }],
      ['Input (GET)', { query, params: { userId: '7' } }],
    ] as const) {
      await workflows.execute(id, given, { trigger });
      const [latest] = (await executions.list({ workflowId: id, limit: 1 })).items;
      const { input, triggerNode } = await executions.getWithInput(latest?.id ?? '');
      assert.deepEqual([input, triggerNode], [given, trigger]);
    }
  });

  it('executes drafts with a token: what is saved, by hand, with pins, up to a node, and deploys nothing', async function () {
    if (isVersion1) this.skip();
    const { client, close } = clientOf(n8n.mcpToken);
    const { workflows, executions } = client;
    const named = (name: string, jsCode: string) => ({ ...code(jsCode), id: name, name });
    const hand = {
      ...code(''),
      id: 'h',
      name: 'Hand',
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      parameters: {},
    };
    const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
    const { id } = await workflows.create({
      name: `Draft ${randomUUID()}`,
      nodes: [
        hand,
        named('Work', 'return [{ json: { ran: true, got: $input.all().map(({ json }) => json) } }]'),
        named('More', "throw new Error('More ran.')"),
        { ...named('End', "throw new Error('End ran.')"), alwaysOutputData: true },
      ],
      connections: { Hand: to('Work'), Work: to('More'), More: to('End') },
      settings: { executionOrder: 'v1' },
    });
    const run = async (draft: DraftRequest) => {
      const { executionIds } = await workflows.executeDraft(id, draft);
      const executionId = executionIds[0] ?? '';
      for await (const { kind } of executions.follow(executionId, {}, AbortSignal.timeout(60_000)))
        if (kind === 'end') break;
      const { rows } = await executions.logs(executionId, {});
      const execution = await executions.getWithInput(executionId);
      return { execution, rows: rows.map(({ nodeId, isPinned, output }) => [nodeId, isPinned, output]) };
    };
    assert.deepEqual(await reasonOf(run({})), { kind: 'notStartable', because: 'notInMcp', by: 'n8n' });
    await workflows.allowMcp?.(id);
    const failed = await run({});
    assert.deepEqual(
      [failed.execution.kind, failed.execution.status.state, failed.execution.triggerNode],
      ['draft', 'failed', 'Hand'],
    );
    assert.match(failed.execution.error?.message ?? '', /More ran/);
    const upTo = await run({ until: 'Work', input: { a: 1 } });
    const gave = [{ ran: true, got: [{ a: 1 }] }];
    assert.deepEqual([upTo.execution.status.state, upTo.execution.output], ['completed', gave]);
    assert.deepEqual(upTo.rows.slice(0, 2), [
      ['Hand', false, [{ a: 1 }]],
      ['Work', false, gave],
    ]);
    const pinned = await run({
      pinned: { Work: [{ pinned: 1 }], More: { m: 1 }, End: [{ e: 1 }, { e: 2 }] },
    });
    assert.deepEqual(pinned.rows, [
      ['Hand', false, [{}]],
      ['Work', true, [{ pinned: 1 }]],
      ['More', true, [{ m: 1 }]],
      ['End', true, [{ e: 1 }, { e: 2 }]],
    ]);
    assert.equal((await workflows.get(id)).isDeployed, false);
    close();
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
