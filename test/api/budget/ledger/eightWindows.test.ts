// Eight windows for five minutes of a clock moved by hand, against a service that tells no counts.
import assert from 'node:assert/strict';
import type { RequestBudget } from '../../../../src/api/budget/budget.ts';
import { isAbortError } from '../../../../src/base/async.ts';
import { wait } from '../../../../src/base/time.ts';
import { densest } from '../../../support/densest.ts';
import { createLedgerWorld } from '../../../support/ledgerWorld.ts';
import { createRandom } from '../../../support/randomNumbers.ts';
import type { Purpose } from '../../../../src/domain/budget.ts';
import { silent } from '../../../support/spending.ts';

const windows = 8;
const lengthMs = 5 * 60_000;
const background: readonly Purpose[] = ['following', 'portalEvents', 'workflows', 'executions'];

describe('eight windows on one key', () => {
  for (const seed of [1, 2, 3]) {
    it(`never send more than sixty in a minute, and every person is answered (seed ${seed})`, async () => {
      const random = createRandom(seed);
      const world = createLedgerWorld();
      const { clock } = world;
      const end = new AbortController();
      const arrivals: { readonly at: number; readonly purpose: Purpose; readonly window: number }[] = [];
      const refused: unknown[] = [];
      let persons = 0;
      const budgets = Array.from({ length: windows }, () => world.openWindow('svc_sk_shared', { random }));

      /** A request that takes its time on the way to the service and back. */
      const send = async (window: number, purpose: Purpose): Promise<void> => {
        const lease = await budgets[window]?.admit(purpose, end.signal);
        assert.ok(lease);
        await wait(clock, random() * 2000, end.signal);
        arrivals.push({ at: clock.uptime(), purpose, window });
        await wait(clock, random() * 500, end.signal);
        lease.release(silent);
      };
      const repeat = async (window: number, next: () => Promise<void>): Promise<void> => {
        while (!end.signal.aborted) {
          try {
            await next();
          } catch (error) {
            if (!isAbortError(error)) refused.push({ window, error });
          }
        }
      };
      const work = budgets.flatMap((_budget, window) => [
        ...background.map((purpose) => repeat(window, () => send(window, purpose))),
        // A person asks once in 30 to 60 s: no more than fifteen of them in a minute, all windows together.
        repeat(window, async () => {
          await wait(clock, 30_000 + random() * 30_000, end.signal);
          persons += 1;
          await send(window, 'asked');
        }),
      ]);
      await clock.advance(lengthMs);
      const answered = arrivals.filter(({ purpose }) => purpose === 'asked').length;
      end.abort();
      await Promise.all(work);
      world.dispose();

      assert.deepEqual(refused, []);
      assert.deepEqual(world.warnings, []);
      assert.ok(densest(arrivals.map(({ at }) => at)) <= 60);
      assert.ok(persons > 30 && persons - answered <= 2, `${answered} of ${persons}`);
      // What persons leave is used, and by every window.
      assert.ok(arrivals.length > 5 * 45, `${arrivals.length}`);
      const each = budgets.map((_budget, window) => arrivals.filter((sent) => sent.window === window).length);
      assert.ok(Math.min(...each) > 15, each.join(' '));
    });
  }

  it('never send more than sixty either when persons ask for more than there is', async () => {
    const random = createRandom(4);
    const world = createLedgerWorld();
    const { clock } = world;
    const end = new AbortController();
    const arrivals: number[] = [];
    const send = async (budget: RequestBudget): Promise<void> => {
      const lease = await budget.admit('asked', end.signal);
      await wait(clock, random() * 3000, end.signal);
      arrivals.push(clock.uptime());
      lease.release(silent);
    };
    const work = Array.from({ length: windows }, async () => {
      const budget = world.openWindow('svc_sk_shared', { random });
      while (!end.signal.aborted) {
        await send(budget).catch(() => undefined);
        await wait(clock, random() * 2000, end.signal).catch(() => undefined);
      }
    });
    await clock.advance(lengthMs);
    end.abort();
    await Promise.all(work);
    world.dispose();
    assert.equal(densest(arrivals), 60);
  });
});
