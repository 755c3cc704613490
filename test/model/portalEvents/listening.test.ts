// How often is asked depends on who looks; nobody looking means not at all.
import assert from 'node:assert/strict';
import { eventPollDelay, PollPace } from '../../../src/model/portalEvents/listening.ts';
import { HandClock } from '../../support/memory/ports.ts';

const seen = { isVisible: true, isFocused: true };
const hidden = { isVisible: false, isFocused: true };
const unfocused = { isVisible: true, isFocused: false };
const polls = [0, 1, 2, 3, 4, 5];

describe('pace of polling', () => {
  it('slows down, more so while hidden, and stops without the focus', () => {
    assert.deepEqual(
      polls.map((idle) => eventPollDelay(seen, idle)),
      [2000, 3000, 5000, 8000, 15_000, 15_000],
    );
    assert.deepEqual(
      polls.map((idle) => eventPollDelay(hidden, idle)),
      [15_000, 30_000, 60_000, 60_000, 60_000, 60_000],
    );
    assert.equal(eventPollDelay(unfocused, 0), null);
  });

  it('measures a wait under way anew when somebody comes or goes', async () => {
    const clock = new HandClock();
    const pace = new PollPace(clock);
    const { signal } = new AbortController();
    let polled = 0;
    pace.setAttention(hidden);
    const first = pace.next(0, signal).then(() => (polled += 1));
    await clock.advance(10_000);
    assert.equal(polled, 0);
    pace.setAttention(seen);
    await clock.advance(0);
    assert.equal(polled, 1);
    await first;

    pace.setAttention(unfocused);
    const second = pace.next(0, signal).then(() => (polled += 1));
    await clock.advance(3_600_000);
    assert.deepEqual([polled, clock.armed], [1, 0]);
    pace.setAttention(seen);
    await clock.advance(0);
    await second;
    assert.equal(polled, 2);
  });

  it('ends with its signal', async () => {
    const pace = new PollPace(new HandClock());
    const over = new AbortController();
    const waits = [pace.next(0, over.signal), pace.whenFocused(over.signal)];
    over.abort();
    for (const { status } of await Promise.allSettled(waits)) assert.equal(status, 'rejected');
  });
});
