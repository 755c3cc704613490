// Who has had little of the workers goes before who has had much.
import assert from 'node:assert/strict';
import { Turns } from '../../../src/service/sandbox/turns.ts';

describe('Turns', () => {
  it("keep the order of one party's work", () => {
    const turns = new Turns<number>();
    for (const item of [1, 2, 3]) turns.add('a', item);
    turns.remove(2);
    assert.equal(turns.size, 2);
    assert.deepEqual([turns.take()?.item, turns.take()?.item, turns.take()], [1, 3, undefined]);
  });

  it('let quick work wait for one slow piece at most, however many parties are slow', () => {
    const turns = new Turns<string>();
    const slow = Array.from({ length: 12 }, (_each, index) => `slow ${index}`);
    for (const party of slow) turns.add(party, party);
    const work = (milliseconds = 500): string => {
      const next = turns.take();
      assert.ok(next);
      turns.charge(next.party, next.party === 'quick' ? 2 : milliseconds);
      // A loop goes on with its next piece.
      if (next.party !== 'quick') turns.add(next.party, next.item);
      return next.party;
    };
    for (let round = 0; round < 100; round += 1) work(400 + round);
    for (let piece = 0; piece < 20; piece += 1) {
      turns.add('quick', 'quick');
      const before = [work(), work()].indexOf('quick');
      assert.ok(before >= 0, `piece ${piece} waited for more than one`);
    }
  });

  it('share the workers evenly among those who always want them', () => {
    const turns = new Turns<number>();
    const costs = new Map([
      ['short', 10],
      ['long', 100],
    ]);
    const had = new Map<string, number>();
    for (const party of costs.keys()) turns.add(party, 0);
    for (let round = 0; round < 110; round += 1) {
      const party = turns.take()?.party ?? '';
      const cost = costs.get(party) ?? 0;
      turns.charge(party, cost);
      had.set(party, (had.get(party) ?? 0) + cost);
      turns.add(party, 0);
    }
    assert.ok(Math.abs((had.get('short') ?? 0) - (had.get('long') ?? 0)) <= 100, JSON.stringify([...had]));
  });

  it('hold nothing against a party that was alone', () => {
    const turns = new Turns<string>();
    for (let round = 0; round < 1000; round += 1) {
      turns.add('alone', 'alone');
      turns.take();
      turns.charge('alone', 500);
    }
    turns.add('alone', 'alone');
    turns.add('new', 'new');
    assert.equal(turns.take()?.party, 'new');
    turns.charge('new', 600);
    turns.add('new', 'new');
    assert.equal(turns.take()?.party, 'alone');
  });
});
