import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BoundedMap } from '../../src/base/boundedMap.ts';

setFlagsFromString('--expose-gc');
const gc: unknown = runInNewContext('gc');

function collectGarbage(): void {
  assert.ok(typeof gc === 'function');
  Reflect.apply(gc, undefined, []);
}

describe('a bounded map', () => {
  it('forgets what was set longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
  });

  it('keeps no memory of keys that are set again and again', () => {
    const map = new BoundedMap<number, number>(1000);
    const size = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const setAll = (times: number): void => {
      for (let at = 0; at < times * 500; at += 1) map.set(at % 500, at);
    };
    setAll(10);
    const before = size();
    setAll(1000);
    assert.ok(size() < before + 2 * 1024 * 1024);
    assert.equal(map.get(499), 1000 * 500 - 1);
  });

  it('counts entries by their size, and keeps the newest one', () => {
    const map = new BoundedMap<string, string>(5, (text) => text.length);
    const keys = () => ['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined).join('');
    map.set('a', '12');
    map.set('b', '123');
    assert.equal(keys(), 'ab');
    map.set('b', '1');
    map.set('c', '12');
    assert.equal(keys(), 'abc');
    map.set('d', '123');
    assert.equal(keys(), 'cd');
    map.set('a', '1234567');
    assert.equal(keys(), 'a');
  });

  it('gives up an entry', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    assert.equal(map.get('a'), undefined);
  });
});
