// A mistyped word is corrected to what was meant, and another word to nothing.
import assert from 'node:assert/strict';
import { nearestWords } from '../../src/base/nearestWords.ts';
import { nodeTypes } from '../../src/definition/nodeTypes.ts';

describe('the nearest of the known words', () => {
  for (const [typed, nearest] of [
    ['dealy', ['delay']],
    ['Delay', ['delay']],
    ['conditon', ['condition']],
    ['foreach', ['forEach']],
    ['htpRequest', ['httpRequest']],
    ['ouput', ['output']],
    ['lgo', ['log']],
    ['teleport', []],
    ['webhook', []],
    ['', []],
    ['x', []],
    ['delay'.padEnd(10_000, 'y'), []],
  ] as const)
    it(`"${typed.slice(0, 20)}": ${nearest.join() || 'none'}`, () =>
      assert.deepEqual(nearestWords(typed, nodeTypes), nearest));

  it('includes all words that are equally close', () => {
    assert.deepEqual(nearestWords('total', ['totals', 'order', 'totale']), ['totals', 'totale']);
  });
});
