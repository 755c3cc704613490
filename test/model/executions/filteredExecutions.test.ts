// A filtered list is asked of the service and held to here; kept fresh, it reads one page however much is loaded.
import assert from 'node:assert/strict';
import type { ExecutionChange } from '../../../src/model/executions/connectionExecutions.ts';
import type { ExecutionScope } from '../../../src/domain/targets.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { passesExecutionFilter, toExecutionQuery } from '../../../src/model/executions/executionRecord.ts';
import { type ExecutionFilter, noExecutionFilter } from '../../../src/domain/queries.ts';

const now = Date.UTC(2026, 0, 5, 10);
const hour = 3_600_000;
const at = (minutes: number): Date => new Date(now - minutes * 60_000);
const lastHour: ExecutionFilter = { states: [], period: { kind: 'last', milliseconds: hour } };
const failed: ExecutionFilter = { states: ['failed'], period: null };
const withoutDrafts: ExecutionFilter = { ...noExecutionFilter, withoutDrafts: true };
const failedOrRunning: ExecutionFilter = { states: ['failed', 'running'], period: null };

describe('a filter of executions', () => {
  it('is asked of the service', () => {
    assert.deepEqual(toExecutionQuery(noExecutionFilter, now), {});
    assert.deepEqual(toExecutionQuery(failed, now), { status: 'failed' });
    assert.deepEqual(toExecutionQuery(failedOrRunning, now), {}, 'a service takes one state only');
    assert.deepEqual(toExecutionQuery(lastHour, now), { startedAfter: new Date(now - hour) });
    assert.deepEqual(toExecutionQuery(withoutDrafts, now), { kind: 'deployed' });
    const since: ExecutionFilter = { states: ['running'], period: { kind: 'since', time: 5 } };
    assert.deepEqual(toExecutionQuery(since, now), { status: 'running', startedAfter: new Date(5) });
  });

  for (const [what, change, filter, passes] of [
    ['anything without a filter', {}, noExecutionFilter, true],
    ['a draft', { kind: 'draft' }, noExecutionFilter, true],
    ['a draft where none is wanted', { kind: 'draft' }, withoutDrafts, false],
    ['what is deployed where no draft is wanted', {}, withoutDrafts, true],
    ['its own state', { status: statusOf('failed') }, failed, true],
    ['another state', { status: statusOf('completed') }, failed, false],
    ['one of several states', { status: statusOf('running') }, failedOrRunning, true],
    ['none of several states', { status: statusOf('completed') }, failedOrRunning, false],
    ['a state that is not known', { status: statusOf('unknown') }, failed, true],
    ['what started within', { startedAt: at(59), createdAt: at(70) }, lastHour, true],
    ['what started before', { startedAt: at(61), createdAt: at(59) }, lastHour, false],
    ['what was created within and has not started', { createdAt: at(59) }, lastHour, true],
    ['what tells no time', { createdAt: null }, lastHour, true],
    [
      'what came after a time',
      { createdAt: at(1) },
      { states: [], period: { kind: 'since', time: now - hour } },
      true,
    ],
    [
      'what came before a time',
      { createdAt: at(61) },
      { states: [], period: { kind: 'since', time: now - hour } },
      false,
    ],
  ] as const)
    it(`${passes ? 'lets through' : 'holds back'} ${what}`, () =>
      assert.equal(passesExecutionFilter(makeExecution('e', change), filter, now), passes));
});

describe('filtered executions', () => {
  let world: World;
  let connectionId: string;
  let changes: ExecutionChange[];

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
    world.first.executions = executions(250);
    changes = [];
    world.executions.onDidChange((change) => changes.push(change));
  });

  /** e1 is the oldest; each tenth failed. */
  function executions(count: number) {
    return Array.from({ length: count }, (_, index) => {
      const number = count - index;
      return makeExecution(`e${number}`, {
        status: statusOf(number % 10 === 0 ? 'failed' : 'completed'),
        createdAt: new Date(now - hour + number * 1000),
      });
    });
  }

  const scope = (filter = noExecutionFilter): ExecutionScope => ({ connectionId, workflowId: null, filter });
  const shown = (filter?: ExecutionFilter): readonly string[] =>
    world.executions.list(scope(filter)).items.map(({ id }) => id);
  const listCalls = (): number => world.first.calls.filter((call) => call === 'executions.list').length;
  const setState = (executionId: string, state: RunState): void =>
    world.executions.setStatus({ connectionId, executionId }, statusOf(state));

  it('are read a hundred at a time, apart from the short lists below workflows', async () => {
    await world.executions.refresh(scope());
    assert.equal(shown().length, 100);
    await world.executions.loadMore(scope());
    assert.equal(shown().length, 200);
    await world.executions.refresh({ connectionId, workflowId: null });
    assert.equal(world.executions.list({ connectionId, workflowId: null }).items.length, 10);
    assert.equal(listCalls(), 3);
  });

  it('are held to the filter when the service ignores it', async () => {
    await world.executions.refresh(scope(failed));
    assert.deepEqual(shown(failed), [
      'e250',
      'e240',
      'e230',
      'e220',
      'e210',
      'e200',
      'e190',
      'e180',
      'e170',
      'e160',
    ]);
  });

  it('of the last hour are those of the last hour by the clock of the service', async () => {
    world.first.clockAheadMs = -600_000;
    const begun = (id: string, minutesAgo: number) => makeExecution(id, { startedAt: at(minutesAgo) });
    world.first.executions = [begun('a', 11), begun('b', 69), begun('c', 71)];
    await world.executions.refresh(scope(lastHour));
    assert.deepEqual(shown(lastHour), ['a', 'b']);
    world.first.clockAheadMs = 600_000;
    await world.executions.refresh(scope(lastHour));
    assert.deepEqual(shown(lastHour), ['a']);
  });

  it('show a triggered execution in front only where it belongs, and let it go when its state changes', async () => {
    const running: ExecutionFilter = { states: ['queued'], period: null };
    for (const filter of [noExecutionFilter, failed, running]) await world.executions.refresh(scope(filter));
    await world.actions.execute({ connectionId, workflowId: 'w1' }, {});
    assert.equal(shown()[0], 'exec_1');
    assert.deepEqual(shown(running), ['exec_1']);
    assert.ok(!shown(failed).includes('exec_1'));
    changes.length = 0;
    setState('exec_1', 'running');
    assert.deepEqual(shown(running), []);
    assert.ok(changes.some((change) => change.kind === 'list' && change.scope.filter === running));
    assert.equal(shown()[0], 'exec_1');
  });

  it('stay loaded when the newest page is read again', async () => {
    await world.executions.refresh(scope());
    await world.executions.loadMore(scope());
    world.first.executions = [makeExecution('new', { createdAt: new Date(now) }), ...world.first.executions];
    const before = listCalls();
    await world.executions.refreshNewest(scope());
    assert.equal(listCalls() - before, 1);
    assert.equal(shown().length, 201);
    assert.equal(new Set(shown()).size, 201);
    assert.deepEqual([shown()[0], shown()[1], shown().at(-1)], ['new', 'e250', 'e51']);
    await world.executions.loadMore(scope());
    assert.equal(new Set(shown()).size, 251);
    assert.equal(shown().at(-1), 'e1');
    assert.equal(world.executions.list(scope()).nextCursor, null);
  });

  it('begin anew when more came than one page holds', async () => {
    await world.executions.refresh(scope());
    await world.executions.loadMore(scope());
    world.first.executions = executions(500);
    await world.executions.refreshNewest(scope());
    assert.deepEqual([shown().length, shown()[0], shown().at(-1)], [100, 'e500', 'e401']);
    await world.executions.loadMore(scope());
    assert.equal(shown().at(-1), 'e301');
  });

  it('are forgotten, with what was still under way', async () => {
    const release = world.first.hold();
    const reading = world.executions.refresh(scope(failed));
    world.executions.forget(scope(failed));
    release();
    await reading;
    assert.equal(world.executions.list(scope(failed)).status, 'idle');
    assert.deepEqual(
      changes.filter(({ kind }) => kind === 'list'),
      [],
    );
  });
});
