// Whatever happens, no more requests leave in a minute than the limit allows, and nobody waits for ever.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyBudget, maximumWaitMs, type RequestPermit, priorityOf } from '../../src/api/budget/budget.ts';
import type { RateLimit } from '../../src/api/budget/slots.ts';
import { isAbortError } from '../../src/base/async.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { HandClock, settle } from '../support/memory/ports.ts';
import { tries } from '../support/properties.ts';
import type { Purpose } from '../../src/domain/budget.ts';
import { silent } from '../support/spending.ts';

const windowMs = 60_000;

/** What an answer tells, by the service's own count of what came in the last minute, that of other windows included. */
const answer = fc.record({
  isTold: fc.boolean(),
  others: fc.integer({ min: 0, max: 70 }),
  resetInMs: fc.option(fc.integer({ min: 0, max: 70_000 })),
  pauseMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
  ),
  isQuota: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

type Step =
  | { readonly kind: 'ask'; readonly purpose: Purpose; readonly count: number }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'answer'; readonly answer: Answer | null }
  | { readonly kind: 'cancel'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('ask' as const),
    purpose: fc.constantFrom<Purpose>('asked', 'following', 'workflows'),
    count: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.integer({ min: 0, max: 65_000 }) }),
  fc.record({ kind: fc.constant('answer' as const), answer: fc.option(answer) }),
  fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }),
);

/** A budget under a history: when requests left, and how each call for a place ended. */
class History {
  readonly clock = new HandClock();
  readonly budget = new KeyBudget({ clock: this.clock, random: () => 0.5 });
  readonly left: number[] = [];
  readonly waits: { readonly purpose: Purpose; readonly from: number; to: number | undefined }[] = [];
  readonly #leases: RequestPermit[] = [];
  readonly #controllers: AbortController[] = [];
  #unexpected: unknown;

  async play(one: Step): Promise<void> {
    if (one.kind === 'ask') for (let count = 0; count < one.count; count += 1) this.#ask(one.purpose);
    if (one.kind === 'pass') await this.clock.advance(one.milliseconds);
    if (one.kind === 'answer') this.#leases.shift()?.release(one.answer && this.#readingOf(one.answer));
    if (one.kind === 'cancel') this.#controllers[one.which % this.#controllers.length]?.abort();
    await settle();
    assert.equal(this.#unexpected, undefined);
  }

  #readingOf({ isTold, others, ...told }: Answer): RateLimit {
    const counted = this.left.filter((time) => time > this.clock.now() - windowMs).length;
    return { ...told, limit: null, remaining: isTold ? Math.max(0, 60 - counted - others) : null };
  }

  #ask(purpose: Purpose): void {
    const controller = new AbortController();
    this.#controllers.push(controller);
    const wait: History['waits'][number] = { purpose, from: this.clock.now(), to: undefined };
    this.waits.push(wait);
    this.budget.admit(purpose, controller.signal).then(
      (lease) => {
        this.left.push(this.clock.now());
        this.#leases.push(lease);
        wait.to = this.clock.now();
      },
      (error: unknown) => {
        wait.to = this.clock.now();
        if (!isAbortError(error) && !isServiceError(error, 'rateLimited')) this.#unexpected = error;
      },
    );
  }

  /** Settles what is open, and lets the longest patience pass. */
  async end(): Promise<void> {
    for (const lease of this.#leases.splice(0)) lease.release(silent);
    await this.clock.advance(Math.max(...Object.values(maximumWaitMs)) + windowMs);
    this.budget.dispose();
  }
}

describe('The budget, under any history', () => {
  it('lets at most sixty leave in any minute, answers every call within its patience, and leaves no timer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const history = new History();
        for (const one of steps) await history.play(one);
        await history.end();
        const { left, waits, clock } = history;
        for (const [index, time] of left.entries()) {
          const sixtyLater = left[index + 60];
          assert.ok(
            sixtyLater === undefined || sixtyLater - time >= windowMs,
            `${time} ${String(sixtyLater)}`,
          );
        }
        for (const { purpose, from, to } of waits)
          assert.ok(to !== undefined && to - from <= maximumWaitMs[priorityOf[purpose]], purpose);
        assert.equal(clock.armed, 0);
      }),
      tries(200),
    );
  });

  it('leaves places to a person, however much is asked for in the background', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const history = new History();
        const inBackground = steps.filter((one) => one.kind === 'pass' || one.kind === 'ask');
        for (const one of inBackground)
          await history.play(one.kind === 'ask' ? { ...one, purpose: 'workflows' } : one);
        assert.equal(history.budget.waitMs('asked'), 0);
        await history.end();
      }),
      tries(200),
    );
  });
});
