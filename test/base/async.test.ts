// The app behind the surfaces is loaded with this: never twice, and never given up for good.
import assert from 'node:assert/strict';
import { once, oneAtATime } from '../../src/base/async.ts';

describe('once', () => {
  it('loads with the first call, for all', async () => {
    let count = 0;
    const load = once(() => Promise.resolve((count += 1)));
    assert.equal(count, 0);
    assert.deepEqual(await Promise.all([load(), load()]), [1, 1]);
    assert.equal(await load(), 1);
  });

  it('tells a failure to all who asked, and tries again with the next call', async () => {
    let count = 0;
    const load = once(async () => {
      count += 1;
      await Promise.resolve();
      if (count === 1) throw new Error('broken');
      return count;
    });
    const first = [load(), load()];
    for (const failed of first) await assert.rejects(failed, /broken/);
    assert.equal(await load(), 2);
    assert.equal(await load(), 2);
  });
});

describe('one at a time', () => {
  it('begins each when those before it are over, also where one has failed', async () => {
    const inTurn = oneAtATime();
    const seen: string[] = [];
    const first = Promise.withResolvers<never>();
    const failed = inTurn(() => first.promise);
    const second = inTurn(() => Promise.resolve(seen.push('second')));
    await Promise.resolve();
    seen.push('first');
    first.reject(new Error('broken'));
    await assert.rejects(failed, /broken/);
    await second;
    assert.deepEqual(seen, ['first', 'second']);
  });
});
