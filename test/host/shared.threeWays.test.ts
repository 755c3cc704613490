// A fixed command that is not tried out in all three ways must be noticed.
import assert from 'node:assert/strict';
import { areas } from './threeWays/areas.ts';
import { fixedCommands } from './threeWays/fixedCommands.ts';
import { missingWays } from './threeWays/threeWays.ts';
import { World } from './threeWays/world.ts';

describe('the tables of the three ways', () => {
  it('have every fixed command, each with its three ways', () => {
    const world = new World();
    const all = Object.values(areas).map((area) => area(world));
    assert.deepEqual(missingWays(all), []);
  });

  it('would not hide one that lacks', () => assert.equal(missingWays([]).length, fixedCommands.length * 3));
});
