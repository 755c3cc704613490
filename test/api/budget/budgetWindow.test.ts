// What a service tells of its limit is believed within bounds, and costs nothing beyond being read.
import assert from 'node:assert/strict';
import { type BudgetWindow, createWindow } from '../../../src/api/budget/budgetWindow.ts';
import type { RateLimit } from '../../../src/api/budget/limitRules.ts';

const silent: RateLimit = { limit: null, remaining: null, resetInMs: null, pauseMs: null, isQuota: false };
const now = Date.UTC(2026, 0, 5);
const minute = 60_000;

function told(reading: Partial<RateLimit>): BudgetWindow {
  const window = createWindow(60, () => 0);
  window.leave(now);
  window.settle({ ...silent, ...reading }, now);
  return window;
}

describe('what a service tells of its limit', () => {
  for (const limit of [4_000_000_000, 1e15, Infinity])
    it(`is believed up to 10,000 a minute, not to ${limit}`, () => {
      const window = told({ limit, remaining: 0, resetInMs: minute });
      assert.deepEqual(window.state(now), { limit: 10_000, remaining: 0, pausedUntil: null });
      assert.equal(window.readyAt('user', now), now + minute);
    });

  it('counts others between our own requests, whichever stop counting first', () => {
    const window = createWindow(4, () => 0);
    window.leave(now - 50_000);
    window.leave(now - 10_000);
    window.settle(null, now);
    window.settle({ ...silent, remaining: 0, resetInMs: 30_000 }, now);
    // Ours end after 10 s and 50 s, the two of others after 30 s.
    assert.equal(window.readyAt('user', now), now + 10_000);
    assert.equal(window.readyAt('user', now + 10_000), now + 10_000);
    window.leave(now + 10_000);
    assert.equal(window.readyAt('user', now + 10_000), now + 30_000);
    window.leave(now + 30_000);
    window.leave(now + 30_000);
    assert.equal(window.readyAt('user', now + 30_000), now + 50_000);
  });

  it('makes nothing wait longer than an hour', () => {
    const window = told({ pauseMs: 300 * 24 * 3_600_000, isQuota: true });
    assert.equal(window.readyAt('user', now), now + 3_600_000);
    assert.ok(window.isQuota(now));
  });

  it('holds nothing back for an hour when the clock is set back by one', () => {
    const window = createWindow(2, () => 0);
    window.leave(now);
    window.leave(now);
    const earlier = now - 3_600_000;
    assert.equal(window.readyAt('user', earlier), earlier + minute);
    assert.equal(window.state(earlier + minute).remaining, 2);
  });
});
