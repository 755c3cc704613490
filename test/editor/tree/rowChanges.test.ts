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

  it('wait for the end of a hold, and come through between holds that follow each other', async () => {
    const { clock, announced, changes } = start();
    changes.add(['a']);
    const times = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const held = changes.hold();
      for (let milliseconds = 0; milliseconds < 1000; milliseconds += 50) {
        changes.add(['b']);
        await clock.advance(50);
      }
      const before = announced.length;
      held.dispose();
      times.push(announced.length - before);
      await clock.advance(50);
    }
    assert.deepEqual(times, Array(20).fill(1));
    assert.equal(announced.length, 21);
  });

  it('come through between holds that are shorter than the pause', async () => {
    const { clock, announced, changes } = start();
    for (let milliseconds = 0; milliseconds < 6000; milliseconds += 150) {
      const held = changes.hold();
      changes.add(['b']);
      await clock.advance(100);
      held.dispose();
      await clock.advance(50);
    }
    assert.ok(announced.length >= 10, String(announced.length));
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
