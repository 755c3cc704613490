// Tests of workflows run on the real service as drafts, each once, and what can't hold sends nothing.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { JsonObject } from '../../src/base/json.ts';
import { WorkflowCoverage } from '../../src/workflowTests/coverage.ts';
import { HandClock } from '../support/memory/ports.ts';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type EndedTest, runAll, testPortsOf } from '../support/testRuns.ts';

const orders: JsonObject = {
  name: 'Orders',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'isLarge', type: 'condition', config: { expression: 'input.total > 100' } },
    { id: 'large', type: 'transform', config: { expression: '{ "size": "large", "total": input.total }' } },
    { id: 'small', type: 'transform', config: { expression: '{ "size": "small", "at": $now() }' } },
    { id: 'check', type: 'fail', config: { message: 'No {{ input.total }}.' } },
    { id: 'each', type: 'forEach', config: { items: 'input.items' } },
    { id: 'item', type: 'transform', config: { expression: 'item * 2' } },
    {
      id: 'end',
      type: 'output',
      config: { expression: 'nodes.large.size = "large" ? nodes.large : nodes.small' },
    },
  ],
  edges: [
    { source: 'start', target: 'isLarge' },
    { source: 'isLarge', target: 'large', branch: 'true' },
    { source: 'isLarge', target: 'small', branch: 'false' },
    { source: 'large', target: 'each' },
    { source: 'small', target: 'each' },
    { source: 'each', target: 'item', branch: 'each' },
    { source: 'each', target: 'end', branch: 'done' },
  ],
};

const LogRow = v.looseObject({
  nodeId: v.nullish(v.string()),
  status: v.nullish(v.string()),
  pinned: v.optional(v.boolean()),
});

const large = { total: 200, items: [1, 2, 3] };
const largeTest = {
  name: 'large',
  input: large,
  expected: { status: 'completed', output: { size: 'large', total: 200 } },
};

describe('tests of workflows', () => {
  let service: TestService;
  let model: ServiceModel;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 1000 });
    model = await createServiceModel(service);
    await model.actions.import(model.connectionId, {
      ...orders,
      nodes: (Array.isArray(orders['nodes']) ? orders['nodes'] : []).filter(
        ({ id }: JsonObject) => id !== 'check',
      ),
    });
  });
  afterEach(async () => {
    model.dispose();
    await service.dispose();
  });

  const outcomes = (ended: readonly EndedTest[]) =>
    Object.fromEntries(ended.map(({ name, outcome, message }) => [name, message ?? outcome]));
  const listAll = () =>
    model.executions.listWhole(model.connectionId, {}, { limit: 100, signal: AbortSignal.timeout(5000) });
  const executions = async () => (await listAll()).length;

  it('are judged by how the execution ended, also where its record was not read after its end', async () => {
    const { executions } = model;
    const ports = testPortsOf(model, {
      executions: {
        find: () => undefined,
        keepLogs: (target) => executions.keepLogs(target),
        output: (...read) => executions.output(...read),
        read: (...read) => executions.read(...read),
        readWholeValues: (...read) => executions.readWholeValues(...read),
      },
    });
    const tests = [{ name: 'fails', input: { items: 'x', total: { a: 1 } }, expected: { status: 'failed' } }];
    assert.deepEqual(outcomes(await runAll(model, 'Orders', tests, ports)), { fails: 'passed' });
  });

  it('pass and fail by what the draft gives, each row by itself', async () => {
    const ended = await runAll(model, 'Orders', [
      {
        name: 'large',
        input: large,
        expected: {
          status: 'completed',
          output: { size: 'large', total: 200 },
          nodes: { item: { runs: 3, output: 6 }, small: { runs: 0 }, isLarge: { status: 'completed' } },
        },
      },
      {
        name: 'time',
        input: { items: [] },
        ignore: ['output.at'],
        expected: { status: 'completed', output: { size: 'small', at: '' } },
      },
      {
        name: 'pin',
        input: { items: [] },
        pinned: { isLarge: true },
        expected: { status: 'completed', output: { size: { $match: '^la' } } },
        match: 'partial',
      },
      {
        name: 'each',
        each: [
          { name: 'one', input: { total: 101, items: [] } },
          { name: 'two', input: { total: 100, items: [] } },
        ],
        match: 'partial',
        expected: { status: 'completed', output: { size: 'large' } },
      },
      { name: 'fails', input: { items: 'x', total: { a: 1 } }, expected: { status: 'failed' } },
    ]);
    assert.deepEqual(outcomes(ended), {
      large: 'passed',
      time: 'passed',
      pin: 'passed',
      'each / one': 'passed',
      'each / two': 'output.size: "large" is expected, but "small" came.',
      fails: 'passed',
    });
    assert.equal(await executions(), 6);
  });

  it('cover the nodes that ran and the branches that were taken, a pinned node not', async () => {
    const [ended] = await runAll(model, 'Orders', [
      { name: 'large', input: large, pinned: { isLarge: true }, expected: { status: 'completed' } },
    ]);
    assert.ok(ended?.planned && ended.nodeRuns);
    const coverage = new WorkflowCoverage(ended.planned.workflow.text);
    coverage.add(ended.nodeRuns);
    coverage.add(ended.nodeRuns);
    const nodes = coverage.nodes.map(({ nodeId, count, branches }) => [
      nodeId,
      count,
      ...branches.map(({ branch, count: taken }) => `${branch} ${taken}`),
    ]);
    assert.deepEqual(nodes, [
      ['start', 2],
      ['isLarge', 0, 'true 2', 'false 0'],
      ['large', 2],
      ['small', 0],
      ['each', 2, 'each 6', 'done 2'],
      ['item', 6],
      ['end', 2],
    ]);
    // The log has a row for the end of each node run.
    const response = await service.app.request(
      `/v1/executions/${ended.execution?.executionId ?? ''}/logs?limit=100`,
      { headers: { Authorization: `Bearer ${service.key}` } },
    );
    const { data } = v.parse(v.object({ data: v.array(LogRow) }), await response.json());
    const ran = data.filter(({ status, pinned }) => status === 'completed' && pinned !== true);
    for (const { nodeId, count } of coverage.nodes)
      assert.equal(count, 2 * ran.filter((row) => row.nodeId === nodeId).length, nodeId);
  });

  it('send nothing where something is wrong, and say what', async () => {
    const expected = { status: 'completed' };
    const stale = await runAll(model, 'Orders', [
      { name: 'pin', pinned: { gone: 1 }, expected },
      { name: 'answer', answers: { large: [{ status: 200 }] }, expected },
      { name: 'node', expected: { ...expected, nodes: { gone: {} } } },
      { name: 'preset', preset: 'none', expected },
      { name: 'none' },
    ]);
    assert.deepEqual(outcomes(stale), {
      pin: 'The workflow has no node "gone".',
      answer: 'The node "large" sends no requests, so it can\'t get answers.',
      node: 'The workflow has no node "gone".',
      preset: 'No preset is named "none".',
      none: '"expected" is missing.',
    });
    await model.actions.import(model.connectionId, { ...orders, name: 'Twice' });
    await model.actions.import(model.connectionId, { ...orders, name: 'Twice' });
    const one = { name: 'test', expected };
    const words = async (workflow: string) => (await runAll(model, workflow, [one]))[0]?.message;
    assert.equal(await words('Twice'), 'Several workflows are named "Twice". Use the ID of one of them.');
    assert.equal(await words('Other'), 'No workflow has the name or ID "Other".');
    assert.equal(await words('./other.workflow.json'), 'There\'s no file "./other.workflow.json".');
    assert.equal(await executions(), 0);
  });

  it('test the text in the editor, and a file as a draft of the workflow with its name', async () => {
    const answer = (value: string) =>
      JSON.stringify({
        name: 'Orders',
        nodes: [
          { id: 'start', type: 'trigger', config: {} },
          { id: 'end', type: 'output', config: { expression: `"${value}"` } },
        ],
        edges: [{ source: 'start', target: 'end' }],
      });
    const ports = testPortsOf(model, {
      openText: () => answer('editor'),
      readFile: (_from, path) => Promise.resolve(path === './a.workflow.json' ? answer('file') : undefined),
      readPreset: () => Promise.resolve('{"a": 1}'),
    });
    const testOf = (output: JsonObject | string) => [
      { name: 'it', preset: 'some', expected: { status: 'completed', output } },
    ];
    const [editor] = await runAll(model, 'Orders', testOf('editor'), ports);
    const [file] = await runAll(model, './a.workflow.json', testOf('file'), ports);
    assert.deepEqual([editor?.outcome, file?.outcome], ['passed', 'passed']);
  });

  it('take their time for what an execution did once it has ended', async () => {
    const clock = new HandClock();
    const { executions, following } = model;
    const late = async (): Promise<void> => clock.advance(1001);
    const test = { ...largeTest, timeoutMs: 1000 };
    const reading = testPortsOf(model, {
      clock,
      executions: {
        find: (target) => executions.find(target),
        keepLogs: (target) => executions.keepLogs(target),
        output: async (...read) => {
          await late();
          return executions.output(...read);
        },
        read: (...read) => executions.read(...read),
        readWholeValues: (...read) => executions.readWholeValues(...read),
      },
    });
    const ending = testPortsOf(model, {
      clock,
      following: {
        follow: (target, by) => {
          const follow = following.follow(target, by);
          const done = follow.done.then(async (state) => {
            await late();
            return state;
          });
          return { by: follow.by, target, done, state: follow.state, leave: () => follow.leave() };
        },
      },
    });
    const [slowlyRead] = await runAll(model, 'Orders', [test], reading);
    const [slowlyEnded] = await runAll(model, 'Orders', [test], ending);
    assert.deepEqual(
      [slowlyRead, slowlyEnded].map((ended) => ended?.message ?? ended?.outcome),
      ['passed', 'passed'],
    );
  });

  it('end one that never ends at its time, and when they are cancelled, with its execution', async () => {
    await model.actions.import(model.connectionId, {
      name: 'Rests',
      nodes: [
        { id: 'start', type: 'trigger', config: {} },
        { id: 'rest', type: 'delay', config: { milliseconds: 3_600_000 } },
      ],
      edges: [{ source: 'start', target: 'rest' }],
    });
    const test = { name: 'rests', timeoutMs: 300, expected: { status: 'completed' } };
    const [ended] = await runAll(model, 'Rests', [test]);
    assert.equal(ended?.message, "The execution didn't end within 300 ms.");
    assert.ok(ended.execution);
    assert.equal((await model.executions.read(ended.execution)).status.state, 'cancelled');

    const controller = new AbortController();
    const begun = Promise.withResolvers<string>();
    const listening = model.following.onDidChange(({ target }) => begun.resolve(target.executionId));
    const endless = [{ ...test, timeoutMs: 60_000 }];
    const run = runAll(model, 'Rests', endless, testPortsOf(model), controller.signal);
    const executionId = await begun.promise;
    controller.abort();
    await assert.rejects(run);
    listening.dispose();
    const { connectionId } = model;
    assert.equal((await model.executions.read({ connectionId, executionId })).status.state, 'cancelled');

    // Where a response names no execution, it's looked for. Nothing follows one that nobody waits for.
    const whileFound = new AbortController();
    const { actions } = model;
    const ports = testPortsOf(model, {
      actions: {
        cancel: (...given) => actions.cancel(...given),
        execute: (...given) => actions.execute(...given),
        executeDraft: (...given) => actions.executeDraft(...given),
        findExecution: (target, triggered, signal) => {
          whileFound.abort();
          return actions.findExecution(target, { ...triggered, executionIds: [] }, signal);
        },
      },
    });
    let followed = 0;
    const counting = model.following.onDidChange(() => (followed += 1));
    await assert.rejects(runAll(model, 'Rests', endless, ports, whileFound.signal));
    counting.dispose();
    assert.equal(followed, 0);
    const states = (await listAll()).map(({ status }) => status.state);
    assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled']);
  });
});
