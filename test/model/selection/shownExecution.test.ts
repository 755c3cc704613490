// An opened definition must show the newest execution live, and cost no more requests than it needs.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { findShownId, ShownExecutionSource } from '../../../src/model/selection/shownExecution.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, statusOf, makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('the execution that a definition shows', () => {
  let world: World;
  let connectionId: string;
  let source: ShownExecutionSource | undefined;

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
  });
  afterEach(() => {
    source?.dispose();
    world.following.dispose();
  });

  const open = async (reader: 'definition' | 'graph' = 'definition'): Promise<ShownExecutionSource> => {
    const target = { connectionId, workflowId: 'w1' };
    source = new ShownExecutionSource({ ...world, logger: silentLogger }, target, reader);
    await settle();
    await settle();
    return source;
  };
  const shownId = () =>
    source?.shown.current.kind === 'execution' ? source.shown.current.execution.id : null;
  const shownRuns = () =>
    source?.shown.current.kind === 'execution' ? source.shown.current.nodeRuns.map(({ key }) => key) : [];

  it('is none where the service lists none', async () => {
    assert.equal((await open()).shown.current.kind, 'none');
    assert.deepEqual(world.first.calls, ['executions.list']);
  });

  it('is read once with the node logs of the newest', async () => {
    world.first.executions = ['e2', 'e1'].map((id) => makeExecution(id, { status: statusOf('completed') }));
    world.first.logs.set('e2', [makeNodeLog(1, { status: statusOf('completed') })]);
    await open();
    assert.equal(shownId(), 'e2');
    assert.equal(shownRuns().length, 1);
    assert.deepEqual(world.first.calls, ['executions.list', 'executions.logs e2']);
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await settle();
    assert.deepEqual(world.first.calls.slice(2), ['executions.list']);
  });

  it('is read again when its log was dropped to save memory', async () => {
    world.first.executions = [makeExecution('e1', { status: statusOf('completed') })];
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('completed') })]);
    await open();
    for (let count = 0; count < 101; count += 1)
      world.executions.logs({ connectionId, executionId: `other${count}` });
    world.selection.selectIteration({ connectionId, executionId: 'e1' }, 'loop', 1);
    await settle();
    await settle();
    assert.equal(shownRuns().length, 1);
    const { length } = world.first.calls;
    world.selection.selectIteration({ connectionId, executionId: 'e1' }, 'loop', 2);
    await settle();
    assert.equal(world.first.calls.length, length);
  });

  it('is the newest draft where there are only drafts, which are no state of the workflow', async () => {
    await open();
    await world.actions.executeDraft({ connectionId, workflowId: 'w1' }, {});
    assert.equal(shownId(), 'exec_1');
    assert.equal(world.executions.latest({ connectionId, workflowId: 'w1' }), undefined);
    const [record] = world.executions.list({ connectionId, workflowId: 'w1' }).items;
    assert.equal(record?.kind, 'draft');
  });

  it('asks for no list that is there already', async () => {
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await open();
    assert.deepEqual(world.first.calls, ['executions.list']);
  });

  it('is the one just triggered, and grows as it is followed without a request of its own', async () => {
    await open();
    await world.actions.execute({ connectionId, workflowId: 'w1' }, {});
    assert.equal(shownId(), 'exec_1');
    world.following.follow({ connectionId, executionId: 'exec_1' });
    await settle();
    const [channel] = world.first.channels;
    assert.ok(channel);
    channel.send({ kind: 'logs', logs: [makeNodeLog(1, { status: statusOf('running') })] });
    await settle();
    assert.equal(shownRuns().length, 1);
    world.first.changeExecution('exec_1', { status: statusOf('completed') });
    channel.send({ kind: 'logs', logs: [makeNodeLog(2, { status: statusOf('completed') })] });
    channel.send({ kind: 'end', status: statusOf('completed') });
    await settle();
    await settle();
    assert.deepEqual(world.first.calls, ['executions.list', 'execute w1', 'executions.get exec_1']);
    const { current } = source?.shown ?? {};
    assert.ok(current?.kind === 'execution');
    assert.equal(current.execution.status.state, 'completed');
    assert.equal(current.nodeRuns[0]?.status?.state, 'completed');
  });

  it('builds no node run that nobody looks at, however many rows come', async () => {
    const target = { connectionId, executionId: 'e1' };
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    await open();
    world.following.follow(target);
    let built = 0;
    let announced = 0;
    source?.shown.onDidChange(() => (announced += 1));
    const feed = world.executions.logs(target);
    const { nodeRuns } = feed;
    Object.defineProperty(feed, 'nodeRuns', {
      get: () => {
        built += 1;
        return nodeRuns;
      },
    });
    for (let sequence = 1; sequence <= 10; sequence += 1) feed.append([makeNodeLog(sequence)]);
    assert.deepEqual([announced, built], [10, 0]);
    shownRuns();
    assert.equal(built, 1);
  });

  it('reads the rest of one that nobody followed when it is seen to have ended, once', async () => {
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('running') })]);
    await open();
    assert.equal(shownRuns().length, 1);
    world.first.logs.set('e1', [
      makeNodeLog(1, { status: statusOf('running') }),
      makeNodeLog(2, { status: statusOf('failed') }),
    ]);
    world.first.changeExecution('e1', { status: statusOf('failed') });
    world.first.calls.length = 0;
    for (let times = 0; times < 2; times += 1) {
      await world.executions.refresh({ connectionId, workflowId: 'w1' });
      await settle();
    }
    const { current } = source?.shown ?? {};
    assert.ok(current?.kind === 'execution');
    assert.equal(current.nodeRuns[0]?.status?.state, 'failed');
    assert.deepEqual(world.first.calls, ['executions.list', 'executions.logs e1', 'executions.list']);
  });

  it('is whole once it has ended and all its rows were read, though none was open before', async () => {
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('completed') })]);
    await open();
    const isWhole = () => source?.shown.current.kind === 'execution' && source.shown.current.isWhole;
    assert.equal(isWhole(), false);
    world.first.logs.set('e1', [
      makeNodeLog(1, { status: statusOf('completed') }),
      makeNodeLog(2, { nodeId: 'n2', status: statusOf('completed') }),
    ]);
    world.first.changeExecution('e1', { status: statusOf('completed') });
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await settle();
    assert.equal(shownRuns().length, 2);
    assert.equal(isWhole(), true);
  });

  it('reads the rest of a log that is too long to be read in one go', async () => {
    world.first.executions = [makeExecution('e1', { status: statusOf('failed') })];
    const failed = makeNodeLog(2, { nodeId: 'n2', status: statusOf('failed') });
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('running') }), failed]);
    world.first.readAtOnce = 1;
    await open();
    const whole: boolean[] = [];
    source?.shown.onDidChange((shown) => whole.push(shown.kind === 'execution' && shown.isWhole));
    const [channel] = world.first.channels;
    channel?.send({ kind: 'logs', logs: [failed] }, { kind: 'end', status: statusOf('failed') });
    await settle();
    await settle();
    assert.equal(shownRuns().length, 2);
    assert.equal(whole.at(-1), true);
  });

  it('announces that it is whole, also where the last read brings no row', async () => {
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('completed') })]);
    await open();
    const whole: boolean[] = [];
    source?.shown.onDidChange((shown) => whole.push(shown.kind === 'execution' && shown.isWhole));
    world.first.changeExecution('e1', { status: statusOf('completed') });
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await settle();
    assert.deepEqual(whole, [false, true]);
  });

  it('shows the iteration that is selected, for this execution alone', async () => {
    world.first.executions = ['e2', 'e1'].map((id) => makeExecution(id, { status: statusOf('completed') }));
    await open();
    const iterations = () =>
      source?.shown.current.kind === 'execution' ? [...source.shown.current.iterations] : undefined;
    world.selection.selectIteration({ connectionId, executionId: 'e1' }, 'each', 1);
    assert.deepEqual(iterations(), []);
    world.selection.selectIteration({ connectionId, executionId: 'e2' }, 'each', 3);
    assert.deepEqual(iterations(), [['each', 3]]);
  });

  it('is the one that was selected, which is read once, until the latest is selected again', async () => {
    const target = { connectionId, workflowId: 'w1' };
    world.first.executions = ['e3', 'e2', 'e1'].map((id) =>
      makeExecution(id, { status: statusOf('completed') }),
    );
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('failed') })]);
    await open();
    world.executions.forget({ connectionId, workflowId: 'w1' });
    world.first.calls.length = 0;
    world.selection.selectExecution(target, 'e1');
    await settle();
    await settle();
    assert.equal(shownId(), 'e1');
    assert.equal(shownRuns().length, 1);
    const { current } = source?.shown ?? {};
    assert.ok(current?.kind === 'execution' && !current.isLatest);
    assert.equal(world.first.calls.filter((call) => call.startsWith('executions.logs')).length, 1);
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    assert.equal(shownId(), 'e1');
    world.selection.selectExecution(target, null);
    assert.equal(shownId(), 'e3');
  });

  it('is for the graph that of the selected node, else the same', async () => {
    const target = { connectionId, workflowId: 'w1' };
    world.first.executions = ['e3', 'e2', 'e1'].map((id) => makeExecution(id));
    await open('graph');
    const select = (executionId: string | null, workflowId = 'w1') => {
      const node = { executionId, nodeId: null, nodeRunKey: null, by: 'tree' } as const;
      world.selection.selectNode({ target: { connectionId, workflowId }, ...node });
      return [shownId(), findShownId(world, target, 'graph'), findShownId(world, target, 'definition')];
    };
    assert.deepEqual(select('e1'), ['e1', 'e1', 'e3']);
    world.selection.selectExecution(target, 'e2');
    assert.deepEqual(select('e3'), ['e3', 'e3', 'e2']);
    assert.deepEqual(select(null), ['e2', 'e2', 'e2']);
    assert.deepEqual(select('e1', 'other'), ['e2', 'e2', 'e2']);
  });

  it('shows nothing when the service fails, and what comes later', async () => {
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    assert.equal((await open()).shown.current.kind, 'unknown');
    world.first.failure = null;
    world.first.executions = [makeExecution('e1')];
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    assert.equal(shownId(), 'e1');
  });

  it('is silent and asks nothing more once it is let go of', async () => {
    const release = world.first.hold();
    const shown: unknown[] = [];
    const closed = await open();
    closed.shown.onDidChange((value) => shown.push(value));
    closed.dispose();
    release();
    await settle();
    world.first.executions = [makeExecution('e1', { status: statusOf('completed') })];
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await settle();
    assert.deepEqual(shown, []);
    assert.deepEqual(world.first.calls, ['executions.list', 'executions.list']);
  });
});
