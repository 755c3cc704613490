import assert from 'node:assert/strict';
import type { FollowItem } from '../../../src/api/servicePort.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { createN8nWorld, type N8nWorld, turnOf } from '../../support/n8n/world.ts';
import { kindOf } from '../../support/reasons.ts';

const node = (name: string, type: string) => ({ id: name, name, type, parameters: {} });
const content = {
  name: 'Sorts',
  nodes: [node('Input', 'n8n-nodes-base.webhook'), node('Loop', 'n8n-nodes-base.splitInBatches')],
  connections: {},
  settings: {},
};
const received = {
  headers: { authorization: 'Bearer of the caller' },
  params: {},
  query: {},
  body: { input: { message: 'hi' } },
};

describe('executions of an n8n', () => {
  let world: N8nWorld;
  const add = (settings: JsonObject = {}) => world.n8n.addWorkflow({ ...content, settings }).id;
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join();

  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  it('are listed newest first with the running ones, page by page', async () => {
    const { client, n8n } = world;
    const [first, second] = [add(), add()];
    for (let count = 0; count < 6; count += 1) n8n.start(count < 3 ? first : second);
    for (const id of [1, 2, 4, 5]) n8n.end(id, id === 4 ? 'error' : 'success');
    const page = await client.executions.list({ limit: 2 });
    assert.equal(idsOf(page.items), '6,5,4,3');
    const rest = await client.executions.list({ limit: 2, cursor: page.nextCursor ?? assert.fail() });
    assert.deepEqual([idsOf(rest.items), rest.nextCursor], ['2,1', null]);
    const ofFirst = await client.executions.listWhole(
      { workflowId: first },
      { limit: 10, purpose: 'executions' },
    );
    assert.equal(idsOf(ofFirst), '3,2,1');
    assert.equal(idsOf((await client.executions.list({ status: 'failed' })).items), '4');
    assert.equal(idsOf((await client.executions.list({ status: 'running' })).items), '6,3');
    n8n.end(6, 'crashed');
    assert.equal(idsOf((await client.executions.list({ status: 'failed' })).items), '6,4');
    assert.deepEqual((await client.executions.list({ eventId: 'e' })).items, []);
  });

  it('are read whole newest first, however many crashed long ago', async () => {
    const { client, n8n } = world;
    const workflowId = add();
    for (let count = 0; count < 105; count += 1) n8n.end(n8n.start(workflowId).id, 'crashed');
    for (let count = 0; count < 130; count += 1) n8n.end(n8n.start(workflowId).id, 'error');
    const read = { limit: 120, purpose: 'executions' } as const;
    const failed = await client.executions.listWhole({ status: 'failed' }, read);
    const newest = Array.from({ length: 120 }, (_, at) => ({ id: String(235 - at) }));
    assert.equal(idsOf(failed), idsOf(newest));
  });

  it('tell the document that ran, whatever it is now, with no request where its rows were read', async () => {
    const { client, n8n } = world;
    const workflowId = add({ executionOrder: 'v1' });
    const { id } = n8n.start(workflowId);
    n8n.end(id, 'success');
    const ran = { ...content, settings: { executionOrder: 'v1' } };
    await client.workflows.update(workflowId, { nodes: [node('Other', 'n8n-nodes-base.webhook')] });
    assert.deepEqual(await client.executions.definition(String(id)), ran);
    const read = n8n.requests.length;
    assert.deepEqual(await client.executions.definition(String(id)), ran);
    await client.executions.logs(String(id), {});
    assert.equal(n8n.requests.length, read + 1);
    assert.equal(await kindOf(client.executions.definition('99')), 'notFound');
  });

  it('tell the document in their record, with what n8n filled in, where n8n has no such version', async () => {
    const { client, n8n } = world;
    const workflowId = add();
    const [gone, own] = [
      n8n.start(workflowId),
      n8n.start(workflowId, { own: { ...content, nodes: [node('Own', 'n8n-nodes-base.set')] } }),
    ];
    n8n.workflows.get(workflowId)?.versions.clear();
    const namesOf = async ({ id }: { readonly id: number }) => {
      const { nodes = [] } = await client.executions.definition(String(id));
      return JSON.stringify(nodes).match(/"(name|options)":("\w+"|{})/g);
    };
    assert.deepEqual(await namesOf(gone), [
      '"name":"Input"',
      '"options":{}',
      '"name":"Loop"',
      '"options":{}',
    ]);
    assert.deepEqual(await namesOf(own), ['"name":"Own"']);
  });

  it('say which execution started them, and have their data read for that only once', async () => {
    const { client, n8n } = world;
    const workflowId = add();
    const parent = n8n.start(workflowId);
    const { id } = n8n.start(workflowId, { mode: 'integrated', parent: parent.id });
    const read = async () => {
      n8n.requests.splice(0);
      const { parent: told, raw } = await client.executions.get(String(id));
      return [told, raw['parentExecution'], n8n.requests.length];
    };
    const reference = { executionId: String(parent.id), workflowId };
    assert.deepEqual(await read(), [String(parent.id), reference, 2]);
    assert.deepEqual(await read(), [String(parent.id), reference, 1]);
  });

  it('have statuses in our words', async () => {
    const { client, n8n } = world;
    const workflowId = add();
    for (const [word, state, isTerminal] of [
      ['new', 'queued', false],
      ['waiting', 'waiting', false],
      ['success', 'completed', true],
      ['error', 'failed', true],
      ['crashed', 'failed', true],
      ['canceled', 'cancelled', true],
    ] as const) {
      const execution = n8n.start(workflowId);
      execution.status = word;
      const { status } = await client.executions.get(String(execution.id));
      assert.deepEqual([status.word, status.state, status.isTerminal], [word, state, isTerminal]);
    }
  });

  it('have input, output and rows in order of their turns', async () => {
    const { client, n8n } = world;
    const { id } = n8n.start(add());
    assert.equal((await client.executions.output(String(id))).kind, 'notReady');
    n8n.ran(id, 'Input', turnOf(1_795_189_400_000, 0, [received]));
    n8n.ran(id, 'Loop', turnOf(1_795_189_400_100, 1, [{ at: 1 }], { previousNode: 'Input' }));
    n8n.ran(id, 'Work', turnOf(1_795_189_400_200, 2, [{ done: 1 }], { previousNode: 'Loop' }));
    const again = { previousNode: 'Work', previousNodeRun: 0 };
    n8n.ran(id, 'Loop', turnOf(1_795_189_400_200, 3, [{ at: 2 }], again));
    n8n.ran(
      id,
      'End',
      turnOf(1_795_189_400_300, 4, [{ all: 2 }], { previousNode: 'Loop', previousNodeRun: 1 }),
    );
    n8n.end(id, 'success');
    const { rows, isWhole } = await client.executions.logs(String(id), {});
    assert.ok(isWhole);
    assert.deepEqual(
      rows.map(({ key, iteration, input, output }) => [key, iteration, input, output]),
      [
        ['Input#0', [], undefined, [{ params: {}, query: {}, body: { input: { message: 'hi' } } }]],
        ['Loop#0', [0], rows[0]?.output, [{ at: 1 }]],
        ['Work#0', [], [{ at: 1 }], [{ done: 1 }]],
        ['Loop#1', [1], [{ done: 1 }], [{ at: 2 }]],
        ['End#0', [], [{ at: 2 }], [{ all: 2 }]],
      ],
    );
    const [row] = rows;
    assert.deepEqual(
      [row?.nodeType, row?.status?.state, row?.durationMs, row?.completedAt?.getTime()],
      ['n8n-nodes-base.webhook', 'completed', 10, 1_795_189_400_010],
    );
    assert.deepEqual(await client.executions.output(String(id)), {
      kind: 'ready',
      output: [{ all: 2 }],
      error: null,
    });
    const whole = await client.executions.getWithInput(String(id));
    assert.deepEqual([whole.input, whole.triggerNode], [{ input: { message: 'hi' } }, 'Input']);
    assert.doesNotMatch(JSON.stringify([whole, rows]), /token-of-the-wait|Bearer of the caller/);
    assert.deepEqual(await client.executions.getNodeLog(String(id), 'Work#0'), rows[2]);
    assert.equal(await kindOf(client.executions.getNodeLog(String(id), 'Work#9')), 'notFound');
  });

  it('tell the error of a node without its stack', async () => {
    const { client, n8n } = world;
    const { id } = n8n.start(add());
    const error = { name: 'NodeOperationError', message: 'input.message is\n required', stack: 'at secret' };
    n8n.ran(id, 'Input', turnOf(1000, 0, [received]));
    n8n.ran(id, 'Classify', {
      startTime: 2000,
      executionIndex: 1,
      executionTime: 72,
      executionStatus: 'error',
      source: [{ previousNode: 'Input' }],
      error,
    });
    n8n.end(id, 'error', error);
    const { rows } = await client.executions.logs(String(id), {});
    const told = { code: 'NodeOperationError', message: 'input.message is required', nodeId: 'Classify' };
    assert.deepEqual([rows[1]?.level, rows[1]?.error, rows[1]?.output], ['error', told, undefined]);
    const output = await client.executions.output(String(id));
    assert.deepEqual(output, { kind: 'ready', output: null, error: told });
    assert.doesNotMatch(JSON.stringify([output, rows]), /at secret/);
  });

  it('of which n8n tells nonsense lose only that', async () => {
    const { client, n8n } = world;
    const { id } = n8n.start(add());
    n8n.ran(id, 'Input', turnOf(1000, 0, [{ a: 1 }]));
    n8n.ran(id, 'Input', { startTime: 'soon', executionIndex: -1 });
    n8n.ran(id, 'Odd', { startTime: 2000, source: 7, data: 7, error: 'no', executionTime: null });
    n8n.end(id, 'success');
    const { rows } = await client.executions.logs(String(id), {});
    assert.deepEqual(
      rows.map(({ key, status, input, output }) => [key, status?.state, input, output]),
      [
        ['Input#0', 'completed', undefined, [{ a: 1 }]],
        ['Odd#0', 'unknown', undefined, undefined],
      ],
    );
  });

  it('are read in time however often a loop turned, and give a node with several inputs each', async () => {
    const { client, n8n } = world;
    const { id } = n8n.start(add());
    for (let index = 0; index < 10_000; index += 1)
      n8n.ran(
        id,
        'Loop',
        turnOf(index, index, [{ index }], { previousNode: 'Loop', previousNodeRun: index - 1 }),
      );
    const source = [{ previousNode: 'Loop' }, { previousNode: 'Loop', previousNodeRun: 2 }, null];
    n8n.ran(id, 'Merge', { ...turnOf(20_000, 0, []), source });
    n8n.end(id, 'success');
    const { rows } = await client.executions.logs(String(id), {});
    assert.equal(rows.length, 10_001);
    assert.deepEqual([rows[9999]?.iteration, rows[9999]?.input], [[9999], [{ index: 9998 }]]);
    assert.deepEqual(rows[10_000]?.input, [[{ index: 0 }], [{ index: 2 }]]);
  });

  describe('followed', () => {
    /** Follows to the end, and takes a step after each item. */
    async function follow(
      id: number,
      step: (item: FollowItem, count: number) => void,
    ): Promise<readonly FollowItem[]> {
      const items: FollowItem[] = [];
      for await (const item of world.client.executions.follow(String(id), {}, new AbortController().signal)) {
        items.push(item);
        step(item, items.length);
      }
      return items;
    }
    const shown = (items: readonly FollowItem[]): string =>
      items
        .map((item) => (item.kind === 'logs' ? item.logs.map(({ key }) => key).join('+') : item.kind))
        .join(' ');

    it('tell their rows live where they save their progress', async () => {
      const { n8n, waits } = world;
      const { id } = n8n.start(add({ saveExecutionProgress: true }));
      const items = await follow(id, (_item, count) => {
        if (count === 1) n8n.ran(id, 'Input', turnOf(1000, 0, [received]));
        if (count === 2) n8n.ran(id, 'Loop', turnOf(2000, 1, [{ at: 1 }], { previousNode: 'Input' }));
        if (count === 3) n8n.end(id, 'success');
      });
      assert.equal(shown(items), 'open Input#0 Input#0+Loop#0 end');
      assert.ok(waits.length > 0 && waits.every((delay) => delay >= 2000));
      assert.ok(n8n.requests.every(({ url }) => url === `/api/v1/executions/${id}?includeData=true`));
    });

    it('tell all rows at the end where they do not', async () => {
      const { n8n } = world;
      const { id } = n8n.start(add());
      n8n.ran(id, 'Input', turnOf(1000, 0, [received]));
      const items = await follow(id, ({ kind }) => {
        if (kind === 'open') n8n.end(id, 'canceled');
      });
      assert.equal(shown(items), 'open Input#0 end');
      const last = items.at(-1);
      assert.equal(last?.kind === 'end' && last.status.state, 'cancelled');
    });

    it('end without a record where n8n keeps none, and are not found where there was none', async () => {
      const { n8n } = world;
      const { id } = n8n.start(add({ saveDataSuccessExecution: 'none' }));
      const items = await follow(id, ({ kind }) => {
        if (kind === 'open') n8n.end(id, 'success');
      });
      assert.equal(shown(items), 'open end');
      const last = items.at(-1);
      assert.ok(last?.kind === 'end' && last.status.isTerminal && last.status.notKeptBy !== undefined);
      assert.equal(await kindOf(follow(99, () => undefined)), 'notFound');
    });
  });
});
