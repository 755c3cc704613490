// An execution that crashes the process is found within a few crashes, whatever runs beside it, and no other is blamed or kept waiting for
// long.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Admissions } from '../../../src/service/engine/admissions.ts';
import type { Suspicion } from '../../../src/service/store/lockedExecution.ts';
import { HandClock } from '../../support/memory/ports.ts';

const none: Suspicion = { crashCount: 0, soloCrashCount: 0, outlivedMs: 0 };
const once: Suspicion = { crashCount: 1, soloCrashCount: 0, outlivedMs: 0 };
const twice: Suspicion = { crashCount: 2, soloCrashCount: 0, outlivedMs: 0 };
const { signal } = new AbortController();

/** Asks, and notes when the execution is admitted. */
function waiting(admissions: Admissions, id: string, suspicion: Suspicion) {
  const seen = { isIn: false, isAlone: false };
  void admissions.wait(id, suspicion, signal).then(({ isAlone }) => {
    seen.isIn = true;
    seen.isAlone = isAlone;
  });
  return seen;
}

describe('The executions that a process admits', () => {
  let clock: HandClock;
  let admissions: Admissions;
  let outlived: unknown[];
  beforeEach(() => {
    clock = new HandClock();
    outlived = [];
    admissions = new Admissions(clock, (...each) => outlived.push(each));
  });
  afterEach(() => admissions.dispose());

  it('are all without a suspicion, and the admission names the one that is no longer alone', () => {
    assert.deepEqual(admissions.ask('a', none), { isAlone: true, company: undefined });
    const second = admissions.ask('b', none);
    assert.deepEqual(second, { isAlone: false, company: 'a' });
    // Until that is stored, each one who comes says so.
    assert.deepEqual(admissions.ask('c', none), { isAlone: false, company: 'a' });
    admissions.entered(second);
    assert.deepEqual(admissions.ask('d', none), { isAlone: false, company: undefined });
    for (const id of ['a', 'b', 'c', 'd']) admissions.leave(id);
    assert.deepEqual(admissions.ask('e', none), { isAlone: true, company: undefined });
  });

  it('are 16 suspects of one crash at once, and more as those progress, end or take long', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const seen = ids.map((id) => waiting(admissions, id, once));
    const count = () => seen.filter(({ isIn }) => isIn).length;
    await clock.advance(1);
    assert.equal(count(), 16);
    assert.ok(admissions.ask('new', none), 'others begin meanwhile');
    admissions.leave('s0');
    admissions.clear('s1');
    await clock.advance(1);
    assert.equal(count(), 18);
    await clock.advance(1100);
    assert.equal(count(), 34);
    await clock.advance(1100);
    assert.equal(count(), 40);
  });

  it('include one suspect of two crashes alone, and no other for at most two seconds', async () => {
    assert.ok(admissions.ask('before', none));
    const suspect = waiting(admissions, 'suspect', twice);
    await clock.advance(100);
    assert.equal(suspect.isIn, false);
    const other = waiting(admissions, 'other', none);
    await clock.advance(100);
    assert.equal(other.isIn, false, 'it would never be alone');
    admissions.leave('before');
    await clock.advance(1);
    assert.deepEqual([suspect, other.isIn], [{ isIn: true, isAlone: true }, false]);
    await clock.advance(1900);
    assert.equal(other.isIn, false);
    await clock.advance(200);
    assert.equal(other.isIn, true);
  });

  it('include a suspect of two crashes beside others that do not end', async () => {
    assert.ok(admissions.ask('hanging', none));
    const suspect = waiting(admissions, 'suspect', twice);
    const other = waiting(admissions, 'other', none);
    await clock.advance(1900);
    assert.deepEqual([suspect.isIn, other.isIn], [false, false]);
    await clock.advance(200);
    assert.deepEqual([suspect, other.isIn], [{ isIn: true, isAlone: false }, true]);
  });

  it('include those that waited for one suspect before the next suspect', async () => {
    const suspects = ['one', 'two', 'three'].map((id) => waiting(admissions, id, twice));
    const other = waiting(admissions, 'other', none);
    await clock.advance(1);
    assert.deepEqual([suspects.map(({ isIn }) => isIn), other.isIn], [[true, false, false], false]);
    admissions.clear('one');
    await clock.advance(1);
    assert.equal(other.isIn, true);
    admissions.leave('one');
    admissions.leave('other');
    await clock.advance(1);
    assert.deepEqual(
      suspects.map(({ isIn }) => isIn),
      [true, true, false],
    );
  });

  it('are none while one that was alone at a crash pauses, and then that one', async () => {
    const suspect = waiting(admissions, 'suspect', { ...once, soloCrashCount: 1 });
    const other = waiting(admissions, 'other', once);
    const again = waiting(admissions, 'again', { ...twice, soloCrashCount: 2 });
    await clock.advance(400);
    assert.deepEqual([suspect.isIn, other.isIn, again.isIn], [false, false, false]);
    await clock.advance(200);
    assert.deepEqual([suspect, other.isIn], [{ isIn: true, isAlone: true }, false]);
    admissions.leave('suspect');
    await clock.advance(1);
    assert.equal(other.isIn, true);
    admissions.leave('other');
    await clock.advance(1500);
    assert.deepEqual(again, { isIn: true, isAlone: true });
  });

  it('begin with the suspect that has outlived the shortest time, once all have arrived', async () => {
    const long = waiting(admissions, 'long', { ...twice, outlivedMs: 4000 });
    const short = waiting(admissions, 'short', { ...twice, outlivedMs: 1000 });
    const other = waiting(admissions, 'other', none);
    await clock.advance(400);
    assert.deepEqual([long.isIn, short.isIn, other.isIn], [false, false, false]);
    await clock.advance(200);
    assert.deepEqual([long.isIn, short, other.isIn], [false, { isIn: true, isAlone: true }, false]);
    assert.deepEqual(outlived, []);
    await clock.advance(2000);
    assert.deepEqual([long.isIn, other.isIn, outlived], [false, true, [['short', 2000]]]);
    admissions.leave('short');
    admissions.leave('other');
    await clock.advance(1);
    assert.deepEqual(long, { isIn: true, isAlone: true });
  });

  it('do not include one that has stopped waiting', async () => {
    const controller = new AbortController();
    assert.ok(admissions.ask('before', none));
    const stopped = admissions.wait('stopped', twice, controller.signal);
    controller.abort(new Error('stop'));
    await assert.rejects(stopped, /stop/);
    assert.ok(admissions.ask('other', none));
  });
});

interface Simulated {
  readonly id: string;
  /** How long it runs; one that kills the process does so then. */
  readonly ms: number;
  readonly kills: boolean;
  crashCount: number;
  soloCrashCount: number;
  outlivedMs: number;
  isUnderWay: boolean;
  isAlone: boolean;
  end: 'completed' | 'interrupted' | undefined;
}

interface Surroundings {
  /** When the next process is killed from outside, in milliseconds after its start. */
  readonly killAt?: () => number | undefined;
  /** What is new in each process, every 100 ms. */
  readonly arrivals?: () => readonly Simulated[];
}

/** Runs executions in one process after the other, each of which one of them or `killAt` ends; returns how often the process died. */
async function live(all: Simulated[], { killAt, arrivals }: Surroundings): Promise<number> {
  for (let died = 0; died < 150; died += 1) {
    const clock = new HandClock();
    const admissions = new Admissions(clock, (id, ms) => {
      for (const one of all) if (one.id === id) one.outlivedMs = ms;
    });
    const ends = new Map<Simulated, number>();
    const limit = killAt?.();
    for (const one of all)
      if (one.isUnderWay && one.end === undefined) {
        one.crashCount += 1;
        if (one.isAlone) one.soloCrashCount += 1;
        one.isUnderWay = false;
      }
    for (const one of all) if (one.soloCrashCount >= 3) one.end = 'interrupted';
    const left = all.filter(({ end }) => end === undefined);
    if (left.length === 0) return died;
    const begin = (one: Simulated): void =>
      void admissions.wait(one.id, { ...one }, signal).then((admission) => {
        for (const other of all) if (other.id === admission.company) other.isAlone = false;
        admissions.entered(admission);
        one.isUnderWay = true;
        one.isAlone = admission.isAlone;
        ends.set(one, clock.now() + one.ms);
      });
    left.forEach(begin);
    const began = clock.now();
    let isDead = false;
    const coming = [...(arrivals?.() ?? [])];
    while (!isDead && all.some(({ end }) => end === undefined)) {
      await clock.advance(50);
      const arrived = clock.now() % 100 === 0 ? coming.shift() : undefined;
      if (arrived) {
        all.push(arrived);
        begin(arrived);
      }
      for (const [one, at] of ends) {
        if (at > clock.now()) continue;
        if (one.kills) isDead = true;
        else if (!isDead) {
          one.end = 'completed';
          one.isUnderWay = false;
          admissions.leave(one.id);
          ends.delete(one);
        }
      }
      if (limit !== undefined && clock.now() - began >= limit) isDead = true;
      assert.ok(clock.now() - began < 3_600_000, 'somebody waits for ever');
    }
    admissions.dispose();
    if (!isDead) return died;
  }
  return Infinity;
}

const simulated = (id: number, ms: number, kills = false): Simulated => ({
  id: `e${id}`,
  ms,
  kills,
  crashCount: 0,
  soloCrashCount: 0,
  outlivedMs: 0,
  isUnderWay: false,
  isAlone: false,
  end: undefined,
});

describe('An execution that crashes the process', () => {
  for (const [what, ms, hanging, most] of [
    ['at once', 0, 0, 6],
    ['at once', 0, 1, 6],
    ['at once', 0, 15, 6],
    ['at once', 0, 99, 12],
    ['after a second', 1000, 0, 6],
    ['after a second', 1000, 15, 8],
    ['after five seconds', 5000, 0, 8],
    ['after five seconds', 5000, 15, 10],
  ] as const)
    it(`${what} is found among a hundred, of which ${hanging} hang, within ${most} crashes`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(3000), { minLength: 99, maxLength: 99 }),
          fc.nat(99),
          async (times, place) => {
            const all = times.map((each, index) => simulated(index, index < hanging ? 120_000 : each));
            all.splice(place, 0, simulated(99, ms, true));
            const died = await live(all, {});
            assert.deepEqual(
              all.filter(({ end, kills }) => end !== (kills ? 'interrupted' : 'completed')),
              [],
            );
            assert.ok(died <= most, `${died} deaths`);
          },
        ),
        { numRuns: 5, endOnFailure: true },
      );
    });

  it('is found within 6 crashes while new executions arrive that hang', async () => {
    let count = 1;
    const arrivals = () => Array.from({ length: 20 }, () => simulated(count++, 120_000));
    const all = [simulated(0, 0, true)];
    const died = await live(all, { arrivals });
    assert.deepEqual(
      all.filter(({ end, kills }) => end !== (kills ? 'interrupted' : 'completed')),
      [],
    );
    assert.ok(died <= 6, `${died} deaths`);
  });

  it('is not found when the process is killed from outside, however often', async () => {
    const times = fc.array(fc.integer({ min: 5, max: 355 }), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(times, async (kills) => {
        const all = Array.from({ length: 60 }, (_, index) => simulated(index, 400));
        const left = [...kills];
        await live(all, { killAt: () => left.pop() });
        assert.deepEqual(
          all.filter(({ end }) => end !== 'completed'),
          [],
        );
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
