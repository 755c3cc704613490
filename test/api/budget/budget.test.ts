// Sixty a minute, the user first, nobody hanging, and no timer that ticks for nothing.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { KeyBudget, type RequestPermit } from '../../../src/api/budget/budget.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import type { Purpose } from '../../../src/domain/budget.ts';
import { forever, silent } from '../../support/spending.ts';

describe('budget', () => {
  let clock: HandClock;
  let budget: KeyBudget;
  beforeEach(() => {
    clock = new HandClock();
    budget = new KeyBudget({ clock, random: () => 0 });
  });
  afterEach(() => {
    budget.dispose();
    assert.equal(clock.armed, 0);
  });

  /** Requests that are on their way. */
  async function leave(count: number, purpose: Purpose = 'asked'): Promise<readonly RequestPermit[]> {
    const permits: RequestPermit[] = [];
    for (let sent = 0; sent < count; sent += 1) permits.push(await budget.admit(purpose, forever));
    return permits;
  }

  /** Requests that end at once. */
  async function spend(count: number, purpose: Purpose = 'asked'): Promise<void> {
    for (const permit of await leave(count, purpose)) permit.release(null);
  }

  /** Asks and notes the outcome, without waiting for it. */
  function ask(purpose: Purpose, log: string[], name: string, signal = forever): void {
    budget.admit(purpose, signal).then(
      () => log.push(name),
      (error: unknown) => log.push(isAbortError(error) ? `${name} cancelled` : `${name} refused`),
    );
  }

  it('lets sixty go at once and tells the next user when to come back', async () => {
    const start = clock.now();
    await spend(60);
    assert.deepEqual(budget.current, { limit: 60, remaining: 0, pausedUntil: null });
    await assert.rejects(budget.admit('asked', forever), (error) => {
      assert.ok(isServiceError(error, 'rateLimited'));
      assert.deepEqual(error.reason, { kind: 'rateLimited', retryAt: start + 60_000, isQuota: false });
      return true;
    });
  });

  it('slides: a slot is free a minute after its request has ended', async () => {
    await spend(30);
    await clock.advance(30_000);
    await spend(30);
    await clock.advance(29_999);
    assert.equal(budget.current.remaining, 0);
    await clock.advance(1);
    assert.equal(budget.current.remaining, 30);
    await spend(30);
    assert.equal(budget.waitMs('asked'), 30_000);
  });

  it('keeps fifteen free for the user', async () => {
    await spend(45, 'workflows');
    const log: string[] = [];
    ask('workflows', log, 'workflows');
    ask('following', log, 'following');
    await settle();
    assert.deepEqual(log, []);
    await spend(15);
    assert.equal(budget.waitMs('asked'), 60_000);
    await clock.advance(60_000);
    assert.deepEqual(log, ['following', 'workflows']);
  });

  it('lets a user wait up to ten seconds, no longer', async () => {
    await spend(1);
    await clock.advance(50_000);
    await spend(59);
    const log: string[] = [];
    ask('asked', log, 'asked');
    await clock.advance(9_999);
    assert.deepEqual(log, []);
    await clock.advance(1);
    assert.deepEqual(log, ['asked']);
    ask('asked', log, 'second');
    await settle();
    assert.deepEqual(log, ['asked', 'second refused']);
  });

  it('serves by priority, then by turn', async () => {
    await spend(60);
    const log: string[] = [];
    ask('workflows', log, 'b1');
    ask('following', log, 'f1');
    ask('workflows', log, 'b2');
    ask('following', log, 'f2');
    await clock.advance(55_000);
    ask('asked', log, 'u1');
    await clock.advance(5_000);
    assert.deepEqual(log, ['u1', 'f1', 'f2', 'b1', 'b2']);
  });

  it('forgets who cancelled, and then needs no timer', async () => {
    await spend(45, 'following');
    const cancel = new AbortController();
    const log: string[] = [];
    ask('following', log, 'f', cancel.signal);
    await settle();
    assert.equal(clock.armed, 1);
    cancel.abort();
    await settle();
    assert.deepEqual(log, ['f cancelled']);
    assert.equal(clock.armed, 0);
    await assert.rejects(budget.admit('asked', cancel.signal), isAbortError);
  });

  it('says whether a slot had to be waited for', async () => {
    await spend(44, 'following');
    const [permit] = await leave(1, 'following');
    assert.equal(permit?.hasWaited, false);
    const waiting = budget.admit('following', forever);
    await clock.advance(60_000);
    assert.equal((await waiting).hasWaited, true);
  });

  it('runs no timer while nothing waits', async () => {
    await spend(30);
    assert.equal(clock.armed, 0);
  });

  it('gets back the slots of what was never sent', async () => {
    const permits = await leave(10);
    permits[3]?.release('unsent');
    permits[7]?.release('unsent');
    permits[7]?.release('unsent');
    assert.equal(budget.current.remaining, 52);
    permits[0]?.release({ ...silent, limit: 60, remaining: 59, resetInMs: 60_000 });
    assert.equal(budget.current.remaining, 52);
  });

  it('believes the service that others used the same key', async () => {
    const [permit] = await leave(1);
    permit?.release({ ...silent, limit: 60, remaining: 10, resetInMs: 20_000 });
    assert.equal(budget.current.remaining, 10);
    assert.equal(budget.waitMs('asked'), 0);
    assert.equal(budget.waitMs('following'), 20_000);
    await clock.advance(20_000);
    assert.equal(budget.current.remaining, 59);
  });

  it('believes the service that more is left than we counted', async () => {
    const permits = await leave(60);
    for (const permit of permits) permit.release({ ...silent, limit: 60, remaining: 60, resetInMs: 60_000 });
    assert.equal(budget.current.remaining, 60);
  });

  it('does not take what is still on its way for free slots', async () => {
    const permits = await leave(10);
    permits[0]?.release({ ...silent, limit: 60, remaining: 59, resetInMs: 60_000 });
    assert.equal(budget.current.remaining, 50);
  });

  it('adopts another limit, and keeps a quarter of a small one free', async () => {
    const [permit] = await leave(1);
    permit?.release({ ...silent, limit: 8, remaining: 7, resetInMs: 60_000 });
    assert.deepEqual(budget.current, { limit: 8, remaining: 7, pausedUntil: null });
    await spend(5, 'following');
    assert.ok(budget.waitMs('following') > 0);
    await spend(2);
    assert.ok(budget.waitMs('asked') > 0);
  });

  it('does not take an hourly limit for the minute', async () => {
    const [permit] = await leave(1);
    permit?.release({ ...silent, limit: 5000, remaining: 4999, resetInMs: 3_600_000 });
    assert.deepEqual(budget.current, { limit: 60, remaining: 59, pausedUntil: null });
  });

  it('pauses until a refusal is over', async () => {
    const [permit] = await leave(1);
    const until = clock.now() + 8000;
    permit?.release({ ...silent, pauseMs: 8000 });
    assert.equal(budget.current.pausedUntil, until);
    const log: string[] = [];
    ask('asked', log, 'asked');
    ask('workflows', log, 'workflows');
    await clock.advance(7999);
    assert.deepEqual(log, []);
    await clock.advance(1);
    assert.deepEqual(log, ['asked', 'workflows']);
    assert.equal(budget.current.pausedUntil, null);
  });

  it('tells whoever waits when a pause turns out too long for them', async () => {
    await spend(59);
    const [permit] = await leave(1);
    const log: string[] = [];
    await clock.advance(55_000);
    ask('asked', log, 'asked');
    ask('workflows', log, 'workflows');
    await settle();
    permit?.release({ ...silent, pauseMs: 30_000 });
    await settle();
    assert.deepEqual(log, ['asked refused']);
    await clock.advance(30_000);
    assert.deepEqual(log, ['asked refused', 'workflows']);
  });

  it('names a quota', async () => {
    const [permit] = await leave(1);
    permit?.release({ ...silent, pauseMs: 600_000, isQuota: true });
    await assert.rejects(budget.admit('workflows', forever), (error) => {
      assert.ok(isServiceError(error, 'rateLimited'));
      assert.ok(error.reason.kind === 'rateLimited' && error.reason.isQuota);
      return true;
    });
  });

  it('announces what changed', async () => {
    const seen: number[] = [];
    budget.onDidChange(({ remaining }) => seen.push(remaining));
    const [permit] = await leave(1);
    permit?.release({ ...silent, remaining: 20 });
    permit?.release({ ...silent, remaining: 5 });
    assert.deepEqual(seen, [59, 20]);
  });

  it('cancels whoever waits when it ends', async () => {
    await spend(45, 'following');
    const log: string[] = [];
    ask('following', log, 'f');
    await settle();
    budget.dispose();
    await settle();
    assert.deepEqual(log, ['f cancelled']);
  });
});
