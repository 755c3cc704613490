// The samples are the first thing a newcomer runs; what they compute is checked, not only that they end.
import assert from 'node:assert/strict';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { importSamples } from '../../../src/service/samples.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, execute, follow, listAt, textAt } from '../calls.ts';

describe('The samples', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    await importSamples(service.store.workflows);
    await importSamples(service.store.workflows);
  });
  after(() => service.dispose());

  const nodesOf = async (id: string): Promise<readonly JsonObject[]> =>
    listAt((await call(service, 'GET', `/v1/workflows/${id}`)).body, 'nodes');

  /** Deploys the sample without its pauses and executes it with the given input, or with one of its own examples. */
  const run = async (name: string, input: number | JsonObject) => {
    const found = await call(service, 'GET', `/v1/workflows?search=${encodeURIComponent(name)}`);
    const id = textAt(found.body, 'data', 0, 'id');
    const nodes = (await nodesOf(id)).map((node) =>
      node['type'] === 'delay' ? { ...node, config: { milliseconds: 1 } } : node,
    );
    await call(service, 'PATCH', `/v1/workflows/${id}`, { nodes });
    const deployed = await call(service, 'POST', `/v1/workflows/${id}/deploy`);
    assert.equal(deployed.status, 200, deployed.text);
    const trigger = listAt(deployed.body, 'nodes').find((node) => node['type'] === 'trigger');
    const examples = listAt(trigger, 'config', 'inputSchema', 'examples');
    const chosen = typeof input === 'number' ? examples[input] : input;
    assert.ok(isJsonObject(chosen));
    const executionId = await execute(service, id, chosen);
    const rows = await follow(service, executionId);
    return { rows, result: (await call(service, 'GET', `/v1/executions/${executionId}/output`)).body };
  };

  it('are imported once, into an empty store only, not deployed', async () => {
    const { body } = await call(service, 'GET', '/v1/workflows');
    assert.deepEqual(
      listAt(body, 'data').map((workflow) => workflow['name']),
      ['Support triage', 'Order totals', 'Signup check'],
    );
  });

  it('take long enough to watch, and not too long', async () => {
    const { body } = await call(service, 'GET', '/v1/workflows');
    for (const workflow of listAt(body, 'data')) {
      const nodes = await nodesOf(textAt(workflow, 'id'));
      const pauses = nodes.flatMap((node) => at(node, 'config', 'milliseconds') ?? []);
      const example = at(nodes[0], 'config', 'inputSchema', 'examples', 0, 'lines');
      const turns = isJsonArray(example) ? example.length : 1;
      const total = pauses.reduce<number>((sum, pause) => sum + Number(pause), 0) * turns;
      assert.ok(total >= 5000 && total <= 8000, `${textAt(workflow, 'name')}: ${total} ms`);
    }
  });

  it('Support triage branches', async () => {
    const urgent = await run('Support triage', 0);
    const calm = await run('Support triage', 1);
    assert.deepEqual(urgent.result['output'], {
      email: 'ada@example.com',
      topic: 'incident',
      queue: 'on-call',
      answerWithinHours: 1,
    });
    assert.deepEqual(at(calm.result, 'output', 'queue'), 'help-desk');
    const skipped = urgent.rows.filter((row) => row['status'] === 'skipped').map((row) => row['nodeId']);
    assert.deepEqual(skipped, ['queue']);
  });

  it('Order totals loops and adds up', async () => {
    const one = { lines: [{ product: 'Mug', quantity: 2, price: 7.25 }] };
    const three = await run('Order totals', 0);
    const single = await run('Order totals', one);
    assert.deepEqual(three.result['output'], {
      lines: [
        { product: 'Notebook', total: 13.5 },
        { product: 'Pen', total: 12 },
        { product: 'Backpack', total: 59.9 },
      ],
      subtotal: 85.4,
      tax: 17.08,
      total: 102.48,
    });
    assert.deepEqual(single.result['output'], {
      lines: [{ product: 'Mug', total: 14.5 }],
      subtotal: 14.5,
      tax: 0,
      total: 14.5,
    });
    assert.ok(three.rows.some((row) => row['message'] === 'Line 2: 10 x Pen = 12'));
  });

  it('Signup check fails at a node on bad input, and passes good input', async () => {
    const bad = await run('Signup check', 0);
    const good = await run('Signup check', 1);
    assert.deepEqual(bad.result['error'], {
      code: 'node_failed',
      message: 'The signup was refused: "ada.example.com" is not a valid email address.',
      nodeId: 'refuse',
    });
    const refused = bad.rows.find((row) => row['nodeId'] === 'refuse' && row['status'] === 'running');
    assert.deepEqual(refused?.['input'], {
      email: 'ada.example.com',
      problems: ['"ada.example.com" is not a valid email address'],
    });
    assert.deepEqual(good.result['output'], { user: 'ada', name: 'Ada', isWelcome: true });
  });
});
