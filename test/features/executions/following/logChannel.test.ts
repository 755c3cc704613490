// Many lines reach the channel in few writes, the first at once and none late or lost.
import assert from 'node:assert/strict';
import {
  LogChannel,
  maximumBurst,
  maximumChannelBytes,
} from '../../../../src/features/executions/following/logChannel.ts';
import { placeTitles } from '../../../../src/features/executions/following/markLinks.ts';
import { HandClock } from '../../../support/memory/ports.ts';

describe('the log channel', () => {
  let clock: HandClock;
  let writes: string[];
  let channel: LogChannel;
  let opened: number;
  let shown: number;
  let isInSight: boolean;

  beforeEach(() => {
    clock = new HandClock();
    writes = [];
    [opened, shown] = [0, 0];
    isInSight = true;
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
        isInSight: () => isInSight,
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

  it('writes many lines in several pieces, none of them long', () => {
    const line = 'x'.repeat(1023);
    channel.append(Array.from({ length: 100 }, () => line));
    assert.deepEqual(
      writes.map(({ length }) => length),
      [49_152, 49_152, 4096],
    );
  });

  const source = { title: 'Orders 9f2c41', target: { connectionId: 'c', executionId: 'e' } };
  const numbered = (from: number, length: number) =>
    Array.from({ length }, (_, at) => `${from + at} `.padEnd(1023, 'x'));

  it('leaves lines out of a flood, with a mark, and writes the last ones every two seconds', async () => {
    const before = maximumBurst / 1024 + 32;
    channel.append(numbered(1, before), source);
    assert.equal(writes.join('').length, before * 1024);
    writes = [];
    channel.append(numbered(before + 1, 1000), source);
    await clock.advance(1999);
    assert.deepEqual([writes, channel.marks], [[], []]);
    await clock.advance(1);
    const [mark = '', last = ''] = writes;
    const [first = ''] = last.split(' ');
    const left = Number(first) - before - 1;
    assert.ok(left > 872 && left < 936);
    assert.equal(
      mark,
      `... ${left} lines omitted. Find them in the logs of their executions: Orders 9f2c41\n`,
    );
    const lines = last.trimEnd().split('\n');
    assert.deepEqual([lines.length, lines.at(-1)?.split(' ')[0]], [1000 - left, String(before + 1000)]);
    assert.deepEqual(channel.marks, [{ line: before, text: mark.trimEnd(), sources: [source] }]);
  });

  it('names in a mark only executions whose lines are left out', async () => {
    const other = { title: 'Signup 4a418a', target: { connectionId: 'c', executionId: 'f' } };
    channel.append(['early'], other);
    await clock.advance(1000);
    channel.append(numbered(1, maximumBurst / 1024 + 32), source);
    await clock.advance(1000);
    channel.append(numbered(1, 1000), source);
    channel.flush();
    assert.deepEqual(
      channel.marks.map(({ sources }) => sources),
      [[source]],
    );
  });

  it('leads from a mark to executions with the same id on two connections, each from its own title', () => {
    const other = { ...source, target: { ...source.target, connectionId: 'other' } };
    channel.append(numbered(1, maximumBurst / 1024 + 32), source);
    channel.append(numbered(1, 500), source);
    channel.append(numbered(1, 500), other);
    channel.flush();
    const [mark] = channel.marks;
    assert.ok(mark !== undefined);
    assert.deepEqual(mark.sources, [source, other]);
    const places = placeTitles(mark);
    assert.deepEqual(
      places.map(([begin, end]) => mark.text.slice(begin, end)),
      [source.title, other.title],
    );
    assert.ok((places[0]?.[1] ?? 0) < (places[1]?.[0] ?? 0));
  });

  it('counts a burst less with each second, so that all is written again later', async () => {
    channel.append(numbered(1, maximumBurst / 1024 + 32), source);
    for (let second = 0; second < 10; second += 1) {
      channel.append(['steady'], source);
      await clock.advance(1000);
    }
    writes = [];
    channel.append(numbered(1, 1000), source);
    await clock.advance(1000);
    assert.equal(writes.join('').length, 1000 * 1024);
    assert.deepEqual(channel.marks, []);
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

  const line = 'x'.repeat(1023);
  const lines = maximumChannelBytes / 1024;
  const fill = async () => {
    for (let written = 0; written < lines; written += 64) {
      channel.append(
        Array.from({ length: 64 }, () => line),
        source,
      );
      channel.flush();
      await clock.advance(1000);
    }
  };

  it('begins anew with a mark and the last lines when it is full, and goes on', async () => {
    await fill();
    assert.deepEqual([opened, channel.marks], [1, []]);
    writes = [];
    channel.append(['the next line'], source);
    channel.flush();
    assert.deepEqual([opened, shown], [2, 1]);
    const left = (lines - 64).toLocaleString();
    const text = `... ${left} lines omitted. Find them in the logs of their executions: Orders 9f2c41`;
    assert.deepEqual(writes, [`${text}\n`, `${line}\n`.repeat(64), 'disposed', 'the next line\n']);
    assert.deepEqual(channel.marks, [{ line: 0, text, sources: [source] }]);
    assert.deepEqual(placeTitles({ text, sources: [source] }), [[text.length - 13, text.length]]);
  });

  it('is shown again when it begins anew before the editor has brought it into sight', async () => {
    isInSight = false;
    await fill();
    channel.show();
    channel.append(['the next line']);
    channel.flush();
    assert.deepEqual([opened, shown], [2, 2]);
  });

  it('stays out of sight when it begins anew after the user closed it', async () => {
    isInSight = false;
    channel.show();
    await fill();
    channel.append(['the next line']);
    channel.flush();
    assert.deepEqual([opened, shown], [2, 1]);
  });
});
