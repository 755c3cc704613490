import assert from 'node:assert/strict';
import { Pulse } from '../../src/base/pulse.ts';
import { HandClock } from '../support/memory/ports.ts';

type Times = ConstructorParameters<typeof Pulse>[2];

function start(times: Times, onBeat: () => void = () => undefined) {
  const clock = new HandClock(0);
  const beats: number[] = [];
  const pulse = new Pulse(
    clock,
    () => {
      beats.push(clock.now());
      onBeat();
    },
    times,
  );
  return { clock, beats, pulse };
}

/** Keeps the thread busy for so many milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('a pulse', () => {
  it('beats once after the first wait, whoever asks meanwhile', async () => {
    const { clock, beats, pulse } = start({ first: 200 });
    pulse.ask();
    await clock.advance(150);
    pulse.ask();
    assert.equal(clock.armed, 1);
    await clock.advance(500);
    assert.deepEqual(beats, [200]);
    pulse.ask();
    await clock.advance(500);
    assert.deepEqual(beats, [200, 850]);
  });

  it('beats at once without such a wait, and later only after the pause', async () => {
    const { clock, beats, pulse } = start({ pause: 300 });
    pulse.ask();
    assert.deepEqual(beats, [0]);
    await clock.advance(100);
    pulse.ask();
    pulse.ask();
    assert.deepEqual(beats, [0]);
    await clock.advance(1000);
    assert.deepEqual(beats, [0, 300]);
    pulse.ask();
    assert.deepEqual(beats, [0, 300, 1100]);
  });

  it('beats on a turn of its own with a first wait of 0', async () => {
    const { clock, beats, pulse } = start({ first: 0, pause: 100 });
    pulse.ask();
    assert.deepEqual(beats, []);
    await clock.advance(0);
    pulse.ask();
    await clock.advance(1000);
    assert.deepEqual(beats, [0, 100]);
  });

  it('waits for the time that is asked for', async () => {
    const { clock, beats, pulse } = start({ first: 200 });
    pulse.ask(1000);
    await clock.advance(2000);
    assert.deepEqual(beats, [1000]);
  });

  it('rests longer after a beat that took long, but not for ever', async () => {
    const { clock, beats, pulse } = start(
      { first: 0, pause: 10, backoff: { factor: 10, longest: 150 } },
      () => work(20),
    );
    pulse.ask();
    await clock.advance(0);
    pulse.ask();
    await clock.advance(149);
    assert.deepEqual(beats, [0]);
    await clock.advance(1);
    assert.deepEqual(beats, [0, 150]);
  });

  it('rests also after a beat that fails', async () => {
    const { clock, beats, pulse } = start({ pause: 100 }, () => assert.fail('It fails.'));
    assert.throws(() => pulse.ask(), /It fails/);
    pulse.ask();
    assert.deepEqual(beats, [0]);
    await assert.rejects(clock.advance(1000), /It fails/);
    assert.deepEqual(beats, [0, 100]);
  });

  it('that is asked for in a beat comes after the pause', async () => {
    const { clock, beats, pulse } = start({ pause: 100 }, () => {
      if (beats.length < 3) pulse.ask();
    });
    pulse.ask();
    assert.deepEqual(beats, [0]);
    await clock.advance(1000);
    assert.deepEqual(beats, [0, 100, 200]);
  });

  it('comes at rest only once nobody asks any more', async () => {
    const { clock, beats, pulse } = start({ first: 200 });
    for (const wait of [150, 150, 400]) {
      pulse.askAtRest();
      await clock.advance(wait);
    }
    assert.deepEqual(beats, [500]);
  });

  it('beats when it is told to, for those who asked as well', async () => {
    const { clock, beats, pulse } = start({ first: 200 });
    pulse.ask();
    pulse.beat();
    await clock.advance(1000);
    assert.deepEqual(beats, [0]);
  });

  it('goes on when the clock was set back', () => {
    let now = 10_000;
    const beats: number[] = [];
    const clock = { now: () => now, schedule: () => assert.fail('It waits.') };
    const pulse = new Pulse(clock, () => beats.push(now), { pause: 300 });
    pulse.ask();
    now = 0;
    pulse.ask();
    assert.deepEqual(beats, [10_000, 0]);
  });

  it('does nothing more once it is cancelled or disposed of', async () => {
    const { clock, beats, pulse } = start({ first: 200 });
    pulse.ask();
    pulse.cancel();
    await clock.advance(1000);
    pulse.ask();
    pulse.dispose();
    pulse.ask();
    await clock.advance(1000);
    assert.deepEqual(beats, []);
    assert.equal(clock.armed, 0);
  });
});
