// What a session reads of a service: the runs, the place of each node, and values in the scope of a run.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { openRecording } from '../../../src/features/debugging/openRecording.ts';
import { findForwards } from '../../../src/model/runs/stepping.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { createEvaluator } from '../../support/ranExecution.ts';

const { signal } = new AbortController();
const status = statusOf('completed');
const cut = { $cut: { bytes: 300_000, preview: '[' } };
const definition = {
  name: 'Orders',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'each', type: 'forEach', config: { items: 'input.lines' } },
    { id: 'double', type: 'transform', config: { expression: 'item * 2' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'double', branch: 'each' },
  ],
};
const rows: readonly NodeLog[] = [
  makeNodeLog(1, { nodeId: 'start', nodeType: 'trigger', status, output: { lines: [3, 4] } }),
  makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status, output: cut }),
  makeNodeLog(3, { nodeId: 'double', iteration: [0], status, input: 3, output: 6 }),
  makeNodeLog(4, { nodeId: 'double', iteration: [1], status, input: 4, output: 8 }),
];

interface Opening {
  /** The text as it is now. */
  readonly draft?: string;
  /** Of the document that has it. */
  readonly uri?: vscode.Uri;
  /** The service tells when it was deployed. */
  readonly isDeployed?: boolean;
  readonly recorded?: readonly NodeLog[];
  /** The nodes that the execution is known to have run. */
  readonly known?: typeof definition.nodes;
  /** The service tells what executions ran. */
  readonly tells?: boolean;
  readonly isDeleted?: boolean;
  /** Those of the workflow. */
  readonly versions?: Partial<Pick<Workflow, 'draftVersion' | 'deployedVersion'>>;
}

describe('the recording of an execution', () => {
  let world: World;
  const evaluator = createEvaluator();
  const text = JSON.stringify(definition, null, 2);
  const document = {
    uri: vscode.Uri.parse('workflow-definition:/Orders.json'),
    version: 1,
    getText: () => text,
  };
  after(() => evaluator.dispose());
  afterEach(() => world.following.dispose());

  const open = async (
    change: Parameters<typeof makeExecution>[1] = {},
    {
      draft = text,
      uri = document.uri,
      isDeployed = false,
      isDeleted = false,
      recorded = rows,
      known = [],
      tells = false,
      versions = {},
    }: Opening = {},
  ) => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    const deployedAt = new Date('2026-01-05T09:00:00.000Z');
    const deployment = isDeployed ? { isDeployed, deployedAt, deployedDefinition: definition } : {};
    const workflow = makeWorkflow('w', { name: 'Orders', ...deployment, ...versions, raw: definition });
    world.first.workflows = [workflow];
    world.first.executions = [
      makeExecution('e', { workflowId: 'w', status, input: { lines: [3, 4] }, ...change }),
    ];
    world.first.logs.set('e', recorded);
    world.first.wholeLogs.set('e', [makeNodeLog(2, { nodeId: 'each', status, output: [6, 8] })]);
    await world.workflows.refresh();
    const target = { connectionId, executionId: 'e' };
    if (known.length > 0) world.ranDefinitions.note(target, { ...definition, nodes: known });
    world.first.ran.set('e', definition);
    if (tells) world.first.capabilities.set(new Set(['definition']));
    const gone = new ServiceError({ kind: 'notFound' }, 'There is no workflow.', { status: 404 });
    const ranUri = vscode.Uri.parse('workflow-execution:/Orders.json');
    const deps = {
      ...world,
      evaluator,
      read: () =>
        isDeleted ? Promise.reject(gone) : Promise.resolve({ ...document, uri, getText: () => draft }),
      openRan: () => Promise.resolve({ ...document, uri: ranUri, getText: () => text }),
    };
    return openRecording(deps, target, signal);
  };

  it('has the runs, in order, and the line of each node', async () => {
    const recording = await open();
    assert.deepEqual([recording.name, recording.hasEnded, recording.runs.count], ['Orders', true, 4]);
    const { source } = recording;
    const line = source.lineOf('double') ?? assert.fail();
    assert.match(text.split('\n')[line] ?? '', /"double"/);
    assert.deepEqual(
      [line - 1, line + 2, 0, 1000].map((each) => source.nodeAt(each)),
      ['double', 'double', undefined, undefined],
    );
    assert.deepEqual([source.lineOf('gone'), source.hasNode('gone')], [undefined, false]);
    recording.dispose();
  });

  it('names a file on a drive of Windows as the editor does when it sets breakpoints', async () => {
    const uri = vscode.Uri.parse('file:///c%3A/flows/Orders.workflow.json');
    const recording = await open({}, { uri });
    assert.equal(recording.source.uri.slice(0, 2), 'C:');
    recording.dispose();
  });

  it('evaluates in the scope of a run, and tells that scope', async () => {
    const recording = await open();
    const last = findForwards(recording.runs, 2, () => true) ?? assert.fail();
    assert.deepEqual(await recording.evaluate('[item, index, nodes.start.lines[0]]', last, signal), {
      kind: 'value',
      value: [4, 1, 3],
    });
    const { input, nodes, loop } = await recording.scopeOf(last, signal);
    assert.deepEqual(input, { lines: [3, 4] });
    assert.deepEqual(
      nodes.map(({ name }) => name),
      ['start'],
    );
    assert.deepEqual(loop, { item: 4, index: 1 });
    const failed = await recording.evaluate('item.(', last, signal);
    assert.equal(failed.kind, 'failed');
    const endless = await recording.evaluate('($f := function($n) { $f($n + 1) }; $f(0))', last, signal);
    assert.equal(endless.kind, 'failed');
    assert.deepEqual(await recording.evaluate('index', last, signal), { kind: 'value', value: 1 });
    const secret = await recording.evaluate('secrets.token', last, signal);
    assert.ok(secret.kind === 'failed' && secret.message.includes('secret'));
    recording.dispose();
  });

  it('tells of a node that failed what expressions see of it', async () => {
    const [start, , double] = rows;
    assert.ok(start && double);
    const error = { code: 'timeout', message: 'No answer.', nodeId: null };
    const failed = { ...double, iteration: [], status: statusOf('failed'), error, output: null };
    const after = makeNodeLog(5, { nodeId: 'each', status });
    const recording = await open({}, { recorded: [start, failed, after] });
    const last = recording.runs.at(2) ?? assert.fail();
    const seen = { error: { code: 'timeout', message: 'No answer.' } };
    assert.deepEqual(await recording.evaluate('nodes.double', last, signal), { kind: 'value', value: seen });
    const { nodes } = await recording.scopeOf(last, signal);
    assert.deepEqual(nodes[1], { name: 'double', value: seen });
    recording.dispose();
  });

  it('offers no name of the place of a value that was cut', async () => {
    const [start, each] = rows;
    assert.ok(start && each);
    const recording = await open({}, { recorded: [{ ...start, output: cut }, each] });
    const last = recording.runs.at(1) ?? assert.fail();
    const code = 'nodes.start.';
    const offers = await recording.complete(code, code.length, last, signal);
    assert.ok(!offers.some(({ label }) => label.includes('cut')));
    recording.dispose();
  });

  it('counts the iterations that a loop had, or was to have when it failed', async () => {
    const [start, each, double] = rows;
    assert.ok(start && each && double);
    const failed = { ...each, status: statusOf('failed') };
    const countIn = async (recorded: readonly NodeLog[]) => {
      const recording = await open({}, { recorded });
      const last = recording.runs.at(recorded.length - 1)?.scope.iteration ?? assert.fail();
      const count = await recording.countIterations(last, signal);
      recording.dispose();
      return count;
    };
    assert.equal(await countIn(rows), 2);
    assert.equal(await countIn([start, failed, double]), 2);
    // An item that isn't what the iteration received can't be counted.
    assert.equal(await countIn([start, failed, { ...double, input: 9 }]), undefined);
  });

  it('goes on while it is followed, and says why when that fails', async () => {
    const recording = await open({ status: statusOf('running') }, { recorded: [] });
    assert.equal(recording.hasEnded, false);
    const [channel] = world.first.channels;
    const changed = new Promise<void>((resolve) => {
      recording.onDidChange(() => {
        if (recording.hasEnded) resolve();
      });
    });
    channel?.send({ kind: 'open', by: 'stream' }, { kind: 'logs', logs: rows });
    channel?.fail(new Error('Gone.'));
    await changed;
    assert.deepEqual([recording.runs.count, recording.failure?.message], [rows.length, 'Gone.']);
    recording.dispose();
  });

  it('offers what the expressions of a run can name', async () => {
    const recording = await open();
    const last = findForwards(recording.runs, 2, () => true) ?? assert.fail();
    const offered = async (code: string) =>
      (await recording.complete(code, code.length, last, signal)).map(({ label, before }) => [label, before]);
    assert.deepEqual(await offered('nodes.start.'), [['lines', 'lines']]);
    const names = (await offered('')).map(([label]) => label);
    for (const name of ['input', 'nodes', 'item', 'index', '$sum']) assert.ok(names.includes(name), name);
    recording.dispose();
  });

  it('reads a value whole that the list has the beginning of', async () => {
    const recording = await open();
    const loop = findForwards(recording.runs, 0, () => true) ?? assert.fail();
    assert.deepEqual(await recording.readWhole(loop.run, 'output', signal), [6, 8]);
    recording.dispose();
  });

  it('says that another definition may have run', async () => {
    const recording = await open();
    assert.equal(recording.source.warning, 'This may not be the definition that ran');
    recording.dispose();
  });

  it('is of the text that ran: the draft, or the deployed definition once the draft differs', async () => {
    const added = { id: 'added', type: 'log' };
    const other = JSON.stringify({ ...definition, nodes: [added, ...definition.nodes] }, null, 2);
    const fewer = JSON.stringify({ ...definition, nodes: definition.nodes.slice(0, 2) }, null, 2);
    for (const [draft, scheme] of [
      [text, 'workflow-definition'],
      [other, 'workflow-execution'],
      [fewer, 'workflow-execution'],
    ] as const) {
      const recording = await open({}, { draft, isDeployed: true });
      const { source } = recording;
      assert.deepEqual([new URL(source.uri).protocol, source.warning], [`${scheme}:`, undefined]);
      assert.equal(source.hasNode('double'), true);
      recording.dispose();
    }
  });

  it('does not take the deployed definition for what a draft ran', async () => {
    const recording = await open({ kind: 'draft' }, { isDeployed: true });
    assert.equal(recording.source.warning, 'This may not be the definition that ran');
    recording.dispose();
  });

  it('knows what a draft ran that was executed here', async () => {
    for (const [known, protocol] of [
      [definition.nodes, 'workflow-definition:'],
      [definition.nodes.slice(1), 'workflow-execution:'],
    ] as const) {
      const recording = await open({ kind: 'draft' }, { isDeployed: true, known });
      assert.equal(new URL(recording.source.uri).protocol, protocol);
      recording.dispose();
    }
  });

  it('is of what the service tells that ran, also of a draft and of a deleted workflow', async () => {
    const other = JSON.stringify({ ...definition, nodes: definition.nodes.slice(1) }, null, 2);
    for (const [opening, protocol] of [
      [{}, 'workflow-definition:'],
      [{ draft: other }, 'workflow-execution:'],
      [{ isDeleted: true }, 'workflow-execution:'],
    ] as const) {
      const recording = await open({ kind: 'draft' }, { ...opening, tells: true });
      const { source } = recording;
      assert.deepEqual([new URL(source.uri).protocol, source.warning], [protocol, undefined]);
      recording.dispose();
    }
  });

  it('is refused for a deleted workflow where nobody tells what ran', async () => {
    await assert.rejects(open({}, { isDeleted: true }), /There is no workflow/);
  });

  it('is of the version that the service says ran, whenever that was deployed', async () => {
    const other = JSON.stringify({ ...definition, nodes: definition.nodes.slice(1) }, null, 2);
    const versions = { draftVersion: 'v2', deployedVersion: 'v1' };
    const unknown = 'This may not be the definition that ran';
    for (const [definitionVersion, draft, expected] of [
      ['v1', text, ['workflow-definition:', undefined]],
      ['v1', other, ['workflow-execution:', undefined]],
      ['v2', text, ['workflow-definition:', undefined]],
      ['v0', text, ['workflow-definition:', unknown]],
    ] as const) {
      const record = { createdAt: new Date('2026-01-05T08:00:00.000Z'), definitionVersion };
      const recording = await open(record, { isDeployed: true, draft, versions });
      assert.deepEqual([new URL(recording.source.uri).protocol, recording.source.warning], expected);
      recording.dispose();
    }
  });

  it('is refused where the service does not say of which workflow it is', async () => {
    await assert.rejects(open({ workflowId: null }), /doesn't say which workflow/);
  });
});
