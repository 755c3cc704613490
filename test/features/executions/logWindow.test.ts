// The windows of a log together show each row, however many lines a message has and whatever matches a filter.
import assert from 'node:assert/strict';
import type { LogFilter } from '../../../src/domain/logEntry.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { describeWindow } from '../../../src/features/executions/log/logLenses.ts';
import { searchLog, writeLog } from '../../../src/features/executions/log/logReading.ts';
import { type LogWindowPlace, placeOf, wholeFilter } from '../../../src/features/executions/log/logView.ts';
import { type LogWindow, LogWindows, placeAfter } from '../../../src/features/executions/log/logWindow.ts';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { createFeed } from '../../support/memory/logs.ts';
import { maximumMessage } from '../../../src/words/renderLogLine.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

const { signal } = new AbortController();

function makeFeed(rows: readonly NodeLog[]): LogFeed {
  const feed = createFeed();
  feed.append(rows);
  return feed;
}

function readPlace(feed: LogFeed, place: LogWindowPlace, filter: LogFilter = wholeFilter) {
  const view = { place, filter };
  return new LogWindows().read(feed, view, signal);
}

describe('the windows of a log', () => {
  const total = 10_500;
  const rows = Array.from({ length: total }, (_, at) =>
    makeNodeLog(at + 1, { message: at % 7 === 0 ? `row ${at}\nmore` : `row ${at}` }),
  );

  it('have each row where it is looked for', async () => {
    const feed = makeFeed(rows);
    for (const position of [0, 1999, 2000, 2001, 2005, 3999, 4000, 8005, total - 1]) {
      const { window, lines } = await readPlace(feed, placeOf(position, total));
      assert.ok(
        lines.some((each) => each.position === position),
        String(position),
      );
      assert.deepEqual([window.hasEarlier, window.hasLater], [window.from > 0, window.to < total]);
      assert.equal(window.shownRows, window.to - window.from);
    }
  });

  it('have only the last rows while more come than a window has, until none come or all are there', async () => {
    const feed = makeFeed(rows);
    const windows = new LogWindows();
    const view = { place: { kind: 'end' }, filter: wholeFilter } as const;
    const shown = async (more: number) => {
      feed.append(Array.from({ length: more }, (_, at) => makeNodeLog(feed.count + at + 1)));
      const { window } = await windows.read(feed, view, signal);
      assert.deepEqual([window.to, window.hasEarlier], [feed.count, true]);
      return window.shownRows;
    };
    assert.deepEqual([await shown(0), await shown(3000), await shown(3000)], [2500, 500, 500]);
    // What is asked for meanwhile is shown.
    const { window } = await windows.read(feed, { ...view }, signal);
    assert.equal(window.shownRows, 2500);
    assert.deepEqual([await shown(3000), await shown(3000), await shown(10)], [3500, 500, 2510]);
    feed.noteReading({ kind: 'whole' });
    assert.equal(await shown(3000), 3510);
  });

  it('meet, on the way to the end and on the way back', async () => {
    const feed = makeFeed(rows);
    let { window }: { window: LogWindow } = await readPlace(feed, { kind: 'from', position: 0 });
    while (window.hasLater) {
      const { to } = window;
      const place = placeAfter(window);
      ({ window } = await readPlace(feed, place));
      if (place.kind === 'from') assert.equal(window.from, to);
      else assert.ok(window.from <= to);
    }
    assert.equal(window.to, total);
    while (window.hasEarlier) {
      const { from } = window;
      ({ window } = await readPlace(feed, { kind: 'before', position: from }));
      assert.equal(window.to, from);
    }
    assert.equal(window.from, 0);
  });

  it('leave out that a node run has started once it says more, in memory or not, and say that of one that runs', async () => {
    const started = { status: statusOf('running'), message: 'started' };
    const feed = makeFeed([
      makeNodeLog(1, { ...started, nodeId: 'a' }),
      makeNodeLog(2, { ...started, nodeId: 'b' }),
      makeNodeLog(3, { nodeId: 'a', message: 'one\ntwo' }),
    ]);
    const shown = async () => (await readPlace(feed, { kind: 'end' })).lines.map(({ position }) => position);
    assert.deepEqual(await shown(), [1, 2]);
    assert.deepEqual(await shown(), [1, 2]);
    feed.append([makeNodeLog(4, { nodeId: 'b' })]);
    assert.deepEqual(await shown(), [2, 3]);
  });
});

describe('the windows of a log with a filter', () => {
  const filter = { level: 'error', nodeId: null, text: null } as const;
  const rowAt = (at: number) => makeNodeLog(at + 1, { level: at % 2 === 0 ? 'error' : 'info' });
  const feedOf = (count: number) => makeFeed(Array.from({ length: count }, (_, at) => rowAt(at)));

  it('say how many lines pass, not only how many are shown', async () => {
    const feed = feedOf(10_000);
    const { window } = await readPlace(feed, { kind: 'end' }, filter);
    assert.equal(describeWindow(window, []), '2,000 of 5,000 matching log lines: Errors');
    assert.deepEqual([window.hasEarlier, window.hasLater], [true, false]);
    const { window: first } = await readPlace(feed, { kind: 'from', position: 7000 }, filter);
    assert.equal(describeWindow(first, []), '1,500 of 5,000 matching log lines: Errors');
    assert.deepEqual([first.hasEarlier, first.hasLater], [true, false]);
    const { window: few } = await readPlace(feedOf(4000), { kind: 'end' }, filter);
    assert.equal(describeWindow(few, []), '2,000 of 4,000 log lines: Errors');
  });

  it('count no row any more that only said that a node run has started', async () => {
    const feed = makeFeed([
      makeNodeLog(1, { message: 'started', status: statusOf('running') }),
      makeNodeLog(2, { nodeId: 'n2', message: 'started', status: statusOf('running') }),
    ]);
    const windows = new LogWindows();
    const view = { place: { kind: 'end' }, filter: { ...wholeFilter, nodeId: 'n1' } } as const;
    const counts = async () => {
      const { window } = await windows.read(feed, view, signal);
      return [window.shownRows, window.matchingRows];
    };
    assert.deepEqual(await counts(), [1, 1]);
    feed.append([makeNodeLog(3, { message: 'Paid', status: statusOf('completed') })]);
    assert.deepEqual(await counts(), [1, 1]);
    feed.append([makeNodeLog(4, { message: 'Sent', status: statusOf('completed') })]);
    assert.deepEqual(await counts(), [2, 2]);
  });

  it('count each line once as more lines come and older ones leave memory', async () => {
    const feed = feedOf(3000);
    const view = { place: { kind: 'end' }, filter } as const;
    const windows = new LogWindows();
    for (let count = 3000; count < 9000; count += 1000) {
      const { window } = await windows.read(feed, view, signal);
      assert.deepEqual([window.matchingRows, window.shownRows], [count / 2, Math.min(2000, count / 2)]);
      feed.append(Array.from({ length: 1000 }, (_, at) => rowAt(count + at)));
    }
  });

  it('skip no line on the way to the end, however much came meanwhile', async () => {
    const feed = feedOf(4500);
    const seen: number[] = [];
    let place: LogWindowPlace = { kind: 'from', position: 0 };
    for (;;) {
      const { window, lines } = await readPlace(feed, place, filter);
      seen.push(...lines.map(({ position }) => position));
      if (seen.length === 2000) feed.append(Array.from({ length: 9500 }, (_, at) => rowAt(4500 + at)));
      else if (!window.hasLater) break;
      place = placeAfter({ ...window, hasLater: true });
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 7000 }, (_, at) => 2 * at),
    );
    assert.deepEqual(placeAfter((await readPlace(feed, { kind: 'end' }, filter)).window), { kind: 'end' });
  });

  it('lead nowhere where nothing passes', async () => {
    const feed = makeFeed([rowAt(1), rowAt(3), rowAt(4)]);
    const { window } = await readPlace(feed, { kind: 'before', position: 2 }, filter);
    assert.deepEqual(
      [window.from, window.to, window.hasEarlier, window.hasLater, window.matchingRows],
      [2, 2, false, true, 1],
    );
  });
});

describe('a log with messages of a megabyte', () => {
  const message = `${'x'.repeat(1024 * 1024)}\nend`;
  const rows = Array.from({ length: 20 }, (_, at) => makeNodeLog(at + 1, { message }));

  for (const filter of [wholeFilter, { level: 'info', nodeId: null, text: null } as const])
    it(`keeps no more of them for ${filter === wholeFilter ? 'a window' : 'a filter'} than is shown`, async () => {
      const { lines } = await readPlace(makeFeed(rows), { kind: 'end' }, filter);
      assert.equal(lines.length, 20);
      for (const { text } of lines) assert.ok(text.length <= maximumMessage + 100);
    });

  it('says in the search that they go on, and is saved whole', async () => {
    const feed = makeFeed(rows);
    const found: string[] = [];
    for await (const matches of searchLog(feed, 'xxx', signal))
      found.push(...matches.map(({ text }) => text));
    assert.equal(found.length, 20);
    for (const text of found) assert.ok(text.endsWith(' ... 1,038,680 more characters'), text.slice(-60));
    let [length, told] = [0, 0];
    const onRead = (_rows: number, writtenLines: number) => (told = writtenLines);
    for await (const piece of writeLog(feed, onRead, signal)) length += piece.length;
    assert.ok(length > 20 * message.length);
    assert.equal(told, 40);
  });
});
