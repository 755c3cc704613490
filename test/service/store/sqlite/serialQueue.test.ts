import assert from 'node:assert/strict';
import { SerialQueue } from '../../../../src/service/store/sqlite/serialQueue.ts';

/** Keeps the thread busy without a turn of the event loop. */
function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('A serial queue', () => {
  it('runs exclusive work one after another, in the order of the calls', async () => {
    const line = new SerialQueue();
    const steps: string[] = [];
    const work = (name: string) =>
      line.runExclusive(async () => {
        steps.push(`${name} begins`);
        await Promise.resolve();
        steps.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('runs synchronous work before waiting exclusive work', async () => {
    const line = new SerialQueue();
    const steps: string[] = [];
    const long = (name: string) =>
      line.runExclusive(async () => {
        await Promise.resolve();
        steps.push(name);
      });
    await Promise.all([long('a'), long('b'), line.runSync(() => steps.push('read'))]);
    assert.deepEqual(steps, ['a', 'read', 'b']);
  });

  it('continues after work that fails', async () => {
    const line = new SerialQueue();
    const failing = line.runExclusive(() => Promise.reject(new Error('full')));
    const after = line.runSync(() => 'read');
    await assert.rejects(failing, /full/);
    assert.equal(await after, 'read');
    await assert.rejects(
      line.runSync(() => {
        throw new Error('bad');
      }),
      /bad/,
    );
    assert.equal(await line.runExclusive(() => Promise.resolve('done')), 'done');
  });

  it('yields to the event loop between exclusive work, however much waits', async () => {
    const line = new SerialQueue();
    let done = 0;
    const works = Array.from({ length: 50 }, () =>
      line.runExclusive(() => {
        spend(2);
        done += 1;
        return Promise.resolve();
      }),
    );
    const seen: number[] = [];
    const look = (): void => {
      seen.push(done);
      if (done < works.length) setImmediate(look);
    };
    setImmediate(look);
    await Promise.all(works);
    const most = Math.max(...seen.map((value, index) => value - (seen[index - 1] ?? 0)));
    assert.ok(most < works.length / 2, `${most} works in one turn`);
  });
});
