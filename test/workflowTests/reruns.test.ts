// Runs that go on as long as something becomes due, never two of them at once.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Reruns } from '../../src/workflowTests/reruns.ts';

const items = (...ids: readonly string[]) => ids.map((id) => ({ id }));

/** Runs items one after the other; each ends when it's told to. */
class Runs {
  readonly begun: string[][] = [];
  atOnce = 0;
  mostAtOnce = 0;
  #next = Promise.withResolvers<undefined>();

  readonly run = async (due: readonly { readonly id: string }[], signal: AbortSignal) => {
    this.begun.push(due.map(({ id }) => id));
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    const ended: { readonly id: string }[] = [];
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    for (const each of due) {
      await Promise.race([this.#next.promise, aborted]);
      if (signal.aborted) break;
      ended.push(each);
    }
    this.atOnce -= 1;
    return ended;
  };

  async endOne(): Promise<void> {
    this.#next.resolve(undefined);
    this.#next = Promise.withResolvers();
    await setImmediate();
  }
}

describe('runs of what is due', () => {
  it('end when something becomes due, and the next one also takes what had not ended', async () => {
    const runs = new Runs();
    const reruns = new Reruns(runs.run);
    const done = reruns.add(items('a', 'b', 'c'));
    await runs.endOne();
    await reruns.add(items('a', 'd'));
    await setImmediate();
    assert.deepEqual(runs.begun, [
      ['a', 'b', 'c'],
      ['a', 'd', 'b', 'c'],
    ]);
    for (let count = 0; count < 4; count += 1) await runs.endOne();
    await done;
    await Promise.all([reruns.add(items('e')), runs.endOne()]);
    assert.deepEqual(runs.begun[2], ['e']);
    assert.equal(runs.mostAtOnce, 1);
  });

  it('end for good when they are disposed of', async () => {
    const runs = new Runs();
    const reruns = new Reruns(runs.run);
    const done = reruns.add(items('a', 'b'));
    reruns.dispose();
    await done;
    assert.deepEqual(runs.begun, [['a', 'b']]);
  });

  it('begin anew after one that failed', async () => {
    let count = 0;
    const reruns = new Reruns<{ readonly id: string }>((due) => {
      count += 1;
      return count === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(due);
    });
    await assert.rejects(reruns.add(items('a')), /offline/);
    await reruns.add(items('a'));
    assert.equal(count, 2);
  });

  it('take what became due during one that failed', async () => {
    const begun: (readonly string[])[] = [];
    const first = Promise.withResolvers<never>();
    const reruns = new Reruns<{ readonly id: string }>((due) => {
      begun.push(due.map(({ id }) => id));
      return begun.length === 1 ? first.promise : Promise.resolve(due);
    });
    const done = reruns.add(items('a'));
    await reruns.add(items('b'));
    first.reject(new Error('offline'));
    await assert.rejects(done, /offline/);
    assert.deepEqual(begun, [['a'], ['b']]);
  });
});
