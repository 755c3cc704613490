// What a service tells of its limit is believed within bounds, and costs nothing beyond being read.
import assert from 'node:assert/strict';
import { LocalSlots } from '../../../src/api/budget/localSlots.ts';
import type { RateLimit } from '../../../src/api/budget/slots.ts';
import { silent } from '../../support/spending.ts';

const now = Date.UTC(2026, 0, 5);
const minute = 60_000;

function placesFor(requestsPerMinute: number): LocalSlots {
  return new LocalSlots({ requestsPerMinute, random: () => 0 });
}

/** Sends a request, for which there must be a slot. */
function leave(slots: LocalSlots, id: string, at: number): void {
  const waiter = { id, purpose: 'asked', priority: 'user', rank: at, deadline: at } as const;
  assert.deepEqual(slots.update([], [waiter], at).admissions, [{ isAdmitted: true }]);
}

/** The slots after one request, whose response told this. */
function told(reading: Partial<RateLimit>): LocalSlots {
  const slots = placesFor(60);
  leave(slots, 'a', now);
  slots.update([{ id: 'a', reading: { ...silent, ...reading } }], [], now);
  return slots;
}

describe('what a service tells of its limit', () => {
  for (const limit of [4_000_000_000, 1e15, Infinity])
    it(`is believed up to 10,000 a minute, not to ${limit}`, () => {
      const slots = told({ limit, remaining: 0, resetInMs: minute });
      assert.deepEqual(slots.state(now), {
        limit: 10_000,
        remaining: 0,
        pausedUntil: null,
        isQuota: false,
      });
      assert.equal(slots.readyAt('user', now), now + minute);
    });

  it('counts others between our own requests, whichever stop counting first', () => {
    const slots = placesFor(4);
    leave(slots, 'a', now - 50_000);
    leave(slots, 'b', now - 10_000);
    const reading = { ...silent, remaining: 0, resetInMs: 30_000 };
    slots.update(
      [
        { id: 'a', reading: null },
        { id: 'b', reading },
      ],
      [],
      now,
    );
    // Ours end after 10 s and 50 s, the two of others after 30 s.
    assert.equal(slots.readyAt('user', now), now + 10_000);
    assert.equal(slots.readyAt('user', now + 10_000), now + 10_000);
    leave(slots, 'c', now + 10_000);
    assert.equal(slots.readyAt('user', now + 10_000), now + 30_000);
    leave(slots, 'd', now + 30_000);
    leave(slots, 'e', now + 30_000);
    assert.equal(slots.readyAt('user', now + 30_000), now + 50_000);
  });

  it('makes nothing wait longer than an hour', () => {
    const slots = told({ pauseMs: 300 * 24 * 3_600_000, isQuota: true });
    assert.equal(slots.readyAt('user', now), now + 3_600_000);
    assert.ok(slots.state(now).isQuota);
  });

  it('holds nothing back for an hour when the clock is set back by one', () => {
    const slots = placesFor(2);
    leave(slots, 'a', now);
    leave(slots, 'b', now);
    const earlier = now - 3_600_000;
    assert.equal(slots.readyAt('user', earlier), earlier + minute);
    assert.equal(slots.state(earlier + minute).remaining, 2);
  });
});
