// A service is asked for its list while somebody sees what it's about, and at no other time.
import assert from 'node:assert/strict';
import { listPauseMs, SightPulse } from '../../../src/features/workflowFiles/sightPulse.ts';
import { HandClock } from '../../support/memory/ports.ts';

describe('looking at linked files', () => {
  it('begins at once, goes on every 30 s, and ends with the focus of the window', async () => {
    const clock = new HandClock();
    let looks = 0;
    const sight = new SightPulse(clock, () => (looks += 1));
    await clock.advance(listPauseMs * 5);
    assert.equal(looks, 0);
    sight.watch(true);
    assert.equal(looks, 1);
    for (let times = 0; times < 3; times += 1) await clock.advance(listPauseMs);
    assert.equal(looks, 4);
    sight.watch(false);
    await clock.advance(listPauseMs * 5);
    assert.equal(looks, 4);
    sight.dispose();
  });

  it('asks for a list at most once in 30 s, and never unseen', async () => {
    const clock = new HandClock();
    const sight = new SightPulse(clock, () => undefined);
    assert.equal(sight.isDue(undefined), false);
    sight.watch(true);
    assert.equal(sight.isDue(undefined), true);
    const asked = clock.now();
    await clock.advance(listPauseMs - 1);
    assert.equal(sight.isDue(asked), false);
    await clock.advance(1);
    assert.equal(sight.isDue(asked), true);
    sight.watch(false);
    assert.equal(sight.isDue(asked), false);
    sight.dispose();
  });
});
