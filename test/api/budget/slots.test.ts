// One minute's rules, in one window alone and in a file that windows share. What a service says of its limit is believed within bounds.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '../../../src/api/budget/ledger/ledger.ts';
import { SharedSlots } from '../../../src/api/budget/ledger/sharedSlots.ts';
import { LocalSlots } from '../../../src/api/budget/localSlots.ts';
import { type RateLimit, type RequestSlots, SentRequests } from '../../../src/api/budget/slots.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { silent } from '../../support/spending.ts';

const now = Date.UTC(2026, 0, 5);
const minute = 60_000;

/** Sends a request, for which there must be a slot. */
function leave(slots: RequestSlots, id: string, at: number): void {
  const waiter = { id, purpose: 'asked', priority: 'user', rank: at, deadline: at } as const;
  assert.deepEqual(slots.update([], [waiter], at)?.admissions, [{ isAdmitted: true }]);
}

/** The request ends, with a response that says nothing else. */
function end(slots: RequestSlots, id: string, at: number, reading: Partial<RateLimit> = {}): void {
  slots.update([{ id, reading: { ...silent, ...reading } }], [], at);
}

describe('the requests of this process', () => {
  it('are forgotten once they no longer count, also where only the file of all windows is asked', () => {
    const sent = new SentRequests();
    sent.add('early', 'asked', now);
    sent.add('late', 'asked', now + 2 * minute);
    // As if no time had passed: what is still kept counts again.
    assert.deepEqual(
      sent.counting(now).map(({ id }) => id),
      ['late'],
    );
  });
});

function describeSlots(name: string, create: (requestsPerMinute: number) => RequestSlots): void {
  /** The slots after one request, with this response. */
  function after(reading: Partial<RateLimit>): RequestSlots {
    const slots = create(60);
    leave(slots, 'a', now);
    end(slots, 'a', now, reading);
    return slots;
  }

  describe(`the slots of a minute ${name}`, () => {
    for (const limit of [4_000_000_000, 1e15, Infinity])
      it(`number at most 10,000 where the service says ${limit}`, () => {
        const slots = after({ limit, remaining: 0, resetInMs: minute });
        assert.deepEqual(slots.state(now), {
          limit: 10_000,
          remaining: 0,
          pausedUntil: null,
          isQuota: false,
        });
        assert.equal(slots.readyAt('user', now), now + minute);
      });

    it('are taken until a minute after the end of a request, since the service may have counted it last', () => {
      const slots = create(1);
      leave(slots, 'a', now);
      end(slots, 'a', now + 20_000);
      assert.equal(slots.readyAt('user', now + 20_000), now + 80_000);
      assert.equal(slots.state(now + minute).remaining, 0);
      assert.equal(slots.state(now + 80_000).remaining, 1);
    });

    it('are taken for a minute and the longest way by a request that never ends', () => {
      const slots = create(1);
      leave(slots, 'a', now);
      assert.equal(slots.readyAt('user', now), now + 90_000);
    });

    it('are given back by a request that was never sent', () => {
      const slots = create(2);
      leave(slots, 'a', now);
      leave(slots, 'b', now);
      slots.update([{ id: 'a', reading: 'unsent' }], [], now);
      assert.equal(slots.state(now).remaining, 1);
      assert.equal(slots.readyAt('user', now), now);
    });

    it('are taken by requests on the way, which the count of the service may not include', () => {
      const slots = create(10);
      leave(slots, 'a', now);
      leave(slots, 'b', now);
      end(slots, 'a', now, { remaining: 9 });
      assert.equal(slots.state(now).remaining, 8);
      end(slots, 'b', now, { remaining: 5 });
      assert.equal(slots.usage(now).otherClients, 4);
    });

    it('count others between our own requests, whichever stop counting first', () => {
      const slots = create(4);
      leave(slots, 'a', now - 50_000);
      end(slots, 'a', now - 50_000);
      leave(slots, 'b', now - 10_000);
      end(slots, 'b', now - 10_000);
      leave(slots, 'c', now);
      end(slots, 'c', now, { remaining: 0, resetInMs: 30_000 });
      // Ours end after 10 s, 50 s and 60 s, the one of others after 30 s.
      assert.equal(slots.readyAt('user', now), now + 10_000);
      leave(slots, 'd', now + 10_000);
      end(slots, 'd', now + 10_000);
      assert.equal(slots.readyAt('user', now + 10_000), now + 30_000);
      leave(slots, 'e', now + 30_000);
      end(slots, 'e', now + 30_000);
      assert.equal(slots.readyAt('user', now + 30_000), now + 50_000);
    });

    it('are kept for those who wait in front', () => {
      const slots = create(1);
      leave(slots, 'a', now);
      end(slots, 'a', now);
      const wait = (id: string) =>
        ({ id, purpose: 'asked', priority: 'user', rank: now, deadline: Infinity }) as const;
      const update = slots.update([], [wait('b'), wait('c')], now);
      assert.deepEqual(update?.admissions[0], { isAdmitted: false, readyAt: now + minute });
      assert.equal(update.admissions[1]?.isAdmitted, false);
    });

    it('are refused for an hour at most', () => {
      const slots = after({ pauseMs: 300 * 24 * 3_600_000, isQuota: true });
      assert.equal(slots.readyAt('user', now), now + 3_600_000);
      assert.ok(slots.state(now).isQuota);
    });
  });
}

describe('slots', () => {
  const owned = new DisposableStore();
  const folder = mkdtempSync(join(tmpdir(), 'slots-'));
  after(() => {
    owned.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const random = (): number => 0;
  describeSlots('of one window alone', (requestsPerMinute) => new LocalSlots({ requestsPerMinute, random }));
  describeSlots('of all windows', (requestsPerMinute) => {
    const clock = { now: () => now };
    const path = join(mkdtempSync(join(folder, 'file-')), 'budget.db');
    const ledger = owned.add(new Ledger({ path, uptime: () => now, clock, logger: silentLogger }));
    const wallNow = (): number => now;
    return new SharedSlots({ requestsPerMinute, random, ledger, name: 'key', window: 'window', wallNow });
  });

  it('of one window alone are free again soon when its clock is set back by an hour', () => {
    const slots = new LocalSlots({ requestsPerMinute: 2, random });
    leave(slots, 'a', now);
    leave(slots, 'b', now);
    const earlier = now - 3_600_000;
    assert.equal(slots.readyAt('user', earlier), earlier + 90_000);
    assert.equal(slots.state(earlier + 90_000).remaining, 2);
  });
});
