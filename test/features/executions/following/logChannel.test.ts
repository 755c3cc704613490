// Many lines reach the channel in few writes, the first at once and none late or lost.
import assert from 'node:assert/strict';
import { LogChannel, maximumChannelBytes } from '../../../../src/features/executions/following/logChannel.ts';
import { placeTitles } from '../../../../src/features/executions/following/markLinks.ts';
import { HandClock } from '../../../support/memory/ports.ts';

describe('the log channel', () => {
  let clock: HandClock;
  let writes: string[];
  let channel: LogChannel;
  let opened: number;
  let shown: number;

  beforeEach(() => {
    clock = new HandClock();
    writes = [];
    [opened, shown] = [0, 0];
    channel = new LogChannel(
      {
        open: () => {
          opened += 1;
          return {
            append: (text) => writes.push(text),
            show: () => (shown += 1),
            dispose: () => writes.push('disposed'),
          };
        },
        isInSight: () => true,
      },
      clock,
    );
  });

  it('writes the first line of a burst at once, and the next ones together every 100 ms', async () => {
    channel.append(['a']);
    assert.deepEqual(writes, ['a\n']);
    channel.append(['b']);
    channel.append(['c']);
    await clock.advance(99);
    assert.equal(writes.length, 1);
    await clock.advance(1);
    assert.deepEqual(writes, ['a\n', 'b\nc\n']);
    channel.append(['d']);
    await clock.advance(100);
    assert.deepEqual(writes.slice(2), ['d\n']);
  });

  it('writes a thousand lines that came together in one piece', () => {
    channel.append(Array.from({ length: 1000 }, (_line, index) => `line ${index}`));
    assert.equal(writes.length, 1);
    assert.equal(writes[0]?.split('\n').length, 1001);
  });

  it('has no timer while nothing comes, and begins anew after a silence', async () => {
    assert.equal(clock.armed, 0);
    channel.append([]);
    assert.deepEqual([writes.length, clock.armed], [0, 0]);
    channel.append(['a']);
    await clock.advance(100);
    assert.equal(clock.armed, 0);
    channel.append(['b']);
    assert.deepEqual(writes, ['a\n', 'b\n']);
  });

  it('writes half as often in a long burst', async () => {
    channel.append(Array.from({ length: 10_001 }, () => 'x'));
    channel.append(['a']);
    await clock.advance(199);
    assert.equal(writes.length, 1);
    await clock.advance(1);
    assert.equal(writes.length, 2);
    await clock.advance(200);
    channel.append(['b']);
    channel.append(['c']);
    await clock.advance(100);
    assert.deepEqual(writes.slice(2), ['b\n', 'c\n']);
  });

  it('writes everything when it is flushed or disposed of', () => {
    channel.append(['a']);
    channel.append(['b']);
    channel.flush();
    assert.deepEqual(writes, ['a\n', 'b\n']);
    channel.flush();
    channel.append(['c']);
    channel.dispose();
    assert.deepEqual(writes, ['a\n', 'b\n', 'c\n', 'disposed']);
    assert.equal(clock.armed, 0);
  });

  it('begins anew with a mark and the last lines when it is full, and goes on', () => {
    const source = { title: 'Orders 9f2c41', target: { connectionId: 'c', executionId: 'e' } };
    const line = 'x'.repeat(1023);
    const lines = maximumChannelBytes / 1024;
    for (let written = 0; written < lines; written += 64) {
      channel.append(
        Array.from({ length: 64 }, () => line),
        source,
      );
      channel.flush();
    }
    assert.deepEqual([opened, channel.mark], [1, undefined]);
    channel.append(['the next line'], source);
    channel.flush();
    assert.deepEqual([opened, shown], [2, 1]);
    const [begin = '', old, next] = writes.slice(-3);
    const left = (lines - 256).toLocaleString();
    const mark = `… ${left} earlier lines were left out here. Each is in the log of its execution: Orders 9f2c41`;
    assert.ok(begin.startsWith(`${mark}\n${line}\n`));
    assert.equal(begin.split('\n').length, 1 + 256 + 1);
    assert.deepEqual([old, next], ['disposed', 'the next line\n']);
    assert.deepEqual(channel.mark, { text: mark, sources: [source] });
    assert.deepEqual(placeTitles({ text: mark, sources: [source] }), [[mark.length - 13, mark.length]]);
  });
});
