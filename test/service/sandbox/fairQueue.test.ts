// An owner that has used the workers little goes before one that has used them much.
import assert from 'node:assert/strict';
import { FairQueue } from '../../../src/service/sandbox/fairQueue.ts';

describe('FairQueue', () => {
  it("keeps the order of one owner's work", () => {
    const queue = new FairQueue<number>();
    for (const item of [1, 2, 3]) queue.add('a', item);
    queue.remove(2);
    assert.equal(queue.size, 2);
    assert.deepEqual([queue.take()?.item, queue.take()?.item, queue.take()], [1, 3, undefined]);
  });

  it('lets quick work wait for one slow piece at most, however many owners are slow', () => {
    const queue = new FairQueue<string>();
    const slow = Array.from({ length: 12 }, (_each, index) => `slow ${index}`);
    for (const owner of slow) queue.add(owner, owner);
    const work = (milliseconds = 500): string => {
      const next = queue.take();
      assert.ok(next);
      queue.charge(next.owner, next.owner === 'quick' ? 2 : milliseconds);
      // A loop goes on with its next piece.
      if (next.owner !== 'quick') queue.add(next.owner, next.item);
      return next.owner;
    };
    for (let round = 0; round < 100; round += 1) work(400 + round);
    for (let piece = 0; piece < 20; piece += 1) {
      queue.add('quick', 'quick');
      const before = [work(), work()].indexOf('quick');
      assert.ok(before >= 0, `piece ${piece} waited for more than one`);
    }
  });

  it('shares the workers evenly among owners that always want them', () => {
    const queue = new FairQueue<number>();
    const costs = new Map([
      ['short', 10],
      ['long', 100],
    ]);
    const had = new Map<string, number>();
    for (const owner of costs.keys()) queue.add(owner, 0);
    for (let round = 0; round < 110; round += 1) {
      const owner = queue.take()?.owner ?? '';
      const cost = costs.get(owner) ?? 0;
      queue.charge(owner, cost);
      had.set(owner, (had.get(owner) ?? 0) + cost);
      queue.add(owner, 0);
    }
    assert.ok(Math.abs((had.get('short') ?? 0) - (had.get('long') ?? 0)) <= 100, JSON.stringify([...had]));
  });

  it('charges an owner nothing for the time that it was alone', () => {
    const queue = new FairQueue<string>();
    for (let round = 0; round < 1000; round += 1) {
      queue.add('alone', 'alone');
      queue.take();
      queue.charge('alone', 500);
    }
    queue.add('alone', 'alone');
    queue.add('new', 'new');
    assert.equal(queue.take()?.owner, 'new');
    queue.charge('new', 600);
    queue.add('new', 'new');
    assert.equal(queue.take()?.owner, 'alone');
  });
});
