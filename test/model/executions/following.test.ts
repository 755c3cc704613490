// A follow ends by the execution's status, can always begin again, and loses or doubles no row.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/serviceError.ts';
import type { FollowState } from '../../../src/model/executions/following.ts';
import type { Channel } from '../../support/memory/channel.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, firstUrl, type World } from '../../support/memory/world.ts';

describe('following', () => {
  let world: World;
  let target: { connectionId: string; executionId: string };
  let otherId: string;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId, other] = await connectBoth(world);
    otherId = other;
    target = { connectionId, executionId: 'e1' };
    world.first.executions = [makeExecution('e1')];
    await world.executions.read(target);
  });
  afterEach(() => world.following.dispose());

  const channel = (at: number): Channel =>
    world.first.channels[at] ?? assert.fail(`There is no follow number ${at}.`);
  const sequences = (): readonly (number | null)[] =>
    world.executions.logs(target).rows.map(({ sequence }) => sequence);
  const kinds = (): string[] => {
    const seen: string[] = [];
    world.following.onDidChange(({ state }) => seen.push(state.current.kind));
    return seen;
  };

  it('goes from connecting through following to the end, and reads the record once more', async () => {
    const seen = kinds();
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'open', by: 'stream' }, { kind: 'log', log: makeNodeLog(1) });
    await settle();
    assert.deepEqual(follow.state.current, { kind: 'following', by: 'stream' });
    assert.equal(world.executions.find(target)?.status.state, 'running');
    world.first.changeExecution('e1', { status: statusOf('completed'), durationMs: 40 });
    channel(0).send({ kind: 'end', status: statusOf('completed') });
    assert.deepEqual(await follow.done, { kind: 'ended', status: statusOf('completed') });
    assert.deepEqual(seen, ['connecting', 'following', 'ended']);
    assert.equal(world.executions.find(target)?.durationMs, 40);
    assert.deepEqual(world.following.current, []);
  });

  it('shows a dropped connection, and resumes without losing or doubling a row', async () => {
    const { clock } = world;
    const follow = world.following.follow(target);
    const log = (sequence: number) => ({ kind: 'log', log: makeNodeLog(sequence) }) as const;
    const error = new Error('reset');
    channel(0).send({ kind: 'open', by: 'stream' }, log(1), log(2), { kind: 'lost', error, retryInMs: 3000 });
    await settle();
    assert.deepEqual(follow.state.current, { kind: 'catchingUp', retryAt: clock.now() + 3000, error });
    channel(0).send({ kind: 'open', by: 'stream' }, log(2), log(3));
    await settle();
    assert.equal(follow.state.current.kind, 'following');
    assert.deepEqual(sequences(), [1, 2, 3]);
  });

  it('shows that the limit makes it wait, and until when', async () => {
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'paused', resumeInMs: 20_000 });
    await settle();
    assert.deepEqual(follow.state.current, { kind: 'pausedByLimit', resumeAt: world.clock.now() + 20_000 });
  });

  it('does not take silence for the end: it goes on after the last row, however often', async () => {
    const { clock, first } = world;
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'open', by: 'polling' }, { kind: 'log', log: makeNodeLog(7) });
    for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      channel(first.channels.length - 1).close();
      await settle();
      assert.deepEqual(follow.state.current, {
        kind: 'catchingUp',
        retryAt: clock.now() + pauseMs,
        error: null,
      });
      await clock.advance(pauseMs);
    }
    assert.equal(first.channels.length, 8);
    assert.equal(channel(7).after, 7);
    channel(7).send({ kind: 'end', status: statusOf('failed') });
    assert.equal((await follow.done).kind, 'ended');
  });

  it('sees the end in the status when the stream said nothing of it, with the rows it did not bring', async () => {
    const { first } = world;
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'log', log: makeNodeLog(1) });
    await settle();
    first.logs.set('e1', [makeNodeLog(1), makeNodeLog(2)]);
    first.changeExecution('e1', { status: statusOf('failed') });
    channel(0).close();
    assert.deepEqual(await follow.done, { kind: 'ended', status: statusOf('failed') });
    assert.deepEqual(sequences(), [1, 2]);
  });

  it('ends although the record cannot be read any more, and "running" does not stay', async () => {
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'log', log: makeNodeLog(1) });
    await settle();
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    channel(0).send({ kind: 'end', status: statusOf('cancelled') });
    assert.equal((await follow.done).kind, 'ended');
    assert.equal(world.executions.find(target)?.status.state, 'cancelled');
  });

  it('can begin again after a failure, after being stopped and after the end', async () => {
    const { following } = world;
    const error = new ServiceError({ kind: 'keyRejected', code: null }, 'rejected');
    const failed = following.follow(target);
    channel(0).fail(error);
    assert.deepEqual(await failed.done, { kind: 'failed', error });
    const stopped = following.follow(target);
    assert.notEqual(stopped, failed);
    following.stopFollowing(target);
    assert.deepEqual(await stopped.done, { kind: 'stopped' });
    assert.equal(channel(1).isAborted, true);
    const ended = following.follow(target);
    channel(2).send({ kind: 'end', status: statusOf('completed') });
    await ended.done;
    const again = following.follow(target);
    assert.deepEqual(again.state.current, { kind: 'connecting' });
    assert.equal(following.find(target), again);
  });

  it('follows one execution once, and several at a time', async () => {
    const { following, first } = world;
    first.executions = [makeExecution('e2'), ...first.executions];
    const follow = following.follow(target);
    assert.equal(following.follow({ ...target }), follow);
    const second = following.follow({ ...target, executionId: 'e2' });
    assert.equal(first.channels.length, 2);
    assert.deepEqual(following.current, [follow, second]);
    channel(1).send({ kind: 'end', status: statusOf('completed') });
    await second.done;
    assert.deepEqual(following.current, [follow]);
  });

  it('goes on with its own connection after a switch, and stops with its removal', async () => {
    const { connections, following, second } = world;
    const follow = following.follow(target);
    await connections.switchTo(otherId);
    channel(0).send({ kind: 'open', by: 'stream' }, { kind: 'log', log: makeNodeLog(1) });
    await settle();
    assert.deepEqual(sequences(), [1]);
    assert.deepEqual(second.calls, []);
    await connections.remove(target.connectionId);
    assert.deepEqual(await follow.done, { kind: 'stopped' });
    assert.equal(channel(0).isAborted, true);
  });

  it('goes on at the new address when its connection moved', async () => {
    const { connections, following, clock } = world;
    const follow = following.follow(target);
    const records = connections.all.current.map((record) =>
      record.id === target.connectionId ? { ...record, baseUrl: `${firstUrl}.1` } : { ...record },
    );
    world.records.storeConnections(...records);
    connections.reload();
    await settle();
    await clock.advance(1000);
    assert.equal(world.first.channels.length, 2);
    channel(1).send({ kind: 'end', status: statusOf('completed') });
    assert.equal((await follow.done).kind, 'ended');
  });

  it('leaves nothing under way when disposed of', async () => {
    const { following, clock } = world;
    const quiet: FollowState[] = [];
    const follow = following.follow(target);
    follow.state.onDidChange((state) => quiet.push(state));
    channel(0).close();
    await settle();
    assert.equal(clock.armed, 1);
    following.dispose();
    await settle();
    assert.equal(clock.armed, 0);
    assert.deepEqual(
      quiet.map(({ kind }) => kind),
      ['catchingUp', 'stopped'],
    );
  });
});
