// What a service tells of its limit is believed within bounds, and costs nothing beyond being read.
import assert from 'node:assert/strict';
import { LocalPlaces } from '../../../src/api/budget/localPlaces.ts';
import type { RateLimit } from '../../../src/api/budget/places.ts';
import { silent } from '../../support/spending.ts';

const now = Date.UTC(2026, 0, 5);
const minute = 60_000;

function placesFor(requestsPerMinute: number): LocalPlaces {
  return new LocalPlaces({ requestsPerMinute, random: () => 0 });
}

/** Sends a request, for which there must be a place. */
function leave(places: LocalPlaces, id: string, at: number): void {
  const waiter = { id, purpose: 'asked', priority: 'user', rank: at, deadline: at } as const;
  assert.deepEqual(places.update([], [waiter], at).admissions, [{ isAdmitted: true }]);
}

/** The places after one request, whose response told this. */
function told(reading: Partial<RateLimit>): LocalPlaces {
  const places = placesFor(60);
  leave(places, 'a', now);
  places.update([{ id: 'a', reading: { ...silent, ...reading } }], [], now);
  return places;
}

describe('what a service tells of its limit', () => {
  for (const limit of [4_000_000_000, 1e15, Infinity])
    it(`is believed up to 10,000 a minute, not to ${limit}`, () => {
      const places = told({ limit, remaining: 0, resetInMs: minute });
      assert.deepEqual(places.state(now), {
        limit: 10_000,
        remaining: 0,
        pausedUntil: null,
        isQuota: false,
      });
      assert.equal(places.readyAt('user', now), now + minute);
    });

  it('counts others between our own requests, whichever stop counting first', () => {
    const places = placesFor(4);
    leave(places, 'a', now - 50_000);
    leave(places, 'b', now - 10_000);
    const reading = { ...silent, remaining: 0, resetInMs: 30_000 };
    places.update(
      [
        { id: 'a', reading: null },
        { id: 'b', reading },
      ],
      [],
      now,
    );
    // Ours end after 10 s and 50 s, the two of others after 30 s.
    assert.equal(places.readyAt('user', now), now + 10_000);
    assert.equal(places.readyAt('user', now + 10_000), now + 10_000);
    leave(places, 'c', now + 10_000);
    assert.equal(places.readyAt('user', now + 10_000), now + 30_000);
    leave(places, 'd', now + 30_000);
    leave(places, 'e', now + 30_000);
    assert.equal(places.readyAt('user', now + 30_000), now + 50_000);
  });

  it('makes nothing wait longer than an hour', () => {
    const places = told({ pauseMs: 300 * 24 * 3_600_000, isQuota: true });
    assert.equal(places.readyAt('user', now), now + 3_600_000);
    assert.ok(places.state(now).isQuota);
  });

  it('holds nothing back for an hour when the clock is set back by one', () => {
    const places = placesFor(2);
    leave(places, 'a', now);
    leave(places, 'b', now);
    const earlier = now - 3_600_000;
    assert.equal(places.readyAt('user', earlier), earlier + minute);
    assert.equal(places.state(earlier + minute).remaining, 2);
  });
});
