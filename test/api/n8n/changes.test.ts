// What changes workflows and executions of an n8n.
import assert from 'node:assert/strict';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';
import { placeRefusal } from '../../../src/api/n8n/refusals.ts';
import { isServiceError, ServiceError } from '../../../src/domain/errors.ts';
import { webhookPathOf } from '../../support/n8n/state.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';

const webhook = {
  id: 'n1',
  name: 'Input',
  type: 'n8n-nodes-base.webhook',
  webhookId: 'hook',
  parameters: { path: 'in', httpMethod: 'POST' },
  notes: 'kept',
};
const content = { name: 'Sorts', nodes: [webhook], connections: { Input: { main: [[]] } }, settings: {} };

describe('changes on an n8n', () => {
  let world: N8nWorld;
  const asked = () => world.n8n.requests.map(({ method, url }) => `${method} ${url.slice('/api/v1'.length)}`);
  const lastBody = () => {
    const body = parseJson(world.n8n.requests.at(-1)?.text ?? '');
    return isJsonObject(body) ? body : assert.fail();
  };

  const retries = () =>
    world.n8n.requests.filter(({ url }) => url.endsWith('/retry')).map(({ text }) => text);

  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  it('create a workflow of the four members that n8n takes', async () => {
    const { workflows } = world.client;
    const made = await workflows.create({ ...content, id: 'other', active: true, tags: [] });
    assert.deepEqual([made.name, made.isDeployed, made.hasDefinition], ['Sorts', false, true]);
    assert.deepEqual(lastBody(), content);
    const { settings: _, ...without } = content;
    await workflows.create(without);
    assert.deepEqual(lastBody(), content);
  });

  it('refuse a document of another service before any request, and say what n8n refuses', async () => {
    const { workflows } = world.client;
    const ours = { name: 'Ours', nodes: [{ id: 'a' }], edges: [] };
    for (const call of [workflows.import(ours), workflows.create(ours), workflows.create({ name: 'x' })])
      assert.deepEqual(await reasonOf(call), { kind: 'otherFormat', expected: 'n8n' });
    assert.equal(world.n8n.requests.length, 0);
    assert.equal(await kindOf(workflows.create({ ...content, name: ' ' })), 'invalid');
    const odd = workflows.create({ ...content, nodes: [{ ...webhook, x: 1 }] });
    await assert.rejects(
      odd,
      (error) =>
        isServiceError(error, 'invalid') &&
        error.message === 'n8n\'s API takes no "x" of a node. Edit this workflow in n8n itself.',
    );
  });

  it('shorten the name of a copy to what n8n takes', async () => {
    const { workflows } = world.client;
    const long = await workflows.import({ ...content, name: 'n'.repeat(125) });
    const copy = await workflows.duplicate(long.id, undefined);
    assert.equal(copy.name, `${'n'.repeat(121)} (copy)`);
  });

  it('import with the addresses that callers know, and duplicate with others, so that both can be deployed', async () => {
    const { client, n8n } = world;
    const imported = await client.workflows.import({ ...content, pinData: { Input: [{ json: { a: 1 } }] } });
    const copy = await client.workflows.duplicate(imported.id, undefined);
    assert.deepEqual([imported.name, copy.name], ['Sorts', 'Sorts (copy)']);
    for (const { id } of [imported, copy]) assert.equal((await client.workflows.deploy(id)).isDeployed, true);
    const workflows = [...n8n.workflows.values()];
    const nodes = workflows.flatMap((workflow) => workflow.nodes);
    assert.equal(nodes[0] && webhookPathOf(nodes[0]), 'in');
    assert.equal(new Set(nodes.map(webhookPathOf)).size, 2);
    assert.equal(new Set(nodes.map(({ webhookId }) => webhookId)).size, 2);
    assert.deepEqual(
      nodes.map(({ notes }) => notes),
      ['kept', 'kept'],
    );
    const pins = { Input: [{ json: { a: 1 } }] };
    assert.deepEqual(
      workflows.map(({ kept }) => kept['pinData']),
      [pins, pins],
    );
    const same = await client.workflows.create(content);
    const taken = {
      path: 'nodes.0.parameters.path',
      message: 'There is a conflict with one of the webhooks.',
    };
    const refusal = await reasonOf(client.workflows.deploy(same.id));
    assert.deepEqual(refusal, { kind: 'invalid', details: [taken], isAddressTaken: true });
  });

  it('are refused at the place that n8n names, or else as a whole', async () => {
    const { client, n8n } = world;
    const { workflows } = client;
    const detailsOf = async (call: Promise<unknown>) => {
      const reason = await reasonOf(call);
      return reason.kind === 'invalid' ? reason.details.map(({ path }) => path) : [reason.kind];
    };
    const odd = { ...content, nodes: [webhook, { name: 'Say', type: 'x.say', later: 1 }] };
    assert.deepEqual(await detailsOf(workflows.create(odd)), ['nodes.1.later']);
    const { id } = n8n.addWorkflow({ ...content, nodes: [{ name: 'Say', type: 'x.say' }] });
    assert.deepEqual(await detailsOf(workflows.deploy(id)), ['']);
    assert.deepEqual(await detailsOf(workflows.update(id, odd)), ['nodes.1.later']);
    assert.equal(await kindOf(workflows.deploy('missing')), 'notFound');
  });

  for (const [sentence, path] of [
    ['Node "Say" has no credentials', 'nodes.1.name'],
    ['Unrecognized node type: x.say', 'nodes.1.type'],
    ["Missing or invalid required parameters in 'Input'", 'nodes.0.name'],
    ['Say it again', ''],
  ] as const)
    it(`are placed by the sentence: ${sentence}`, () => {
      const error = new ServiceError({ kind: 'invalid', details: [] }, sentence, { status: 400 });
      const placed = placeRefusal(error, { nodes: [webhook, { name: 'Say', type: 'x.say' }] });
      assert.ok(isServiceError(placed));
      assert.deepEqual(placed.reason, { kind: 'invalid', details: [{ path, message: sentence }] });
    });

  it('are placed where n8n names faults of the structure, or the name', () => {
    const details = [
      { path: 'nodes[0].name', message: 'String must contain at least 1 character(s)' },
      {
        path: 'connections.a; b.c',
        message: 'Connection source "a; b.c" does not reference an existing node',
      },
    ];
    const faults = ['too_small', 'unknown_connection_source'].map(
      (kind, index) => `${details[index]?.path} (${kind}): ${details[index]?.message}`,
    );
    const name = 'Workflow name must be 1 to 128 characters long.';
    for (const [sentence, expected] of [
      [`Workflow structure is invalid. ${faults.join('; ')}`, details],
      [name, [{ path: 'name', message: name }]],
    ] as const) {
      const error = new ServiceError({ kind: 'invalid', details: [] }, sentence, { status: 400 });
      const placed = placeRefusal(error, content);
      assert.ok(isServiceError(placed));
      assert.deepEqual(placed.reason, { kind: 'invalid', details: expected });
    }
  });

  it('save what changed and keep the rest, unless somebody else changed it', async () => {
    const { client, n8n } = world;
    const { id } = n8n.addWorkflow({ ...content, settings: { timezone: 'UTC' }, staticData: { kept: 1 } });
    const read = await client.workflows.get(id);
    const seen = read.raw['updatedAt'] ?? assert.fail();
    const renamed = await client.workflows.update(id, { name: 'Sorts more', version: seen });
    assert.equal(renamed.name, 'Sorts more');
    assert.deepEqual(lastBody(), { ...content, name: 'Sorts more', settings: {} });
    assert.deepEqual(n8n.workflows.get(id)?.settings, { timezone: 'UTC' });
    assert.deepEqual(n8n.workflows.get(id)?.kept, { staticData: { kept: 1 } });
    // What executions change of it is no edit.
    assert.equal(renamed.raw['staticData'], undefined);
    const count = n8n.requests.length;
    assert.equal(await kindOf(client.workflows.update(id, { name: 'x', version: seen })), 'conflict');
    assert.equal(n8n.requests.length, count + 1);
  });

  for (const [savesAlone, title] of [
    [true, 'and deploy nothing'],
    [false, 'and put back what was deployed, where an older n8n deploys what it saves'],
  ] as const)
    it(`save ${title}`, async () => {
      const { client, n8n } = world;
      n8n.savesAlone = savesAlone;
      const { id } = await client.workflows.create(content);
      await client.workflows.deploy(id);
      // Somebody has begun an edit in n8n.
      const workflow = n8n.workflows.get(id) ?? assert.fail();
      const begun = [{ ...webhook, notes: 'half done' }];
      n8n.replace(workflow, { name: 'Sorts', nodes: begun, connections: {}, settings: {} }, false);
      const renamed = await client.workflows.update(id, { name: 'Renamed' });
      assert.deepEqual(
        [renamed.name, renamed.isDeployed, renamed.hasUndeployedChanges],
        ['Renamed', true, true],
      );
      await client.workflows.saveProgress(id);
      assert.deepEqual(workflow.activeContent['nodes'], [webhook]);
      assert.deepEqual([workflow.name, workflow.settings], ['Renamed', { saveExecutionProgress: true }]);
      await client.workflows.deploy(id);
      assert.deepEqual(workflow.activeContent['nodes'], begun);
    });

  it('send pins, groups and a description where they changed, and settings that changed alone', async () => {
    const { client, n8n } = world;
    const kept = { pinData: { Input: [{ json: { a: 1 } }] }, nodeGroups: [{ id: 'g' }], description: 'Old' };
    // A setting of n8n's own editor, which its API refuses.
    const settings = { timezone: 'UTC', engineType: 'v1' };
    const { id } = n8n.addWorkflow({ ...content, settings, ...kept });
    await client.workflows.update(id, { ...content, settings, ...kept, name: 'Same' });
    assert.deepEqual(lastBody(), { ...content, name: 'Same', settings: {} });
    const pinData = { Input: [{ json: { a: 2 } }] };
    const changed = { ...settings, timezone: 'Europe/Berlin' };
    const saved = await client.workflows.update(id, {
      settings: changed,
      pinData,
      nodeGroups: [],
      description: null,
    });
    assert.deepEqual(lastBody(), {
      ...content,
      name: 'Same',
      settings: { timezone: 'Europe/Berlin' },
      pinData,
      nodeGroups: [],
      description: '',
    });
    assert.deepEqual([saved.raw['pinData'], saved.raw['nodeGroups']], [pinData, []]);
    const odd = client.workflows.update(id, { settings: { ...changed, own: 1 } });
    assert.deepEqual(await reasonOf(odd), {
      kind: 'invalid',
      details: [{ path: 'settings.own', message: 'n8n\'s API takes no "own" here.' }],
    });
  });

  it('create without what this n8n refuses and can be done without', async () => {
    const { client, n8n } = world;
    const settings = { executionOrder: 'v1', engineType: 'v1', errorWorkflow: null, maxExecutions: 9 };
    const { id } = await client.workflows.import({ ...content, settings, description: 'What it is for' });
    const made = n8n.workflows.get(id);
    assert.deepEqual(made?.settings, { executionOrder: 'v1' });
    assert.equal(made.kept['description'], 'What it is for');
  });

  it('say by its node what must be edited in n8n itself', async () => {
    const { client, n8n } = world;
    const strange = { ...webhook, extendsCredential: 'x' };
    const { id } = n8n.addWorkflow({ ...content, nodes: [strange] });
    const message = 'n8n\'s API takes no "extendsCredential" of a node. Edit this workflow in n8n itself.';
    assert.deepEqual(await reasonOf(client.workflows.update(id, { name: 'x' })), {
      kind: 'invalid',
      details: [{ path: 'nodes.0.extendsCredential', message }],
    });
  });

  it('are refused for each node by itself where n8n names several', () => {
    const sentence =
      'Cannot publish workflow: 2 nodes have configuration issues:\n\nNode "Say":\n  - Missing required credential: a\n' +
      '  - Missing or invalid required parameters: b\n\nNode "Input":\n  - Missing required credential: c';
    const error = new ServiceError({ kind: 'invalid', details: [] }, sentence, { status: 400 });
    const placed = placeRefusal(error, { nodes: [webhook, { name: 'Say', type: 'x.say' }] });
    assert.ok(isServiceError(placed, 'invalid'));
    assert.deepEqual(placed.reason, {
      kind: 'invalid',
      details: [
        {
          path: 'nodes.1.name',
          message: 'Missing required credential: a; Missing or invalid required parameters: b',
        },
        { path: 'nodes.0.name', message: 'Missing required credential: c' },
      ],
    });
  });

  it('archive, and list what is archived last', async () => {
    const { client, n8n } = world;
    const first = n8n.addWorkflow({ ...content, name: 'First', tags: [{ id: 't', name: 'billing' }] });
    n8n.addWorkflow({ ...content, name: 'Second' });
    const archived = await client.workflows.archive?.(first.id);
    assert.deepEqual([archived?.isArchived, archived?.isDeployed], [true, false]);
    const all = await client.workflows.listWhole({ limit: 10, purpose: 'workflows' });
    assert.deepEqual(
      all.map(({ name, isArchived, tags }) => [name, isArchived, tags]),
      [
        ['Second', undefined, undefined],
        ['First', true, ['billing']],
      ],
    );
  });

  it('unarchive, and refuse before that what n8n refuses of one that is archived', async () => {
    const { client, n8n } = world;
    const { workflows } = client;
    const workflow = n8n.addWorkflow(content);
    n8n.archive(workflow);
    const { id: workflowId } = workflow;
    for (const call of [
      () => workflows.update(workflowId, { name: 'Other' }),
      () => workflows.deploy(workflowId),
      () => workflows.execute(workflowId, {}),
      () => workflows.saveProgress(workflowId),
    ])
      assert.deepEqual(await reasonOf(call()), { kind: 'archived', workflowId });
    const changes = asked().filter((each) => !each.startsWith('GET') && !each.endsWith('/activate'));
    assert.deepEqual(changes, []);
    assert.equal((await workflows.unarchive?.(workflowId))?.isArchived, undefined);
    // Somebody else was faster.
    assert.equal((await workflows.unarchive?.(workflowId))?.isDeployed, false);
    assert.equal((await workflows.deploy(workflowId)).isDeployed, true);
  });

  it('save what nobody here knows as it came, in nodes, connections and settings', async () => {
    const { client, n8n } = world;
    const agent = {
      id: 'n2',
      name: 'Agent',
      type: '@later/nodes.agent',
      typeVersion: 2.1,
      position: [1.5, -2],
      onError: 'continueErrorOutput',
      credentials: { later: { id: 'c1', name: 'Mine' } },
      customTelemetryTags: [{ key: 'team', value: 'orders' }],
      parameters: { later: { deep: [1, null, { x: [] }] }, expression: '={{ $json.later }}' },
    };
    const to = (node: string, type: string) => ({ node, type, index: 0 });
    const whole = {
      ...content,
      nodes: [webhook, agent],
      connections: { Input: { main: [null, [to('Agent', 'main')]], ai_later: [[to('Agent', 'ai_later')]] } },
      settings: { timezone: 'UTC', timeSavedPerExecution: 3 },
    };
    const { id } = n8n.addWorkflow(whole);
    const { nodes, connections, settings } = (await client.workflows.get(id)).raw;
    const changes = { name: 'Renamed', ...(nodes && { nodes }), ...(connections && { connections }) };
    await client.workflows.update(id, { ...changes, ...(settings && { settings }) });
    assert.deepEqual(lastBody(), { ...whole, name: 'Renamed', settings: {} });
    assert.deepEqual(n8n.workflows.get(id)?.settings, whole.settings);
    const copy = await client.workflows.duplicate(id, 'Copy');
    assert.deepEqual(n8n.workflows.get(copy.id)?.nodes[1], agent);
  });

  it('undeploy what is deleted, and wait until n8n has done so', async () => {
    const { client, n8n } = world;
    const { id } = await client.workflows.create(content);
    await client.workflows.deploy(id);
    const from = n8n.requests.length;
    await client.workflows.delete(id);
    assert.equal(n8n.workflows.size, 0);
    assert.deepEqual(asked().slice(from), [
      `DELETE /workflows/${id}`,
      `POST /workflows/${id}/deactivate`,
      `DELETE /workflows/${id}`,
      `DELETE /workflows/${id}`,
      `DELETE /workflows/${id}`,
    ]);
    assert.equal(await kindOf(client.workflows.delete(id)), 'notFound');
    const plain = await client.workflows.create(content);
    assert.equal((await client.workflows.undeploy(plain.id)).isDeployed, false);
    const stuck = n8n.addWorkflow(content);
    stuck.lag = Infinity;
    assert.equal(await kindOf(client.workflows.delete(stuck.id)), 'conflict');
  });

  it('cancel what runs, and say so of what has ended', async () => {
    const { client, n8n } = world;
    const execution = String(n8n.start(n8n.addWorkflow(content).id).id);
    assert.equal((await client.executions.cancel(execution)).status.state, 'cancelled');
    assert.deepEqual(await reasonOf(client.executions.cancel(execution)), {
      kind: 'notPossible',
      because: 'ended',
    });
    assert.equal(await kindOf(client.executions.cancel('99')), 'notFound');
  });

  it('retry what failed, and never what runs', async () => {
    const { client, n8n } = world;
    const { id } = n8n.start(n8n.addWorkflow(content).id);
    const retry = () => client.executions.retry(String(id), { definition: 'deployed' });
    assert.deepEqual(await reasonOf(retry()), { kind: 'notPossible', because: 'notEnded' });
    assert.equal(await kindOf(client.executions.retry(String(id), { fromNodeId: 'n1' })), 'notOffered');
    assert.equal(n8n.executions.size, 1);
    n8n.end(id, 'error');
    n8n.play = (execution) => n8n.end(execution.id, 'success');
    assert.deepEqual((await retry()).executionIds, ['2']);
    assert.deepEqual(retries(), ['{"loadWorkflow":true}']);
    const done = await client.executions.get('2');
    assert.deepEqual([done.retryOf, done.status.state], [String(id), 'completed']);
    assert.deepEqual(await reasonOf(client.executions.retry('2', {})), {
      kind: 'notPossible',
      because: 'completed',
    });
  });

  it('know of a retry while it runs, although n8n answers after its end, and send it once', async () => {
    const { client, n8n, waits } = world;
    const { id } = n8n.start(n8n.addWorkflow(content).id);
    n8n.end(id, 'error');
    const first = await client.executions.retry(String(id), {});
    assert.deepEqual([first.executionIds, first.status], [['2'], 'running']);
    assert.ok(waits.length > 0 && waits.every((delay) => delay >= 2000));
    // Another one isn't taken for it, though it's of the same execution.
    n8n.passOn = ({ url }, answer) =>
      url.endsWith('/retry') ? { status: 504, body: '<html>Gateway timeout</html>' } : answer;
    n8n.play = (execution) => n8n.end(execution.id, 'success');
    assert.deepEqual((await client.executions.retry(String(id), {})).executionIds, ['3']);
    // Nor is it lost where the answer can't be read.
    n8n.passOn = ({ url }, answer) =>
      url.endsWith('/retry') ? { status: 200, body: '{"id": 4, ', mediaType: 'application/json' } : answer;
    assert.deepEqual((await client.executions.retry(String(id), {})).executionIds, ['4']);
    assert.equal(retries().length, 3);
  });
});
