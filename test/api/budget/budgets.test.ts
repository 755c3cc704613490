// The service counts by key, so whoever uses the same key here draws from the same sixty, and nobody else does.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import type { RequestPermit, RequestBudget } from '../../../src/api/budget/budget.ts';
import { isAbortError } from '../../../src/base/async.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import { forever, silent } from '../../support/spending.ts';

const service = 'https://service.example/v1';

describe('budgets', () => {
  let clock: HandClock;
  let budgets: Budgets;
  beforeEach(() => {
    clock = new HandClock();
    budgets = new Budgets({ clock, random: () => 0 });
  });
  afterEach(() => {
    budgets.dispose();
    assert.equal(clock.armed, 0);
  });

  function open(key: string, baseUrl = service): RequestBudget {
    const budget = budgets.open(baseUrl);
    budget.useKey(key);
    return budget;
  }

  /** Requests that are on their way. */
  async function leave(budget: RequestBudget, count: number): Promise<readonly RequestPermit[]> {
    const permits: RequestPermit[] = [];
    for (let sent = 0; sent < count; sent += 1) permits.push(await budget.admit('asked', forever));
    return permits;
  }

  /** Requests that end at once. */
  async function spend(budget: RequestBudget, count: number): Promise<void> {
    for (const permit of await leave(budget, count)) permit.release(null);
  }

  /** Asks and notes the outcome, without waiting for it. */
  function ask(budget: RequestBudget, log: string[], name: string, signal = forever): void {
    budget.admit('workflows', signal).then(
      () => log.push(name),
      (error: unknown) => log.push(isAbortError(error) ? `${name} cancelled` : `${name} refused`),
    );
  }

  it('count together for the same key at the same origin, whatever the path', async () => {
    const [one, other] = [open('svc_sk_a'), open('svc_sk_a', 'https://service.example/api/v2')];
    await spend(one, 40);
    await spend(other, 20);
    assert.equal(one.current.remaining, 0);
    assert.equal(other.waitMs('asked'), 60_000);
  });

  it('count apart for another key, and for the same key at another origin', async () => {
    await spend(open('svc_sk_a'), 60);
    assert.equal(open('svc_sk_b').current.remaining, 60);
    assert.equal(open('svc_sk_a', 'https://other.example/v1').current.remaining, 60);
  });

  it('remember for the next client what one that is gone has sent', async () => {
    const checking = open('svc_sk_a');
    await spend(checking, 5);
    checking.dispose();
    await spend(open('svc_sk_b'), 1);
    assert.equal(open('svc_sk_a').current.remaining, 55);
  });

  it('tell every client of a key what another one sent', async () => {
    const [one, other] = [open('svc_sk_a'), open('svc_sk_a')];
    const seen: number[] = [];
    other.onDidChange(({ remaining }) => seen.push(remaining));
    const [permit] = await leave(one, 1);
    permit?.release({ ...silent, remaining: 20 });
    assert.deepEqual(seen, [59, 20]);
  });

  it('start afresh with another key, also for what waits already', async () => {
    const budget = open('svc_sk_a');
    const [permit] = await leave(budget, 1);
    permit?.release({ ...silent, pauseMs: 9000 });
    const log: string[] = [];
    const seen: (number | null)[] = [];
    budget.onDidChange(({ pausedUntil }) => seen.push(pausedUntil));
    ask(budget, log, 'waiting');
    await settle();
    assert.deepEqual(log, []);
    budget.useKey('svc_sk_b');
    await settle();
    assert.deepEqual(log, ['waiting']);
    assert.equal(budget.current.remaining, 59);
    assert.deepEqual(seen, [null, null]);
  });

  it('cancel what a client has waiting when it ends, and not what another has', async () => {
    const [one, other] = [open('svc_sk_a'), open('svc_sk_a')];
    await spend(one, 60);
    const log: string[] = [];
    const cancel = new AbortController();
    ask(one, log, 'one');
    ask(other, log, 'other');
    ask(other, log, 'third', cancel.signal);
    await settle();
    one.dispose();
    cancel.abort();
    await settle();
    assert.deepEqual(log.sort(), ['one cancelled', 'third cancelled']);
    await assert.rejects(one.admit('asked', forever), isAbortError);
    await clock.advance(60_000);
    assert.deepEqual(log.sort(), ['one cancelled', 'other', 'third cancelled']);
  });

  it('forget a key that nobody uses once its minute is over', async () => {
    const first = open('svc_sk_a');
    const [permit] = await leave(first, 1);
    permit?.release({ ...silent, limit: 8, remaining: 7, resetInMs: 60_000 });
    first.dispose();
    await clock.advance(60_000);
    open('svc_sk_b');
    assert.equal(open('svc_sk_a').current.limit, 60);
  });

  it('hold no key', () => {
    const budget = open('svc_sk_secret');
    assert.ok(!inspect([budgets, budget], { depth: 9, showHidden: true }).includes('svc_sk_secret'));
  });
});
