// However many executions of other workflows hang or compute, one of a workflow that has none in flight begins.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type HeldSlot, type SlotLimits, Slots } from '../../../src/service/engine/slots.ts';

const limits: SlotLimits = { computing: 8, inFlight: 40 };
const { signal } = new AbortController();

/** A process that begins what waits whenever it can, as the engine does. */
class Process {
  readonly waiting: { readonly workflow: string; readonly hangs: boolean }[] = [];
  /** Of those in flight that compute, by workflow. */
  readonly computing: { readonly workflow: string; readonly place: HeldSlot }[] = [];
  /** For the executions in flight that wait for another service: it responds when called. */
  readonly hanging: { readonly workflow: string; readonly answer: () => void }[] = [];
  readonly slots = new Slots(limits, () => this.begin());

  add(workflow: string, count: number, hangs: boolean): void {
    for (let number = 0; number < count; number += 1) this.waiting.push({ workflow, hangs });
    this.begin();
  }

  begin(): void {
    for (;;) {
      const chosen = this.slots.choose(this.waiting);
      if (!chosen) return;
      this.waiting.splice(this.waiting.indexOf(chosen), 1);
      const { workflow, hangs } = chosen;
      const place = this.slots.enter(workflow);
      if (hangs) this.#hang(workflow, place);
      else this.computing.push({ workflow, place });
    }
  }

  /** The oldest that computes ends. */
  end(): void {
    this.computing.shift()?.place.leave();
    this.begin();
  }

  inFlight(workflow?: string): number {
    return [...this.computing, ...this.hanging].filter((one) => (workflow ?? one.workflow) === one.workflow)
      .length;
  }

  #hang(workflow: string, place: HeldSlot): void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const hanging = { workflow, answer: () => resolve(undefined) };
    this.hanging.push(hanging);
    void place
      .away(() => promise, signal)
      .then(() => {
        this.hanging.splice(this.hanging.indexOf(hanging), 1);
        this.computing.push({ workflow, place });
      });
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The slots of a process', () => {
  it('go to one workflow up to three quarters, and other workflows start at once', () => {
    const process = new Process();
    process.add('slow', 100, false);
    assert.equal(process.computing.length, 6);
    for (const workflow of ['a', 'b', 'c', 'd', 'e']) process.add(workflow, 1, false);
    assert.deepEqual(
      process.computing.slice(6).map(({ workflow }) => workflow),
      ['a', 'b', 'c', 'd', 'e'],
    );
    process.add('a', 1, false);
    assert.equal(process.inFlight('a'), 1, 'all slots are taken');
    for (let count = 0; count < 6; count += 1) process.end();
    assert.equal(process.inFlight('a'), 2, 'before the slow one, which has more');
  });

  it('are free while executions wait for another service, of which one workflow has three quarters at most', () => {
    const process = new Process();
    process.add('hangs', 1000, true);
    assert.equal(process.hanging.length, 30);
    process.add('slow', 10, false);
    assert.equal(process.inFlight('slow'), 6);
    for (let number = 0; number < 20; number += 1) process.add(`hangs ${number}`, 20, true);
    for (let number = 0; number < 9; number += 1) assert.ok(process.inFlight(`hangs ${number}`) > 0);
  });

  it('are taken again by executions that have waited before new ones start', async () => {
    const process = new Process();
    process.add('calls', 4, true);
    process.add('other', 1, false);
    process.add('slow', 20, false);
    assert.equal(process.computing.length, 7);
    process.add('another', 3, false);
    assert.equal(process.computing.length, 8);
    for (const { answer } of [...process.hanging]) answer();
    await settled();
    assert.equal(process.inFlight('calls'), 4);
    assert.equal(process.hanging.length, 3, 'one goes on in any case, the others wait');
    for (let count = 0; count < 4; count += 1) process.end();
    await settled();
    assert.deepEqual([process.hanging.length, process.inFlight('another')], [0, 1]);
  });

  it('are not waited for by a cancelled execution', async () => {
    const slots = new Slots({ computing: 1, inFlight: 16 }, () => undefined);
    const controller = new AbortController();
    const one = slots.enter('a');
    const answer = Promise.withResolvers<undefined>();
    const away = one.away(() => answer.promise, controller.signal);
    slots.enter('a');
    answer.resolve(undefined);
    await settled();
    controller.abort();
    await away;
  });

  it('let each workflow start and end, whatever else is in flight', async () => {
    const step = fc.record({
      workflow: fc.constantFrom('a', 'b', 'c', 'd'),
      count: fc.integer({ min: 1, max: 60 }),
      hangs: fc.boolean(),
      ends: fc.integer({ min: 0, max: 10 }),
      answers: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const process = new Process();
        const check = (): void => {
          assert.ok(process.inFlight() <= limits.inFlight + limits.computing);
          for (const { workflow } of process.waiting) {
            assert.ok(process.inFlight(workflow) > 0, `${workflow} waits and has none in flight`);
            assert.ok(process.inFlight(workflow) <= limits.inFlight * 0.75);
          }
        };
        for (const { workflow, count, hangs, ends, answers } of steps) {
          process.add(workflow, count, hangs);
          check();
          for (let number = 0; number < ends; number += 1) process.end();
          for (const { answer } of process.hanging.slice(0, answers)) answer();
          await settled();
          check();
        }
        while (process.waiting.length + process.inFlight() > 0) {
          const left = (): number => 3 * process.waiting.length + process.inFlight() + process.hanging.length;
          const before = left();
          process.end();
          for (const { answer } of [...process.hanging]) answer();
          await settled();
          assert.ok(left() < before, 'it stands still');
        }
      }),
      { numRuns: 200 },
    );
  });
});
