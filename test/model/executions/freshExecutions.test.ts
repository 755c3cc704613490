// What is in sight is as the service has it, within the bounds that are promised and with few requests.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Emitter } from '../../../src/base/event.ts';
import { noExecutionFilter } from '../../../src/domain/queries.ts';
import type { RunState } from '../../../src/domain/status.ts';
import type { ExecutionScope, ExecutionTarget } from '../../../src/domain/targets.ts';
import type { ExecutionEvent } from '../../../src/model/executions/executionEvents.ts';
import type { AddedView } from '../../../src/model/autoRefresh.ts';
import { FreshExecutions } from '../../../src/model/executions/freshExecutions.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { settle } from '../../support/memory/ports.ts';

const second = 1000;
const looking = { isVisible: true, isFocused: true };
const away = { isVisible: true, isFocused: false };

describe('executions in sight', () => {
  let world: World;
  let connectionId: string;
  let heard: Emitter<ExecutionEvent>;
  let fresh: FreshExecutions;
  /** As the Executions view and the Workflows view with "w1" unfolded. */
  let all: ExecutionScope;
  let ofWorkflow: ExecutionScope;
  const unfolded: ExecutionTarget[] = [];

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    heard = new Emitter<ExecutionEvent>();
    const { executions, following, clock } = world;
    const events = { onDidReceive: heard.event, setAttention: () => undefined };
    fresh = new FreshExecutions({ executions, following, events, clock, logger: silentLogger });
    all = { connectionId, workflowId: null, filter: noExecutionFilter };
    ofWorkflow = { connectionId, workflowId: 'w1' };
    unfolded.length = 0;
  });
  afterEach(() => {
    fresh.dispose();
    assert.equal(world.clock.armed, 0);
  });

  const openExecutions = (): AddedView =>
    fresh.add(() => ({ connectionId, showsLatest: false, lists: [all], unfolded }));
  const openWorkflows = (): AddedView =>
    fresh.add(() => ({ connectionId, showsLatest: true, lists: [ofWorkflow], unfolded }));
  const end = (id: string, state: RunState = 'completed') =>
    world.first.changeExecution(id, { status: statusOf(state), durationMs: 989 });
  const stateOf = (executionId: string) => world.executions.find({ connectionId, executionId })?.status.state;
  const idsOf = (scope: ExecutionScope) => world.executions.list(scope).items.map(({ id }) => id);
  /** The requests since the last time. */
  const asked = () => world.first.calls.splice(0);
  const begin = (id: string, change = {}) => {
    const execution = makeExecution(id, { status: statusOf('running'), ...change });
    world.first.executions = [execution, ...world.first.executions];
  };
  const readLists = async (...scopes: readonly ExecutionScope[]) => {
    for (const scope of scopes) await world.executions.refresh(scope);
    asked();
  };

  it('end within 15 s in both views, though nobody follows them, with six requests a minute', async () => {
    begin('e1');
    await readLists(all, ofWorkflow);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    await world.clock.advance(60 * second);
    assert.ok(asked().length <= 7);
    end('e1', 'failed');
    await world.clock.advance(15 * second);
    assert.equal(stateOf('e1'), 'failed');
    assert.equal(world.executions.list(ofWorkflow).items[0]?.status.state, 'failed');
    asked();
    await world.clock.advance(10 * 60 * second);
    assert.deepEqual(new Set(asked()), new Set(['executions.list']));
  });

  it('are in no list of a workflow where only a list of their own says that they are of it', async () => {
    begin('e1', { status: statusOf('completed') });
    await readLists(all, ofWorkflow);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    begin('other', { workflowId: null, status: statusOf('completed') });
    begin('e2', { status: statusOf('completed') });
    await world.clock.advance(31 * second);
    assert.deepEqual(idsOf(all), ['e2', 'other', 'e1']);
    assert.deepEqual(idsOf(ofWorkflow), ['e2', 'e1']);
  });

  it('are looked for every 30 s while nothing happens, with one request for both views', async () => {
    await readLists(all, ofWorkflow);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    await world.clock.advance(0);
    asked();
    await world.clock.advance(60 * 60 * second);
    assert.equal(asked().length, 120);
  });

  it('are shown within 30 s when they were started elsewhere, in both views', async () => {
    begin('e1', { status: statusOf('completed') });
    await readLists(all, ofWorkflow);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    await world.clock.advance(100 * second);
    begin('e2', { createdAt: new Date('2026-01-05T10:01:00.000Z') });
    await world.clock.advance(30 * second);
    assert.deepEqual(
      [idsOf(all), idsOf(ofWorkflow)],
      [
        ['e2', 'e1'],
        ['e2', 'e1'],
      ],
    );
  });

  it('are shown within 5 s where an event tells of them, however many events come', async () => {
    begin('e1', { status: statusOf('completed') });
    await readLists(all, ofWorkflow);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    await world.clock.advance(100 * second);
    asked();
    begin('e2');
    heard.fire({ connectionId, workflowId: 'w1', executionId: 'e2' });
    await world.clock.advance(5 * second);
    assert.deepEqual(
      [idsOf(all), idsOf(ofWorkflow), asked()],
      [['e2', 'e1'], ['e2', 'e1'], ['executions.list']],
    );
    end('e2');
    for (let events = 0; events < 100; events += 1) {
      heard.fire({ connectionId, workflowId: 'w9', executionId: `x${events}` });
      if (events === 0) heard.fire({ connectionId, workflowId: 'w1', executionId: 'e2' });
      await world.clock.advance(second / 10);
    }
    assert.equal(stateOf('e2'), 'completed');
    assert.ok(asked().length <= 3);
  });

  it('are not asked for again when an event tells what is known, or is of another connection', async () => {
    begin('e1', { status: statusOf('completed') });
    await readLists(all);
    openExecutions().setAttention(looking);
    await world.clock.advance(0);
    asked();
    heard.fire({ connectionId, workflowId: 'w1', executionId: 'e1' });
    heard.fire({ connectionId: 'other', workflowId: null, executionId: null });
    await world.clock.advance(10 * second);
    assert.deepEqual(asked(), []);
  });

  it('are read at once when following stops, and end though nobody follows them any more', async () => {
    begin('e1');
    await readLists(all);
    const target = { connectionId, executionId: 'e1' };
    world.following.follow(target);
    openExecutions().setAttention(looking);
    await world.clock.advance(100 * second);
    asked();
    world.following.stopFollowing(target);
    await world.clock.advance(0);
    assert.deepEqual(asked(), ['executions.list']);
    end('e1');
    await world.clock.advance(15 * second);
    assert.equal(stateOf('e1'), 'completed');
  });

  it('are asked for by nobody who does not look', async () => {
    begin('e1');
    await readLists(all, ofWorkflow);
    const [one, other] = [openExecutions(), openWorkflows()];
    one.setAttention(away);
    other.setAttention({ isVisible: false, isFocused: true });
    await world.clock.advance(600 * second);
    heard.fire({ connectionId, workflowId: null, executionId: null });
    await world.clock.advance(600 * second);
    assert.deepEqual([asked(), world.clock.armed], [[], 0]);
    end('e1');
    one.setAttention(looking);
    await world.clock.advance(0);
    assert.equal(stateOf('e1'), 'completed');
    one.dispose();
    other.dispose();
    assert.equal(world.clock.armed, 0);
  });

  it('are shown soon after somebody looks again, when an event told of them meanwhile', async () => {
    begin('e1', { status: statusOf('completed') });
    await readLists(all);
    const view = openExecutions();
    view.setAttention(looking);
    await world.clock.advance(0);
    view.setAttention(away);
    begin('e2');
    for (let at = 0; at < 3; at += 1) heard.fire({ connectionId, workflowId: 'w1', executionId: 'e2' });
    await world.clock.advance(second);
    asked();
    view.setAttention(looking);
    await world.clock.advance(4 * second);
    assert.deepEqual([idsOf(all), asked()], [['e2', 'e1'], ['executions.list']]);
  });

  it('are read one by one where no list tells of them, a few at a time', async () => {
    for (let at = 0; at < 8; at += 1) begin(`old${at}`);
    await readLists(ofWorkflow);
    for (let at = 0; at < 150; at += 1)
      begin(`new${at}`, { workflowId: 'w2', status: statusOf('completed') });
    openWorkflows().setAttention(looking);
    await world.clock.advance(60 * second);
    const calls = asked();
    assert.ok(calls.length <= 7 * 5, `${calls.length} requests`);
    end('old3');
    await world.clock.advance(20 * second);
    assert.equal(stateOf('old3'), 'completed');
  });

  it('are read one by one where small pages end before them', async () => {
    begin('old');
    for (let at = 0; at < 20; at += 1) begin(`new${at}`, { status: statusOf('completed') });
    world.first.pageSize = 2;
    await readLists(all);
    while (stateOf('old') === undefined) await world.executions.loadMore(all);
    asked();
    openExecutions().setAttention(looking);
    await world.clock.advance(second);
    end('old');
    await world.clock.advance(15 * second);
    assert.equal(stateOf('old'), 'completed');
  });

  it('are read by workflow where the service lists them so, each list no more often than its rows need it', async () => {
    world.first.listsAcross = false;
    begin('e1', { status: statusOf('completed') });
    await readLists(ofWorkflow);
    openWorkflows().setAttention(looking);
    await world.clock.advance(240 * second);
    assert.equal(asked().length, 1 + 9);
    begin('e2');
    await world.clock.advance(30 * second);
    assert.deepEqual(idsOf(ofWorkflow), ['e2', 'e1']);
    end('e2');
    await world.clock.advance(15 * second);
    assert.equal(stateOf('e2'), 'completed');
  });

  it('show the node runs of an execution that is unfolded and not followed', async () => {
    begin('e1');
    const target = { connectionId, executionId: 'e1' };
    unfolded.push(target);
    await readLists(all);
    await world.executions.readLogs(target);
    for (const view of [openExecutions(), openWorkflows()]) view.setAttention(looking);
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('running') })]);
    await world.clock.advance(15 * second);
    assert.equal(world.executions.logs(target).nodeRuns.length, 1);
    assert.equal(asked().filter((call) => call === 'executions.logs e1').length, 3);
  });

  it('leave alone what the user reads, and are asked for when that has ended', async () => {
    await readLists(all);
    const answer = world.first.hold();
    const reading = world.executions.refresh(all);
    openExecutions().setAttention(looking);
    openWorkflows().setAttention(looking);
    await world.clock.advance(5 * second);
    assert.deepEqual(asked(), ['executions.list']);
    world.first.letThrough();
    answer();
    await reading;
    await settle();
    await world.clock.advance(2 * second);
    assert.deepEqual(asked(), ['executions.list']);
  });

  it('tell the latest of each workflow from one list, also what is executed here', async () => {
    begin('e1', { status: statusOf('failed'), createdAt: new Date('2026-01-05T09:00:00.000Z') });
    begin('e2', { workflowId: 'w2' });
    const latest = (workflowId: string) => world.executions.latest({ connectionId, workflowId })?.id;
    assert.deepEqual([latest('w1'), latest('w2')], [undefined, undefined]);
    openWorkflows().setAttention(looking);
    await world.clock.advance(0);
    assert.deepEqual(asked(), ['executions.list']);
    assert.deepEqual([latest('w1'), latest('w2'), latest('w3')], ['e1', 'e2', undefined]);
    const trigger = {
      workflowId: 'w1',
      eventIds: [],
      executionIds: ['e3'],
      status: 'triggered',
      respondedAt: null,
    };
    world.executions.showTriggered({ connectionId, workflowId: 'w1' }, trigger);
    assert.equal(latest('w1'), 'e3');
    // An old one that is read by its id, or a filtered list, tells nothing about the latest.
    world.executions.upsert(connectionId, makeExecution('e0', { createdAt: new Date(0) }));
    assert.equal(latest('w1'), 'e3');
  });
});
