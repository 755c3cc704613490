// A draft execution runs a text that needn't be saved or deployed: whole, up to a node, or one node on what another execution recorded.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import {
  assertRefused,
  at,
  call,
  createDeployed,
  execute,
  follow,
  followUntil,
  keepDrafts,
  listAt,
  textAt,
} from '../calls.ts';
import type { Pruning } from '../../../src/service/store/prune.ts';
import { edge, end, start, tenPaths } from './callingDefinitions.ts';
import { useCallingService } from './callingService.ts';

describe('A draft execution', () => {
  const { server, service, ask, line, loop, get, askRetry } = useCallingService();

  const create = async (definition: JsonObject) =>
    textAt((await call(service, 'POST', '/v1/workflows', definition)).body, 'id');
  const askDraft = (workflowId: string, body?: JsonObject) =>
    call(service, 'POST', `/v1/workflows/${workflowId}/draft-executions`, body);

  async function draft(
    workflowId: string,
    body?: JsonObject,
  ): Promise<{ output: JsonValue | undefined; rows: readonly JsonObject[]; record: JsonObject }> {
    const answer = await askDraft(workflowId, body);
    assert.equal(answer.status, 202, answer.text);
    const executionId = textAt(answer.body, 'executionIds', 0);
    const rows = await follow(service, executionId);
    const { output } = (await call(service, 'GET', `/v1/executions/${executionId}/output`)).body;
    return { output, rows, record: await get(executionId) };
  }

  it('runs the saved definition without a deployment, and is marked as a draft', async () => {
    const workflowId = await create(line());
    const { output, record } = await draft(workflowId);
    assert.deepEqual(
      [output, record['kind'], record['basedOn'], record['retryOf']],
      ['/a/c', 'draft', null, null],
    );
    const kinds = async (kind: string) =>
      listAt(
        (await call(service, 'GET', `/v1/executions?workflowId=${workflowId}&kind=${kind}`)).body,
        'data',
      ).length;
    assert.deepEqual([await kinds('draft'), await kinds('deployed')], [1, 0]);
    assertRefused(await call(service, 'GET', '/v1/executions?kind=other'), 400, 'invalid_request');
    const { body: workflow } = await call(service, 'GET', `/v1/workflows/${workflowId}`);
    assert.equal(workflow['isDeployed'], false);
  });

  it('runs the text that comes with it, with its input, and changes nothing of the workflow', async () => {
    const workflowId = await create(line());
    const before = (await call(service, 'GET', `/v1/workflows/${workflowId}`)).body;
    const definition = { nodes: [start, end('input.word')], edges: [edge('start', 'end')] };
    const { output, record } = await draft(workflowId, { definition, input: { word: 'hello' } });
    assert.deepEqual([output, record['input']], ['hello', { word: 'hello' }]);
    assert.deepEqual((await call(service, 'GET', `/v1/workflows/${workflowId}`)).body, before);
  });

  it('does not call pinned nodes', async () => {
    const workflowId = await create(line());
    const pinned = { a: { body: { path: 'pinned' } }, b: null };
    const { output, rows } = await draft(workflowId, { pinned });
    assert.deepEqual([output, server.take()], ['pinned/c', { '/c': 1 }]);
    assert.deepEqual(
      rows.filter((row) => row['pinned'] === true).map(({ nodeId, output: value }) => [nodeId, value]),
      [
        ['a', pinned.a],
        ['b', null],
      ],
    );
  });

  it('runs up to a node, whose output is its own', async () => {
    const workflowId = await create(line());
    const { output, rows } = await draft(workflowId, { until: 'b' });
    assert.deepEqual([at(output, 'body', 'path'), server.take()], ['/b', { '/a': 1, '/b': 1 }]);
    assert.deepEqual([...new Set(rows.map(({ nodeId }) => nodeId))], ['start', 'a', 'b']);
    const looping = await create(loop());
    await draft(looping, { until: 'a' });
    assert.deepEqual(
      Object.keys(server.take()),
      tenPaths.map((path) => path.replace('b', 'a')),
    );
    const whole = await draft(looping, { until: 'each' });
    assert.deepEqual([whole.output, server.take()['/after']], [tenPaths, undefined]);
  });

  it('runs one node on what an execution recorded, in the iteration that is asked for', async () => {
    const workflowId = await createDeployed(service, loop());
    const basedOn = await execute(service, workflowId, { word: 'hello' });
    await follow(service, basedOn);
    server.take();
    const nodes = (loop()['nodes'] as readonly JsonObject[]).map((node) =>
      node['id'] === 'b'
        ? {
            id: 'b',
            type: 'transform',
            config: {
              expression: '{"item": item, "index": index, "path": nodes.a.body.path, "word": input.word}',
            },
          }
        : node,
    );
    const definition = { nodes, edges: loop()['edges'] ?? [] };
    const { output, rows, record } = await draft(workflowId, {
      definition,
      only: 'b',
      basedOn,
      iteration: [7],
    });
    assert.deepEqual(output, { item: 7, index: 7, path: '/a7', word: 'hello' });
    assert.deepEqual(
      [...new Set(rows.map(({ nodeId, iteration }) => JSON.stringify([nodeId, iteration])))],
      ['["b",[7]]'],
    );
    assert.deepEqual([server.take(), record['basedOn'], record['kind']], [{}, basedOn, 'draft']);
    // What isn't known is null, and what a node receives is its predecessor's output.
    const unknown = await draft(workflowId, { definition, only: 'b', basedOn, iteration: [99] });
    assert.deepEqual(at(unknown.output, 'item'), null);
    const after = await draft(workflowId, { only: 'after', basedOn });
    assert.deepEqual(after.rows[0]?.['input'], tenPaths);
  });

  it('runs one node on the nearest record that its source is based on', async () => {
    const make = (id: string, expression: string) => ({ id, type: 'transform', config: { expression } });
    const definition = (factor: number) => ({
      name: 'Three',
      nodes: [
        start,
        make('x', `input.n * ${factor}`),
        make('y', 'nodes.x + 1'),
        make('z', '[nodes.x, nodes.y]'),
      ],
      edges: [edge('start', 'x'), edge('x', 'y'), edge('y', 'z')],
    });
    const workflowId = await createDeployed(service, definition(1));
    const whole = await execute(service, workflowId, { n: 5 });
    await follow(service, whole);
    const step = async (body: JsonObject) => {
      const { output, record } = await draft(workflowId, { definition: definition(10), ...body });
      return { output, id: textAt(record, 'id') };
    };
    const x = await step({ only: 'x', basedOn: whole });
    const z = await step({ only: 'z', basedOn: x.id });
    const y = await step({ only: 'y', basedOn: z.id });
    const last = await step({ only: 'z', basedOn: y.id });
    assert.deepEqual([x.output, z.output, y.output, last.output], [50, [50, 6], 51, [50, 51]]);
    // What one of them has ends with what retention has deleted.
    const pruning = { before: null, draftsBefore: null, limit: 100 };
    await service.store.executions.prune({ ...pruning, keep: 0, keepDrafts });
    assert.equal((await get(whole))['status'], undefined);
    assert.deepEqual((await step({ only: 'z', basedOn: x.id })).output, [50]);
  });

  it('runs one node on pins and its input where there is no record', async () => {
    const definition = {
      name: 'Sum',
      nodes: [
        start,
        ask('a', '/a'),
        { id: 'sum', type: 'transform', config: { expression: 'nodes.a.n + input.n' } },
      ],
      edges: [edge('start', 'a'), edge('a', 'sum')],
    };
    const workflowId = await create(definition);
    const { output } = await draft(workflowId, { only: 'sum', pinned: { a: { n: 40 } }, input: { n: 2 } });
    assert.deepEqual([output, server.take()], [42, {}]);
  });

  it('is retried with its original options', async () => {
    const workflowId = await create(line());
    server.fail('/b');
    const failed = await draft(workflowId, { until: 'b', pinned: { a: 1 } });
    const answer = await askRetry(textAt(failed.record, 'id'));
    const retried = textAt(answer.body, 'executionIds', 0);
    await follow(service, retried);
    const record = await get(retried);
    assert.deepEqual([record['status'], record['kind'], server.take()], ['completed', 'draft', { '/b': 2 }]);
  });

  it('protects the records that it uses, directly or indirectly, from retention', async () => {
    const nodes = [start, { id: 'rest', type: 'delay', config: { milliseconds: 3_600_000 } }];
    const definition = { nodes, edges: [edge('start', 'rest')] };
    const workflowId = await create(line());
    const whole = textAt((await draft(workflowId, { until: 'start' })).record, 'id');
    const one = textAt((await draft(workflowId, { only: 'start', basedOn: whole })).record, 'id');
    const answer = await askDraft(workflowId, { definition, only: 'rest', basedOn: one });
    const waiting = textAt(answer.body, 'executionIds', 0);
    await followUntil(service, waiting, ({ status }) => status === 'waiting');
    const pruning = { before: null, draftsBefore: '9999', keep: 0, keepDrafts, limit: 100 };
    await service.store.executions.prune(pruning);
    const statuses = async () => [(await get(whole))['status'], (await get(one))['status']];
    assert.deepEqual(await statuses(), ['completed', 'completed']);
    await call(service, 'POST', `/v1/executions/${waiting}/cancel`);
    await service.store.executions.prune(pruning);
    assert.deepEqual(await statuses(), [undefined, undefined]);
  });

  it('is kept for a day', async () => {
    const workflowId = await create(line());
    const { record } = await draft(workflowId, { until: 'start' });
    const pruning = { before: null, keep: null, keepDrafts, limit: 100 };
    const completedAt = textAt(record, 'completedAt');
    await service.store.executions.prune({ ...pruning, draftsBefore: completedAt });
    assert.equal((await get(textAt(record, 'id')))['status'], 'completed');
    const later = new Date(Date.parse(completedAt) + 1).toISOString();
    await service.store.executions.prune({ ...pruning, draftsBefore: later });
    assert.equal((await get(textAt(record, 'id')))['status'], undefined);
  });

  it('has its pins stored once, however often it is retried', async () => {
    const workflowId = await create(line());
    const text = 'x'.repeat(100_000);
    server.fail('/b', 4);
    const first = textAt((await draft(workflowId, { pinned: { a: text } })).record, 'id');
    let id = first;
    for (let count = 0; count < 4; count += 1) {
      id = textAt((await askRetry(id)).body, 'executionIds', 0);
      await follow(service, id);
    }
    assert.deepEqual([(await get(id))['status'], server.take()], ['completed', { '/b': 5, '/c': 1 }]);
    const plan = (await service.store.records.getSource(id))?.plan;
    assert.deepEqual([plan?.pinned, plan?.pinnedIn], [{}, first]);
  });

  for (const id of ['__proto__', 'constructor', 'toString'])
    it(`runs no node "${id}" that is pinned, also when it's retried`, async () => {
      const definition = {
        name: 'Odd',
        nodes: [start, ask(id, '/odd'), ask('b', '/b')],
        edges: [edge('start', id), edge(id, 'b')],
      };
      const workflowId = await create(definition);
      server.fail('/b');
      const body = parseJson(`{"pinned":{"${id}":{"n":7}}}`);
      const failed = await draft(workflowId, isJsonObject(body) ? body : assert.fail());
      const retried = textAt((await askRetry(textAt(failed.record, 'id'))).body, 'executionIds', 0);
      await follow(service, retried);
      assert.deepEqual([(await get(retried))['status'], server.take()], ['completed', { '/b': 2 }]);
    });

  it('displaces no deployed execution, and is limited in number and bytes', async () => {
    const workflowId = await createDeployed(service, line());
    const deployed = await execute(service, workflowId, {});
    await follow(service, deployed);
    const drafts: string[] = [];
    const pinned = { a: 'x'.repeat(10_000) };
    for (let count = 0; count < 6; count += 1)
      drafts.push(textAt((await draft(workflowId, { until: 'start', pinned })).record, 'id'));
    const left = async (bounds: Pruning['keepDrafts']) => {
      await service.store.executions.prune({
        before: null,
        draftsBefore: null,
        keep: 1,
        keepDrafts: bounds,
        limit: 100,
      });
      assert.equal((await get(deployed))['status'], 'completed');
      const statuses = await Promise.all(drafts.map(async (id) => (await get(id))['status']));
      return drafts.filter((_id, index) => statuses[index] !== undefined);
    };
    assert.deepEqual(await left({ count: 6, bytes: 1_000_000 }), drafts);
    assert.deepEqual(await left({ count: 5, bytes: 1_000_000 }), drafts.slice(1));
    assert.deepEqual(await left({ count: 5, bytes: 25_000 }), drafts.slice(3));
  });

  it('is refused with a clear error before anything runs', async () => {
    const workflowId = await create(loop());
    const other = await create(line());
    const foreign = await draft(other, { until: 'start' });
    const basedOn = textAt(foreign.record, 'id');
    const refusals: readonly (readonly [JsonObject, string, string])[] = [
      [{ pinned: { nowhere: 1 } }, 'validation_failed', "pinned.nowhere isn't a node of the definition."],
      [{ pinned: { each: [] } }, 'validation_failed', "pinned.each is a for-each, which can't be pinned."],
      [{ until: 'nowhere' }, 'validation_failed', "until isn't a node of the definition."],
      [{ only: 'nowhere' }, 'validation_failed', "only isn't a node of the definition."],
      [{ only: 'a', until: 'b' }, 'validation_failed', 'until can\'t be given together with "only".'],
      [{ iteration: [1] }, 'validation_failed', 'iteration must come with "only".'],
      [
        { only: 'a', iteration: [1e300] },
        'validation_failed',
        'iteration.0 must be at most 9007199254740991.',
      ],
      [
        { only: 'a', iteration: [1, 2] },
        'validation_failed',
        'iteration must have one number for each loop around the node, of which there are 1.',
      ],
      [{ basedOn }, 'validation_failed', 'basedOn must be an execution of this workflow.'],
      [{ input: 1 }, 'validation_failed', 'input must be an object.'],
      [{ definition: { nodes: [], edges: [] } }, 'workflow_invalid', ''],
    ];
    for (const [body, code, message] of refusals) {
      const answer = await askDraft(workflowId, body);
      assertRefused(answer, 422, code);
      if (message !== '') assert.equal(at(answer.body, 'error', 'message'), message);
    }
    assertRefused(await askDraft(workflowId, { basedOn: 'exec_none' }), 404, 'execution_not_found');
    assertRefused(await askDraft('wf_none', {}), 404, 'workflow_not_found');
    const { body } = await call(service, 'GET', `/v1/executions?workflowId=${workflowId}`);
    assert.equal(listAt(body, 'data').length, 0);
  });
});
