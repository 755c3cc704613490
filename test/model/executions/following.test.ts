// A follow ends by the execution's status, can always begin again, and loses or doubles no row.
import assert from 'node:assert/strict';
import { isServiceError, ServiceError } from '../../../src/domain/errors.ts';
import { type FollowState, isFinal } from '../../../src/model/executions/following.ts';
import { endEvent, logEvent } from '../../support/following.ts';
import { play, type Script, streamsOf } from '../../support/followScript.ts';
import type { Channel } from '../../support/memory/channel.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, firstUrl, type World } from '../../support/memory/world.ts';
import { catchUncaught } from '../../support/uncaught.ts';

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
    channel(0).send({ kind: 'open', by: 'stream' }, { kind: 'logs', logs: [makeNodeLog(1)] });
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

  describe('of an execution that has ended', () => {
    beforeEach(async () => {
      world.first.changeExecution('e1', { status: statusOf('completed') });
      world.first.logs.set('e1', [makeNodeLog(1), makeNodeLog(2), makeNodeLog(3)]);
      world.first.readAtOnce = 2;
      await world.executions.read(target);
    });

    it('reads the rest of a log that is too long to be read in one go', async () => {
      const reading = world.following.readLog(target);
      await settle();
      assert.equal(channel(0).after, 2);
      channel(0).send(
        { kind: 'logs', logs: [makeNodeLog(3)] },
        { kind: 'end', status: statusOf('completed') },
      );
      assert.equal((await reading).reading.kind, 'whole');
      assert.deepEqual(sequences(), [1, 2, 3]);
    });

    it('leaves the rest where it takes a request for each page and nobody waits for it', async () => {
      const reading = world.following.readLog(target, undefined, 'definitions');
      await settle();
      channel(0).send({ kind: 'open', by: 'polling' });
      assert.equal((await reading).reading.kind, 'part');
      assert.equal(world.following.find(target), undefined);
    });

    it('tells that a log is not whole where that was stopped, and leaves it to a caller to wait no longer', async () => {
      const controller = new AbortController();
      const leaving = world.following.readLog(target, controller.signal);
      const reading = world.following.readLog(target);
      await settle();
      controller.abort(new DOMException('Cancelled', 'AbortError'));
      await assert.rejects(leaving, { name: 'AbortError' });
      world.following.stopFollowing(target);
      assert.equal((await reading).reading.kind, 'part');
    });

    it('reads on for nobody once everybody has left', async () => {
      const controller = new AbortController();
      const reading = world.following.readLog(target, controller.signal);
      await settle();
      controller.abort(new DOMException('Cancelled', 'AbortError'));
      await assert.rejects(reading, { name: 'AbortError' });
      assert.equal(channel(0).isAborted, true);
      assert.equal(world.following.find(target), undefined);
    });
  });

  it('shows a dropped connection, and resumes without losing or doubling a row', async () => {
    const { clock } = world;
    const follow = world.following.follow(target);
    const log = (sequence: number) => ({ kind: 'logs', logs: [makeNodeLog(sequence)] }) as const;
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

  it('ends although the record cannot be read any more, and "running" does not stay', async () => {
    const follow = world.following.follow(target);
    channel(0).send({ kind: 'logs', logs: [makeNodeLog(1)] });
    await settle();
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    channel(0).send({ kind: 'end', status: statusOf('cancelled') });
    assert.equal((await follow.done).kind, 'ended');
    assert.equal(world.executions.find(target)?.status.state, 'cancelled');
  });

  it('ends for those who wait, and closes its stream, also where a listener fails', async () => {
    const { following } = world;
    const gone = new Error('A view is gone.');
    following.onDidChange(({ state }) => {
      if (isFinal(state.current)) throw gone;
    });
    const uncaught = await catchUncaught(async () => {
      const ended = following.follow(target);
      channel(0).send({ kind: 'end', status: statusOf('completed') });
      assert.equal((await ended.done).kind, 'ended');
      const stopped = following.follow(target);
      stopped.leave();
      assert.deepEqual(await stopped.done, { kind: 'stopped' });
      assert.equal(channel(1).isAborted, true);
    });
    assert.deepEqual(uncaught, [gone, gone]);
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

  it('goes on for those who joined it when the one who began it leaves, and stops with the last', async () => {
    const { following } = world;
    const begun = following.follow(target, 'test');
    const joined = following.follow(target);
    begun.leave();
    assert.ok(following.isFollowing(target));
    joined.leave();
    assert.deepEqual(await joined.done, { kind: 'stopped' });
    const anew = following.follow(target);
    begun.leave();
    joined.leave();
    assert.equal(following.current[0], anew);
  });

  it('goes on with its own connection after a switch, and stops with its removal', async () => {
    const { connections, following, second } = world;
    const follow = following.follow(target);
    await connections.switchTo(otherId);
    channel(0).send({ kind: 'open', by: 'stream' }, { kind: 'logs', logs: [makeNodeLog(1)] });
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
});

describe('following over a stream', () => {
  const target = { connectionId: 'connection_1', executionId: 'x' };

  /** The model over the real client on a script. */
  async function follow(script: Script) {
    const scripted = play(script);
    const { clock } = scripted;
    const world = createWorld({ createClient: () => scripted.client, clock });
    await connectBoth(world);
    const states: FollowState[] = [];
    const followed = world.following.follow(target);
    followed.state.onDidChange((state) => states.push(state));
    await clock.advance(0);
    const sequences = () => world.executions.logs(target).rows.map(({ sequence }) => sequence);
    return { scripted, clock, world, followed, states, sequences };
  }

  it('does not take silence for the end: it goes on after the last row, however often', async () => {
    const silent = Array.from({ length: 6 }, () => ['', 'close'] as const);
    const streams = [[logEvent(7), 'close'], ...silent, [endEvent('failed'), 'close']] as const;
    const { scripted, clock, followed, sequences } = await follow({ streams });
    for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const { current } = followed.state;
      assert.ok(current.kind === 'catchingUp' && isServiceError(current.error, 'unreachable'));
      assert.equal(current.retryAt, clock.now() + pauseMs);
      await clock.advance(pauseMs);
    }
    assert.equal(streamsOf(scripted).length, 8);
    assert.match(streamsOf(scripted)[7]?.url ?? '', /after=7$/);
    assert.equal((await followed.done).kind, 'ended');
    assert.deepEqual(sequences(), [7]);
  });

  it('sees the end in the status when the stream said nothing of it, with the rows it did not bring', async () => {
    const { clock, followed, sequences } = await follow({
      streams: [[logEvent(1), 'close']],
      statuses: ['failed'],
      logs: [[1, 2]],
    });
    await clock.advance(1000);
    const state = await followed.done;
    assert.ok(state.kind === 'ended' && state.status.state === 'failed');
    assert.deepEqual(sequences(), [1, 2]);
  });

  it('takes over together what comes in one piece', async () => {
    const rows = Array.from({ length: 100 }, (_row, index) => logEvent(index + 1)).join('');
    const { world, scripted } = await follow({
      streams: [
        ['', 'reset'],
        [rows, 'silence'],
      ],
    });
    const batches: number[] = [];
    world.executions.logs(target).onDidAppend(({ rows: { length } }) => batches.push(length));
    await scripted.clock.advance(1000);
    assert.deepEqual(batches, [100]);
    world.following.dispose();
  });

  it('leaves nothing under way when disposed of', async () => {
    const { world, clock, states } = await follow({ streams: [['', 'close']] });
    assert.equal(clock.armed, 1);
    world.following.dispose();
    await settle();
    assert.equal(clock.armed, 0);
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['following', 'catchingUp', 'stopped'],
    );
  });
});
