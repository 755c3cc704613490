// Executions appear at once, stay in order, never go back in time, and only what changed is told.
import assert from 'node:assert/strict';
import type { ExecutionChange } from '../../../src/model/executions/connectionExecutions.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { ServiceError } from '../../../src/domain/errors.ts';

describe('executions', () => {
  let world: World;
  let connectionId: string;
  let otherId: string;
  let changes: ExecutionChange[];

  beforeEach(async () => {
    world = createWorld();
    [connectionId, otherId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true }), makeWorkflow('w2')];
    world.first.executions = Array.from({ length: 25 }, (_, at) =>
      makeExecution(`e${25 - at}`, {
        status: statusOf('completed'),
        createdAt: new Date(Date.UTC(2026, 0, 5, 10, 0, 25 - at)),
      }),
    );
    changes = [];
    world.executions.onDidChange((change) => changes.push(change));
  });

  const scope = (workflowId: string | null = 'w1'): { connectionId: string; workflowId: string | null } => ({
    connectionId,
    workflowId,
  });
  const shownIds = (workflowId: string | null = 'w1'): readonly string[] =>
    world.executions.list(scope(workflowId)).items.map(({ id }) => id);

  it('reads the latest ten, then ten more, and refreshes as many', async () => {
    const { executions, first } = world;
    await executions.refresh(scope());
    assert.equal(shownIds().length, 10);
    assert.deepEqual(changes, [{ kind: 'list', scope: scope() }]);
    await executions.loadMore(scope());
    assert.equal(shownIds().length, 20);
    first.changeExecution('e15', { status: statusOf('failed') });
    changes.length = 0;
    await executions.refresh(scope());
    assert.equal(shownIds().length, 20);
    assert.deepEqual(changes, [{ kind: 'rows', connectionId, executionIds: ['e15'] }]);
    await executions.loadMore(scope());
    assert.equal(shownIds().length, 25);
    assert.equal(executions.list(scope()).nextCursor, null);
  });

  it('says nothing when nothing changed, and keeps every reading the object it was', async () => {
    const { executions, first } = world;
    await executions.refresh(scope());
    const before = executions.list(scope()).items;
    first.executions = first.executions.map((each) => ({ ...each }));
    changes.length = 0;
    await executions.refresh(scope());
    assert.deepEqual(changes, []);
    executions.list(scope()).items.forEach((item, at) => assert.equal(item, before[at]));
  });

  it('shows a triggered execution at once, in both lists, and keeps it until the service lists it', async () => {
    const { executions, actions, first } = world;
    await executions.refresh(scope());
    await executions.refresh(scope(null));
    first.listsAtOnce = false;
    const trigger = await actions.execute({ connectionId, workflowId: 'w1' }, { name: 'Ada' });
    assert.deepEqual(trigger.executionIds, ['exec_1']);
    assert.equal(shownIds()[0], 'exec_1');
    assert.equal(shownIds(null)[0], 'exec_1');
    assert.equal(executions.find({ connectionId, executionId: 'exec_1' })?.status.state, 'queued');
    await executions.refresh(scope());
    assert.equal(shownIds()[0], 'exec_1');
    first.executions = [makeExecution('exec_1', { status: statusOf('running') }), ...first.executions];
    await executions.refresh(scope());
    assert.deepEqual(
      shownIds().filter((id) => id === 'exec_1'),
      ['exec_1'],
    );
    assert.equal(executions.find({ connectionId, executionId: 'exec_1' })?.status.state, 'running');
  });

  it('shows triggered executions in their order when the list is read again, though they are more than a page', async () => {
    const { executions, actions, first } = world;
    await executions.refresh(scope());
    first.linksEvents = false;
    for (let count = 1; count <= 12; count += 1)
      await actions.execute({ connectionId, workflowId: 'w1' }, {});
    const newest = shownIds().slice(0, 10);
    assert.deepEqual(newest.slice(0, 3), ['exec_12', 'exec_11', 'exec_10']);
    await executions.refresh(scope());
    assert.deepEqual(shownIds().slice(0, 10), newest);
  });

  it('lets go of a triggered execution that the service never lists', async () => {
    const { executions, actions, first, clock } = world;
    await executions.refresh(scope());
    first.listsAtOnce = false;
    await actions.execute({ connectionId, workflowId: 'w1' }, {});
    await clock.advance(60_000);
    await executions.refresh(scope());
    assert.equal(shownIds()[0], 'e25');
  });

  it('sends nothing twice and shows nothing when the workflow is not deployed', async () => {
    const { actions, executions, first } = world;
    await executions.refresh(scope('w2'));
    const call = actions.execute({ connectionId, workflowId: 'w2' }, {});
    await assert.rejects(call, (error: ServiceError) => error.reason.kind === 'notDeployed');
    assert.deepEqual(shownIds('w2'), []);
    assert.deepEqual(first.calls, ['executions.list', 'execute w2']);
  });

  it('is read with all that its own record says, though the list shows the same of it', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    await executions.refresh(scope());
    first.changeExecution('e25', { raw: { id: 'e25', region: 'eu' } });
    assert.deepEqual((await executions.read(target)).raw, { id: 'e25', region: 'eu' });
  });

  it('is never turned back by a late answer', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    first.changeExecution('e25', { status: statusOf('running') });
    const release = first.hold();
    const late = executions.refresh(scope());
    await settle();
    executions.upsert(connectionId, makeExecution('e25', { status: statusOf('failed') }));
    release();
    await late;
    assert.equal(executions.find(target)?.status.state, 'failed');
    assert.equal(executions.list(scope()).items[0]?.status.state, 'failed');
    executions.setStatus(target, statusOf('running'));
    assert.equal(executions.find(target)?.status.state, 'failed');
    executions.upsert(connectionId, makeExecution('new', { status: statusOf('running') }));
    executions.setStatus({ connectionId, executionId: 'new' }, statusOf('queued'));
    assert.equal(executions.find({ connectionId, executionId: 'new' })?.status.state, 'running');
  });

  it('keep when they were created, which a list may leave out', () => {
    const { executions } = world;
    const createdAt = new Date(Date.UTC(2026, 1, 1));
    executions.upsert(connectionId, makeExecution('listed', { createdAt, status: statusOf('running') }));
    executions.upsert(connectionId, makeExecution('listed', { createdAt: null }));
    assert.deepEqual(executions.find({ connectionId, executionId: 'listed' })?.createdAt, createdAt);
  });

  it('does not put an old execution that was opened in front of the newest', async () => {
    const { executions } = world;
    await executions.refresh(scope());
    await executions.read({ connectionId, executionId: 'e1' });
    assert.equal(shownIds()[0], 'e25');
    executions.upsert(connectionId, makeExecution('e99', { createdAt: new Date(Date.UTC(2026, 1, 1)) }));
    assert.equal(shownIds()[0], 'e99');
  });

  it('takes no input away that the details brought', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    first.changeExecution('e25', { input: { name: 'Ada' } });
    await executions.read(target);
    first.changeExecution('e25', { input: undefined, durationMs: 12 });
    await executions.refresh(scope());
    assert.deepEqual(executions.find(target)?.input, { name: 'Ada' });
    assert.equal(executions.find(target)?.durationMs, 12);
  });

  it('learns from the details which definition it ran and where it failed, and keeps that', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    const error = { code: 'timeout', message: 'Too slow', nodeId: 'n1' };
    first.changeExecution('e25', { error: { ...error, code: null, nodeId: null } });
    await executions.refresh(scope());
    first.changeExecution('e25', { definitionVersion: '7', error });
    await executions.read(target);
    const known = () => [executions.find(target)?.definitionVersion, executions.find(target)?.error];
    assert.deepEqual(known(), ['7', error]);
    first.changeExecution('e25', {
      durationMs: 12,
      definitionVersion: null,
      error: { ...error, code: null, nodeId: null },
    });
    await executions.refresh(scope());
    assert.equal(executions.find(target)?.durationMs, 12);
    assert.deepEqual(known(), ['7', error]);
  });

  it('asks again after a failure, and keeps connections apart', async () => {
    const { executions, first } = world;
    const failure = new ServiceError({ kind: 'unavailable' }, 'down');
    first.failure = failure;
    await executions.refresh(scope());
    assert.deepEqual(executions.list(scope()).error, failure.ofConnection(connectionId));
    first.failure = null;
    await executions.refresh(scope());
    assert.equal(executions.list(scope()).error, null);
    await executions.refresh({ connectionId: otherId, workflowId: null });
    assert.deepEqual(executions.list({ connectionId: otherId, workflowId: null }).items, []);
  });

  it('tells an input that is known without a request, and reads one that is not', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    first.executions = first.executions.map((each) => ({ ...each, input: { n: 1 } }));
    assert.deepEqual((await executions.readInput(target)).input, { n: 1 });
    const count = first.calls.length;
    assert.deepEqual((await executions.readInput(target)).input, { n: 1 });
    assert.equal(first.calls.length, count);
  });

  it('holds no large values, but hands them to whoever reads them', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    const output = 'x'.repeat(100_000);
    first.executions = first.executions.map((each) => ({ ...each, output, raw: { id: each.id, output } }));
    await executions.refresh(scope());
    assert.equal((await executions.read(target)).output, output);
    const held = executions.find(target);
    assert.deepEqual([held?.output, held?.raw['output']], [undefined, undefined]);
    const { items } = executions.list(scope());
    assert.ok(items.every((each) => each.output === undefined));
    changes = [];
    await executions.refresh(scope());
    assert.equal(executions.list(scope()).items, items);
    assert.deepEqual(changes, []);
  });

  it('forgets what belonged to a removed connection', async () => {
    const { executions, connections, first } = world;
    await executions.refresh(scope());
    first.changeExecution('e25', { durationMs: 7 });
    const release = first.hold();
    const late = executions.read({ connectionId, executionId: 'e25' });
    await settle();
    await connections.remove(connectionId);
    changes.length = 0;
    release();
    await late;
    assert.equal(executions.find({ connectionId, executionId: 'e25' }), undefined);
    assert.deepEqual(changes, []);
  });

  it('has a log that stays whole when an earlier response with its rows comes after the last one', async () => {
    const target = { connectionId, executionId: 'e1' };
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', [makeNodeLog(1, { status: statusOf('completed') })]);
    await world.executions.get(target);
    const letGo = world.first.hold();
    const early = world.executions.readLogs(target);
    await settle();
    world.first.letThrough();
    world.first.changeExecution('e1', { status: statusOf('completed') });
    await world.executions.read(target);
    await world.executions.readLogs(target);
    letGo();
    const { reading } = await early;
    assert.equal(reading.kind, 'whole');
  });

  it('reads only the rows that are missing and tells whose node runs changed', async () => {
    const { executions, first } = world;
    const target = { connectionId, executionId: 'e25' };
    first.logs.set('e25', [makeNodeLog(1), makeNodeLog(2)]);
    assert.equal((await executions.readLogs(target)).rows.length, 2);
    assert.deepEqual(changes, [{ kind: 'nodeRuns', target }]);
    first.logs.set('e25', [makeNodeLog(1), makeNodeLog(2), makeNodeLog(3, { nodeId: 'n2' })]);
    const feed = await executions.readLogs(target);
    assert.deepEqual(
      feed.rows.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.deepEqual(
      feed.nodeRuns.map(({ nodeId }) => nodeId),
      ['n1', 'n2'],
    );
    assert.equal(executions.logs(target), feed);
  });
});
