// One action on several rows: the rest is done when one fails, and what one alone fails with is thrown.
import assert from 'node:assert/strict';
import { Cancelled } from '../../src/editor/prompts/prompts.ts';
import { actOnAll } from '../../src/ui/actOnAll.ts';
import { createWorld } from '../support/memory/world.ts';

/** Acts on each; "bad" fails, and at "stop" somebody cancels. */
async function act(first: string, ...others: readonly string[]) {
  const done: string[] = [];
  const result = await actOnAll(createWorld(), [first, ...others], {
    progress: 'Working…',
    nameOf: (each) => each,
    act: (each) => {
      if (each === 'bad') return Promise.reject(new Error('no'));
      if (each === 'stop') return Promise.reject(new Cancelled());
      done.push(each);
      return Promise.resolve(each.toUpperCase());
    },
  });
  return { result, done };
}

describe('one action on several rows', () => {
  it('is done on those after one that failed, and gives what the first gave', async () =>
    assert.deepEqual(await act('bad', 'a', 'b'), { result: 'A', done: ['a', 'b'] }));

  it('ends when it is cancelled', () => assert.rejects(act('a', 'stop', 'b'), Cancelled));

  it('on a single one fails with its error', async () => {
    await assert.rejects(act('bad'), /no/);
    assert.deepEqual(await act('a'), { result: 'A', done: ['a'] });
  });
});
