import assert from 'node:assert/strict';
import { BoundedMap } from '../../src/base/boundedMap.ts';

describe('a bounded map', () => {
  it('forgets what was set longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
  });

  it('gives up an entry', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    assert.equal(map.get('a'), undefined);
  });
});
