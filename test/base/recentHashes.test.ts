import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecentHashes } from '../../src/base/recentHashes.ts';

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('recent hashes', () => {
  it('give the number that was set last', () => {
    const hashes = new RecentHashes(10);
    assert.equal(hashes.get(7), undefined);
    hashes.set(7, 1);
    hashes.set(7, 0);
    assert.equal(hashes.get(7), 0);
    assert.equal(hashes.get(8), undefined);
  });

  it('remember as many keys as they must, and at most twice as many', () => {
    const hashes = new RecentHashes(5000);
    for (const key of numbers(1, 50_000)) hashes.set(key, -key);
    for (const key of numbers(45_001, 50_000)) assert.equal(hashes.get(key), -key);
    assert.ok(numbers(1, 40_000).every((key) => hashes.get(key) === undefined));
  });

  it('are like a map for the latest keys, also where hashes share a slot', () => {
    const sharing = fc.nat(40).map((at) => 1 + at * 1024);
    fc.assert(
      fc.property(fc.array(fc.tuple(sharing, fc.integer())), (all) => {
        const hashes = new RecentHashes(41);
        const map = new Map<number, number>();
        for (const [key, value] of all) {
          hashes.set(key, value);
          map.set(key, value);
        }
        for (const [key, value] of map) assert.equal(hashes.get(key), value);
      }),
    );
  });
});
