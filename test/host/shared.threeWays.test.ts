// A fixed command that is not tried out must be noticed.
import assert from 'node:assert/strict';
import { areas } from './threeWays/areas.ts';
import { fixedCommands } from './threeWays/fixedCommands.ts';
import { missingCommands } from './threeWays/threeWays.ts';
import { World } from './threeWays/world.ts';

describe('the tables of the three ways', () => {
  it('have every fixed command', () => {
    const world = new World();
    const all = Object.values(areas).map((area) => area(world));
    assert.deepEqual(missingCommands(all), []);
  });

  it('would not hide one that lacks', () => assert.deepEqual(missingCommands([]), fixedCommands));
});
