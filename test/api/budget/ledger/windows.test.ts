// Several windows of one machine draw from one key's minute.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import type { RequestPermit, RequestBudget } from '../../../../src/api/budget/budget.ts';
import { isAbortError } from '../../../../src/base/async.ts';
import { isServiceError } from '../../../../src/domain/errors.ts';
import {
  createLedgerWorld,
  type LedgerWorld,
  service,
  type SettableClock,
} from '../../../support/ledgerWorld.ts';
import { settle } from '../../../support/memory/ports.ts';
import type { Purpose } from '../../../../src/domain/budget.ts';
import { forever, silent, spend } from '../../../support/spending.ts';

describe('budget of all windows', () => {
  let world: LedgerWorld;
  let clock: SettableClock;
  beforeEach(() => {
    world = createLedgerWorld();
    ({ clock } = world);
  });
  afterEach(() => {
    world.dispose();
    assert.equal(clock.armed, 0);
  });

  /** Asks and notes the outcome, without waiting for it. */
  function ask(budget: RequestBudget, purpose: Purpose, log: string[], name: string, signal = forever): void {
    budget.admit(purpose, signal).then(
      (lease) => {
        lease.release(silent);
        log.push(name);
      },
      (error: unknown) => log.push(isAbortError(error) ? `${name} cancelled` : `${name} refused`),
    );
  }

  it('gets back what was never sent, in every window', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 20);
    const lease = await one.admit('asked', forever);
    assert.equal(other.current.remaining, 39);
    lease.release('unsent');
    assert.deepEqual([one.current.remaining, other.current.remaining], [40, 40]);
    assert.deepEqual(one.usage().purposes, { asked: 20 });
  });

  it('is one: what one window sends, no other can', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 40);
    assert.equal(other.current.remaining, 20);
    await spend(other, 20);
    assert.equal(one.current.remaining, 0);
    await assert.rejects(one.admit('asked', forever), (error) => {
      assert.ok(isServiceError(error, 'rateLimited'));
      return true;
    });
    await clock.advance(60_000);
    assert.equal(one.current.remaining, 60);
    assert.deepEqual(world.warnings, []);
  });

  it('counts keys and origins apart', async () => {
    await spend(world.openWindow('svc_sk_a'), 60);
    assert.equal(world.openWindow('svc_sk_b').current.remaining, 60);
  });

  it('keeps fifteen for persons, whichever window asks', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 45, 'following');
    assert.ok(other.waitMs('workflows') > 0);
    await spend(other, 15);
    assert.equal(one.current.remaining, 0);
  });

  it('counts a request until a minute after its answer, since nobody knows when it arrived', async () => {
    const budget = world.openWindow();
    const lease = await budget.admit('asked', forever);
    await clock.advance(20_000);
    lease.release(silent);
    await clock.advance(59_999);
    assert.equal(budget.current.remaining, 59);
    await clock.advance(1);
    assert.equal(budget.current.remaining, 60);
  });

  it('counts what a window sent that died before the answer, and no longer than it can matter', async () => {
    const [died, other] = [world.openWindow(), world.openWindow()];
    for (let sent = 0; sent < 10; sent += 1) await died.admit('asked', forever);
    died.dispose();
    assert.equal(other.current.remaining, 50);
    await clock.advance(90_000);
    assert.equal(other.current.remaining, 60);
  });

  it('serves windows in the order in which they asked, persons first', async () => {
    const [one, two, three] = [world.openWindow(), world.openWindow(), world.openWindow()];
    await spend(one, 60);
    const log: string[] = [];
    await clock.advance(10);
    for (let count = 0; count < 50; count += 1) ask(one, 'following', log, 'one');
    await clock.advance(10);
    ask(two, 'workflows', log, 'two');
    await clock.advance(55_000);
    ask(three, 'asked', log, 'person');
    await clock.advance(8_000);
    assert.equal(log[0], 'person');
    assert.equal(log.filter((name) => name === 'one').length, 44);
    await clock.advance(62_000);
    assert.equal(log.length, 52);
  });

  it('lets no window overtake another that waits for the next slot', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 1);
    await clock.advance(30_000);
    await spend(one, 59);
    await clock.advance(25_000);
    const log: string[] = [];
    ask(one, 'asked', log, 'first');
    await clock.advance(5_000);
    ask(other, 'asked', log, 'second');
    await clock.advance(100);
    assert.deepEqual(log, ['second refused', 'first']);
  });

  it('starves nobody: who refreshes gets a turn beside windows that follow all the time', async () => {
    const [busy, quiet] = [world.openWindow(), world.openWindow()];
    let isOver = false;
    const follow = async (): Promise<void> => {
      while (!isOver) (await busy.admit('following', forever)).release(silent);
    };
    const followers = Array.from({ length: 20 }, () => follow().catch(() => undefined));
    await clock.advance(1_000);
    const log: string[] = [];
    ask(quiet, 'workflows', log, 'quiet');
    await clock.advance(75_000);
    assert.deepEqual(log, ['quiet']);
    isOver = true;
    busy.dispose();
    await Promise.all(followers);
  });

  it('passes over a window that waits and died', async () => {
    const [died, other] = [world.openWindow(), world.openWindow()];
    await spend(other, 45, 'following');
    const log: string[] = [];
    for (let count = 0; count < 30; count += 1) ask(died, 'following', log, 'died');
    await clock.advance(10);
    ask(other, 'following', log, 'other');
    await clock.advance(50_000);
    // Killed: nothing is taken back, its timers are gone.
    clock.forget(1);
    await clock.advance(14_500);
    assert.deepEqual(log, ['other']);
  });

  it('takes back a hundred that were cancelled while they waited', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 45, 'following');
    const log: string[] = [];
    const cancel = new AbortController();
    for (let count = 0; count < 100; count += 1) ask(one, 'following', log, 'one', cancel.signal);
    await clock.advance(100);
    ask(other, 'workflows', log, 'other');
    await clock.advance(100);
    cancel.abort();
    await settle();
    assert.equal(log.length, 100);
    assert.equal(clock.armed, 1);
    await clock.advance(61_000);
    assert.equal(log.at(-1), 'other');
  });

  it('tells all windows what one was told: other clients, the limit, a pause', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    (await one.admit('asked', forever)).release({ ...silent, limit: 60, remaining: 10, resetInMs: 20_000 });
    assert.equal(other.current.remaining, 10);
    assert.equal(other.usage().otherClients, 49);
    await clock.advance(20_000);
    assert.equal(other.current.remaining, 59);
    (await one.admit('asked', forever)).release({ ...silent, limit: 8, remaining: 7, resetInMs: 60_000 });
    assert.equal(other.current.limit, 8);
    (await one.admit('asked', forever)).release({ ...silent, pauseMs: 8000 });
    assert.equal(other.current.pausedUntil, clock.now() + 8250);
  });

  it('does not take for other clients what was under way in another window', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    const first = await one.admit('asked', forever);
    const leases: RequestPermit[] = [];
    for (let sent = 0; sent < 9; sent += 1) leases.push(await other.admit('asked', forever));
    for (const lease of leases.slice(0, 5)) lease.release(silent);
    first.release({ ...silent, limit: 60, remaining: 59, resetInMs: 60_000 });
    assert.equal(one.current.remaining, 50);
    assert.equal(one.usage().otherClients, 0);
  });

  it('says what the requests are for and how many other windows sent', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 3);
    await spend(other, 2, 'following');
    await spend(other, 1, 'workflows');
    const { purposes, otherWindows, otherClients } = one.usage();
    assert.deepEqual({ ...purposes }, { asked: 3, following: 2, workflows: 1 });
    assert.equal(otherWindows, 3);
    assert.equal(otherClients, 0);
  });

  it('takes no notice of a clock that is set, back or forward', async () => {
    const budget = world.openWindow();
    await spend(budget, 60);
    clock.set(-3_600_000);
    await clock.advance(30_000);
    assert.equal(budget.current.remaining, 0);
    assert.equal(world.openWindow().waitMs('asked'), 30_000);
    clock.set(7_200_000);
    assert.equal(budget.waitMs('asked'), 30_000);
    await clock.advance(30_000);
    assert.equal(budget.current.remaining, 60);
  });

  it('counts on after the machine was started anew', async () => {
    await spend(world.openWindow(), 60);
    clock.restart(20_000);
    const budget = world.openWindow();
    assert.equal(budget.current.remaining, 0);
    await clock.advance(40_000);
    assert.equal(budget.current.remaining, 60);
  });

  it('keeps no key, nor the hash of one, readable by its owner alone, and stays small', async () => {
    const budget = world.openWindow('svc_sk_secret0123456789');
    for (let minute = 0; minute < 20; minute += 1) {
      await spend(budget, 60);
      await clock.advance(60_000);
    }
    const folder = dirname(world.path);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(size < 1_000_000, `${size} bytes`);
    const key = 'svc_sk_secret0123456789';
    const hashes = [key, `${new URL(service).origin}\n${key}`].map((text) =>
      createHash('sha256').update(text).digest(),
    );
    for (const file of files) {
      const content = readFileSync(file);
      assert.ok(!content.includes('svc_sk_') && !hashes.some((hash) => content.includes(hash)));
      if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o077, 0, file);
    }
  });
});
