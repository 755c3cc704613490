// Drafts of an n8n, which its MCP server executes: what is saved, deployed or not, from any trigger, with pins, up to a node.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { createN8nWorld, type N8nWorld, turnOf } from '../../support/n8n/world.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import type { DraftRequest } from '../../../src/protocol/requests.ts';

const node = (name: string, type: string, parameters: JsonObject = {}): JsonObject => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  webhookId: `hook-${name}`,
  parameters,
});
const hand = node('Hand', 'manualTrigger');
const hook = node('Hook', 'webhook', { path: 'users/:userId', httpMethod: 'POST' });
const nodes = [hand, hook, ...['Work', 'Side', 'End'].map((name) => node(name, 'code'))];
const to = (...names: readonly string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));
const connections = {
  Hand: { main: [to('Work')] },
  Hook: { main: [to('Work', 'Side')] },
  Work: { main: [to('End')] },
  Side: { main: [to('End'), to('Work')] },
};

describe('a draft of an n8n', () => {
  let world: N8nWorld;
  let client: ServicePort;

  beforeEach(async () => {
    world = await createN8nWorld();
    world.n8n.play = ({ id }) => world.n8n.end(id, 'success');
    client = world.connect({ mcpToken: recordedToken });
  });
  afterEach(() => world.dispose());

  const add = (content: JsonObject = {}): string =>
    world.n8n.addWorkflow({
      name: 'Orders',
      nodes,
      connections,
      settings: { availableInMCP: true },
      ...content,
    }).id;
  const execute = async (id: string, draft: DraftRequest, trigger?: string): Promise<string> => {
    const { executionIds } = await client.workflows.executeDraft(id, draft, { trigger });
    return executionIds[0] ?? assert.fail();
  };
  /** What was asked of the MCP server to start. */
  const starts = (): readonly JsonObject[] =>
    world.n8n.requests.flatMap(({ url, text }) => {
      const call = url.startsWith('/mcp-server/') ? parseJson(text) : undefined;
      const params = isJsonObject(call) ? call['params'] : undefined;
      return isJsonObject(params) && isJsonObject(params['arguments'])
        ? [{ tool: params['name'] ?? null, ...params['arguments'] }]
        : [];
    });

  it('is what is saved, begins by hand, and is told as one', async () => {
    const id = add();
    const execution = await client.executions.getWithInput(await execute(id, {}));
    assert.deepEqual([execution.kind, execution.triggerNode, execution.input], ['draft', 'Hand', {}]);
    assert.deepEqual(starts(), [
      { tool: 'execute_workflow', workflowId: id, executionMode: 'manual', triggerNodeName: 'Hand' },
    ]);
    assert.deepEqual(
      (await client.workflows.triggers?.(id, { isDraft: true }))?.map(({ kind, name }) => [kind, name]),
      [
        ['manual', 'Hand'],
        ['webhook', 'Hook'],
      ],
    );
  });

  it('gives its trigger the whole input, also what only a webhook is told', async () => {
    const input = { body: { total: 3 }, params: { userId: 'ada' } };
    const execution = await client.executions.getWithInput(await execute(add(), { input }, 'Hook'));
    assert.deepEqual([execution.triggerNode, execution.input], ['Hook', input]);
    const pinned = await client.executions.getWithInput(
      await execute(add(), { pinned: { Hand: { b: 2 } }, input }),
    );
    assert.deepEqual(pinned.input, { b: 2 });
    const byHand = await client.executions.getWithInput(await execute(add(), { input: { a: 1 } }));
    assert.deepEqual(byHand.input, { a: 1 });
  });

  it('has pins over those that are saved, and says which rows they gave', async () => {
    const id = add({ pinData: { Work: [{ json: { saved: 1 } }], Side: [{ json: { saved: 2 } }] } });
    world.n8n.play = ({ id: execution, startedAt }) => {
      const at = Date.parse(startedAt) + 1;
      world.n8n.ran(execution, 'Work', turnOf(at, 1, [{ pinned: 1 }], { previousNode: 'Hand' }));
      world.n8n.ran(execution, 'End', turnOf(at + 1, 2, [{ end: 1 }], { previousNode: 'Work' }));
      world.n8n.end(execution, 'success');
    };
    const execution = await execute(id, { pinned: { Work: [{ pinned: 1 }], End: { json: { whole: 1 } } } });
    const [start, ...others] = starts();
    assert.deepEqual([start?.['tool'], others], ['test_workflow', []]);
    assert.deepEqual(start?.['pinData'], {
      Work: [{ json: { pinned: 1 } }],
      Side: [{ json: { saved: 2 } }],
      End: [{ json: { whole: 1 } }],
      Hand: [{ json: {} }],
    });
    const { rows } = await client.executions.logs(execution, {});
    assert.deepEqual(
      rows.map(({ nodeId, isPinned }) => [nodeId, isPinned]),
      [
        ['Hand', false],
        ['Work', true],
        ['End', true],
      ],
    );
  });

  it('ends at a node: nothing runs that does not lead there', async () => {
    const id = add();
    world.n8n.play = ({ id: execution, startedAt }) => {
      const at = Date.parse(startedAt) + 1;
      world.n8n.ran(execution, 'Work', turnOf(at, 1, [{ done: 1 }], { previousNode: 'Hand' }));
      world.n8n.ran(execution, 'End', turnOf(at + 1, 2, [], { previousNode: 'Work' }));
      world.n8n.end(execution, 'success');
    };
    const execution = await execute(id, { until: 'Work' });
    const pinsOf = () => starts().map((start) => start['pinData']);
    assert.deepEqual(pinsOf(), [{ End: [], Hand: [{ json: {} }] }]);
    const output = await client.executions.output(execution);
    assert.deepEqual(output.kind === 'ready' && output.output, [{ done: 1 }]);
    await execute(id, { until: 'Side' });
    // Only the webhook leads there.
    const received = { headers: {}, params: {}, query: {}, body: {} };
    assert.deepEqual(pinsOf()[1], { Hand: [], Work: [], End: [], Hook: [{ json: received }] });
  });

  it('ends at a node that serves another one with that one', async () => {
    const served = {
      nodes: [...nodes, node('Agent', 'agent'), node('Model', 'model'), node('Prompt', 'set')],
      connections: {
        Hand: { main: [to('Prompt', 'Work')] },
        Prompt: { main: [to('Agent')] },
        Model: { ai_languageModel: [to('Agent')] },
        Agent: { main: [to('End')] },
      },
    };
    await execute(add(served), { until: 'Model' });
    assert.deepEqual(
      starts().map((start) => start['pinData']),
      [{ Hook: [], Work: [], Side: [], End: [], Hand: [{ json: {} }] }],
    );
  });

  it('is known while it runs, and after its answer was lost', async () => {
    const { n8n } = world;
    n8n.play = () => undefined;
    const running = await execute(add(), { pinned: { Work: [{}] } });
    assert.equal((await client.executions.get(running)).status.isTerminal, false);
    n8n.play = ({ id }) => n8n.end(id, 'success');
    n8n.passOn = ({ text }, answer) =>
      text.includes('test_workflow') ? { status: 503, body: { message: 'Busy' } } : answer;
    const lost = await execute(add(), { pinned: { Work: [{}] } });
    assert.deepEqual([n8n.executions.size, lost === running], [2, false]);
  });

  it('is not taken for another one that was started meanwhile', async () => {
    const { n8n } = world;
    const id = add();
    n8n.play = () => n8n.start(id, { mode: 'manual' });
    let lists = 0;
    n8n.passOn = ({ url }, answer) => {
      if (url.startsWith('/api/v1/executions?') && ++lists > 6) n8n.end(1, 'success');
      return answer;
    };
    assert.equal(await execute(id, { pinned: { Work: [{}] } }), '1');
  });

  it('is refused in words before anything runs where n8n cannot execute it so', async () => {
    const id = add();
    const refused = (draft: DraftRequest) => reasonOf(client.workflows.executeDraft(id, draft));
    assert.deepEqual(await refused({ definition: { nodes: [], connections: {} } }), {
      kind: 'notStartable',
      because: 'unsaved',
      by: 'n8n',
    });
    for (const pinned of [{ Work: ['text'] }, { Work: 7 }, { Side: [{ a: 1 }] }])
      assert.deepEqual(await refused({ pinned }), {
        kind: 'notStartable',
        because: 'notPinnable',
        by: 'n8n',
        names: Object.keys(pinned),
      });
    for (const draft of [{ only: 'Work' }, { basedOn: '1' }, { answers: { Work: [{ status: 200 }] } }])
      assert.equal(await kindOf(client.workflows.executeDraft(id, draft)), 'notOffered');
    assert.equal(await kindOf(world.client.workflows.executeDraft(id, {})), 'notOffered');
    const closed = add({ settings: {} });
    assert.deepEqual(await reasonOf(client.workflows.executeDraft(closed, {})), {
      kind: 'notStartable',
      because: 'notInMcp',
      by: 'n8n',
    });
    await client.workflows.allowMcp?.(closed);
    assert.deepEqual(world.n8n.workflows.get(closed)?.settings, { availableInMCP: true });
    await execute(closed, {});
    assert.equal(world.n8n.executions.size, 1);
  });

  it('takes the definition that is saved', async () => {
    const id = add();
    const { raw } = await client.workflows.get(id);
    await execute(id, { definition: raw });
    // As a text has it that was read before its MCP server was let execute it.
    await execute(id, { definition: { ...raw, settings: {} } });
    assert.equal(world.n8n.executions.size, 2);
    const definition = { ...raw, settings: { timezone: 'UTC' } };
    assert.equal(await kindOf(client.workflows.executeDraft(id, { definition })), 'notStartable');
  });

  it('is what a workflow executes that only starts by hand, and is told without a token', async () => {
    const id = add({ nodes: [hand] });
    const { executionIds } = await client.workflows.execute(id, {});
    assert.equal((await client.executions.get(executionIds[0] ?? '')).kind, 'draft');
    assert.deepEqual(await reasonOf(world.client.workflows.execute(id, {})), {
      kind: 'notStartable',
      because: 'byHandOnly',
      by: 'n8n',
    });
  });
});
