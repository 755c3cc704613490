// The editor draws rows only after 200 ms without news of them, so a fast loop would leave them as they were until its end.
import assert from 'node:assert/strict';
import { RowChanges } from '../../../src/editor/tree/rowChanges.ts';
import { HandClock } from '../../support/memory/ports.ts';

describe('changes of rows', () => {
  function start() {
    const clock = new HandClock();
    const announced: (readonly string[] | 'all')[] = [];
    const changes = new RowChanges(clock, (keys) => announced.push(keys === undefined ? 'all' : [...keys]));
    return { clock, announced, changes };
  }

  it('are announced at once after a pause, and every 300 ms while they keep coming', async () => {
    const { clock, announced, changes } = start();
    changes.add(['a']);
    assert.deepEqual(announced.splice(0), [['a']]);
    for (let times = 0; times < 36; times += 1) {
      changes.add(['b']);
      changes.add(times % 2 === 0 ? ['a'] : []);
      await clock.advance(50);
    }
    assert.deepEqual(announced.splice(0), Array(6).fill(['b', 'a']));
    await clock.advance(300);
    changes.add(['c']);
    assert.deepEqual(announced, [['c']]);
  });

  it('are all announced, the last one too', async () => {
    const { clock, announced, changes } = start();
    for (const key of ['a', 'b', 'c', 'b']) changes.add([key]);
    await clock.advance(300);
    assert.deepEqual(announced.splice(0), [['a'], ['b', 'c']]);
    changes.add(['d']);
    changes.add();
    await clock.advance(300);
    changes.add(['e']);
    await clock.advance(300);
    assert.deepEqual([announced, clock.armed], [['all', ['e']], 0]);
  });

  it('are announced at once where the clock was set back', async () => {
    const { clock, announced, changes } = start();
    changes.add(['a']);
    await clock.advance(-3_600_000);
    changes.add(['b']);
    assert.deepEqual(announced, [['a'], ['b']]);
  });

  it('end with their tree', async () => {
    const { clock, announced, changes } = start();
    changes.add(['a']);
    changes.add(['b']);
    changes.dispose();
    await clock.advance(1000);
    assert.deepEqual([announced, clock.armed], [[['a']], 0]);
  });
});
