// The link from event to execution is a unit of its own that can answer "could not tell which".
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import { resolveExecution } from '../../../src/model/executions/executionLookup.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import type { Triggered } from '../../../src/domain/execution.ts';

const trigger: Triggered = {
  workflowId: 'w1',
  eventIds: ['evt_1'],
  executionIds: [],
  status: 'triggered',
  respondedAt: null,
};

describe('finding the execution behind an event', () => {
  let world: World;
  let connectionId: string;
  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
  });
  const resolve = (
    change: Partial<Triggered> = {},
    signal?: AbortSignal,
  ): ReturnType<typeof resolveExecution> =>
    resolveExecution({
      client: world.clients.get(connectionId),
      clock: world.clock,
      trigger: { ...trigger, ...change },
      known: new Set(['known']),
      ...(signal && { signal }),
    });

  it('takes the id that the answer names, without asking', async () => {
    assert.deepEqual(await resolve({ executionIds: ['e1'] }), { kind: 'reported', executionId: 'e1' });
    assert.deepEqual(world.first.calls, []);
  });

  it('matches by the event', async () => {
    world.first.executions = [
      makeExecution('e2', { eventIds: ['evt_2'] }),
      makeExecution('e1', { eventIds: ['evt_1'] }),
    ];
    assert.deepEqual(await resolve(), { kind: 'matched', executionId: 'e1' });
  });

  it('shows what it found in every list, without another request', async () => {
    const all = { connectionId, workflowId: null };
    // As an n8n tells them.
    const begunAt = (second: number) => ({ createdAt: null, startedAt: new Date(second * 1000) });
    world.first.executions = [makeExecution('e0', begunAt(1))];
    await world.executions.refresh(all);
    const found = makeExecution('e1', { eventIds: ['evt_1'], workflowId: 'w1', ...begunAt(2) });
    world.first.executions = [found, ...world.first.executions];
    const target = { connectionId, workflowId: 'w1' };
    await world.actions.findExecution(target, { ...trigger, known: new Set() });
    assert.deepEqual(
      world.executions.list(all).items.map(({ id }) => id),
      ['e1', 'e0'],
    );
    assert.deepEqual(world.first.calls, ['executions.list', 'executions.list']);
  });

  it('takes none that was found for an earlier call, though no list is shown', async () => {
    const target = { connectionId, workflowId: 'w1' };
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
    Object.assign(world.first, { namesExecutions: false, linksEvents: false });
    const find = async () => world.actions.findExecution(target, await world.actions.execute(target, {}));
    assert.deepEqual(await find(), { kind: 'probable', executionId: 'exec_1' });
    world.first.listsAtOnce = false;
    const second = find();
    await settle();
    const createdAt = new Date(Date.UTC(2026, 0, 6, 10, 0, 2));
    world.first.executions = [makeExecution('exec_2', { createdAt }), ...world.first.executions];
    await world.clock.advance(1000);
    assert.deepEqual(await second, { kind: 'probable', executionId: 'exec_2' });
  });

  it('waits for an execution that is listed late', async () => {
    const found = resolve();
    await world.clock.advance(1000);
    world.first.executions = [makeExecution('e1', { eventIds: ['evt_1'] })];
    await world.clock.advance(2000);
    assert.deepEqual(await found, { kind: 'matched', executionId: 'e1' });
    assert.equal(world.first.calls.length, 3);
  });

  it('says that it cannot tell which, after a bounded number of questions', async () => {
    world.first.executions = [makeExecution('e9')];
    const found = resolve();
    await world.clock.advance(15_000);
    assert.deepEqual(await found, { kind: 'unknown' });
    assert.equal(world.first.calls.length, 5);
    assert.equal(world.clock.armed, 0);
  });

  it('cannot tell without any id, and asks nothing', async () => {
    assert.deepEqual(await resolve({ eventIds: [] }), { kind: 'unknown' });
    assert.deepEqual(world.first.calls, []);
  });

  it('hands on a failure, and stops when cancelled', async () => {
    const cancel = new AbortController();
    const found = resolve({}, cancel.signal);
    await world.clock.advance(0);
    cancel.abort();
    await assert.rejects(found, { name: 'AbortError' });
    assert.equal(world.clock.armed, 0);
    const failure = new ServiceError({ kind: 'unavailable' }, 'down');
    world.first.failure = failure;
    await assert.rejects(resolve(), failure.ofConnection(connectionId));
  });

  describe('where nothing links the two', () => {
    const respondedAt = new Date('2026-01-05T10:00:00.000Z');
    const at = (seconds: number): Date => new Date(respondedAt.getTime() + seconds * 1000);
    const begun = (id: string, seconds: number, eventIds: readonly string[] = []) =>
      makeExecution(id, { startedAt: at(seconds), eventIds });

    it('takes the only new one since the call for probable, at once, with or without an event id', async () => {
      world.first.executions = [begun('known', 1), begun('new', -4.9), begun('old', -5.1)];
      assert.deepEqual(await resolve({ respondedAt, eventIds: [] }), {
        kind: 'probable',
        executionId: 'new',
      });
    });

    it('waits for the event to tell while there are several, then takes the newest', async () => {
      world.first.executions = [begun('a', 1), begun('c', 3), begun('b', 2)];
      const found = resolve({ respondedAt, eventIds: [] });
      await world.clock.advance(15_000);
      assert.deepEqual(await found, { kind: 'probable', executionId: 'c' });
      assert.equal(world.first.calls.length, 5);
    });

    it('never takes one that names another event, or that says nothing of its start', async () => {
      const untimed = makeExecution('untimed', { startedAt: null, createdAt: null });
      world.first.executions = [begun('other', 1, ['evt_2']), untimed];
      const found = resolve({ respondedAt, eventIds: [] });
      const named = resolve({ respondedAt });
      await world.clock.advance(15_000);
      assert.deepEqual(await found, { kind: 'probable', executionId: 'other' });
      assert.deepEqual(await named, { kind: 'unknown' });
    });
  });
});
