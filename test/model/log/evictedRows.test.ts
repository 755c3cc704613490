// What leaves memory is in the archive, once and in order, and the node runs stay as if it hadn't left.
import assert from 'node:assert/strict';
import { LogFeed, maximumTextBytes } from '../../../src/model/log/logFeed.ts';
import { LogFeeds, maximumFeedBytes } from '../../../src/model/log/logFeeds.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { MemoryArchive, MemoryLog } from '../../support/memory/archive.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

const startedAt = new Date('2026-01-05T10:00:00.000Z');
const numbers = (rows: readonly NodeLog[]) => rows.map(({ sequence }) => sequence);
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, at) => from + at);

describe('rows that leave memory', () => {
  let archived: MemoryLog;
  let feed: LogFeed;
  let announced: (number | null)[];
  beforeEach(() => {
    archived = new MemoryLog();
    feed = new LogFeed(undefined, () => archived);
    announced = [];
    feed.onDidAppend((rows) => announced.push(...numbers(rows)));
  });

  const all = () => [...archived.entries.map(({ row }) => row), ...feed.rows];

  it('are in the archive, in order, and with those in memory each row is there once', () => {
    for (let from = 1; from <= 60_000; from += 500)
      feed.append(upTo(from + 499, from).map((each) => makeNodeLog(each, { message: 'x'.repeat(100) })));
    assert.ok(feed.bytes <= maximumTextBytes * 1.2);
    assert.ok(feed.evictedCount > 40_000);
    assert.deepEqual(numbers(all()), upTo(60_000));
    assert.deepEqual(announced, upTo(60_000));
    assert.equal(feed.count, 60_000);
  });

  it("don't come back when a service repeats them", () => {
    feed.append(upTo(100).map((each) => makeNodeLog(each)));
    feed.append(['a', 'b'].map((key) => makeNodeLog(0, { key, sequence: null })));
    feed.shrink(0);
    assert.equal(feed.rows.length, 0);
    feed.append(upTo(101).map((each) => makeNodeLog(each)));
    feed.append(['b', 'c'].map((key) => makeNodeLog(0, { key, sequence: null })));
    assert.deepEqual(
      all().map(({ key }) => key),
      [...upTo(100).map((each) => `log_${each}`), 'a', 'b', 'log_101', 'c'],
    );
    assert.equal(feed.lastSequence, 101);
  });

  it('come back to say that their node run has ended, which is a line more', () => {
    feed.append([makeNodeLog(1, { status: statusOf('running') }), makeNodeLog(2, { nodeId: 'n2' })]);
    feed.shrink(0);
    const ended = makeNodeLog(1, { status: statusOf('completed') });
    for (let times = 0; times < 2; times += 1) feed.append([ended]);
    feed.shrink(0);
    feed.append([ended]);
    assert.equal(feed.nodeRuns[0]?.status?.state, 'completed');
    assert.deepEqual(numbers(all()), [1, 2, 1]);
  });

  it('end no later run of their node when a service repeats an end without a start', () => {
    const first = [
      makeNodeLog(1, { status: statusOf('running') }),
      makeNodeLog(2, { status: statusOf('completed') }),
    ];
    feed.append([...first, makeNodeLog(3, { status: statusOf('running') })]);
    feed.shrink(0);
    feed.append(first);
    assert.deepEqual(
      feed.nodeRuns.map(({ status }) => status?.state),
      ['completed', 'running'],
    );
    assert.equal(feed.count, 3);
  });

  it('let a late row in after them', () => {
    feed.append([makeNodeLog(1), makeNodeLog(3)]);
    feed.shrink(0);
    feed.append([makeNodeLog(5), makeNodeLog(4)]);
    feed.append([makeNodeLog(2)]);
    assert.deepEqual(numbers(all()), [1, 3, 2, 4, 5]);
    assert.deepEqual(announced, [1, 3, 4, 5, 2]);
  });

  it('leave what their node run is, with its first and last hundred logs', () => {
    const output = { text: 'x'.repeat(1000) };
    feed.append([
      makeNodeLog(1, { startedAt, status: statusOf('running'), input: { a: 1 } }),
      ...upTo(999, 2).map((each) => makeNodeLog(each, { startedAt })),
      makeNodeLog(1000, { startedAt, status: statusOf('completed'), durationMs: 7, output }),
    ]);
    feed.shrink(0);
    const [run] = feed.nodeRuns;
    assert.equal(run?.status?.state, 'completed');
    assert.deepEqual([run.startedAt, run.durationMs], [startedAt, 7]);
    assert.deepEqual(run.input, { a: 1 });
    assert.deepEqual(run.output, output);
    assert.deepEqual(run.valueKeys, { input: 'log_1', output: 'log_1000', exchange: null });
    assert.deepEqual(numbers(run.logs), [...upTo(100), ...upTo(1000, 901)]);
    feed.append([makeNodeLog(1001, { startedAt, output: 1 })]);
    const [later] = feed.nodeRuns;
    assert.deepEqual([later?.output, later?.logs.length], [1, 200]);
    assert.equal(later?.logs.at(-1)?.sequence, 1001);
  });

  it('have their large values, if they were cut before, counted no more', () => {
    const output = 'x'.repeat(5000);
    feed.append([makeNodeLog(1, { output }), makeNodeLog(2, { output })]);
    feed.truncate(9000);
    assert.equal(feed.isTruncated, true);
    feed.shrink(0);
    assert.equal(feed.isTruncated, false);
    assert.ok(feed.bytes > 10_000 && feed.bytes < 13_000);
  });

  it('have the large values that their node runs keep cut when room is needed', () => {
    feed.append([makeNodeLog(1, { startedAt, input: { a: 1 }, output: 'x'.repeat(5000) })]);
    feed.shrink(0);
    const before = feed.bytes;
    feed.truncate(1);
    assert.deepEqual(feed.nodeRuns[0]?.output, { $cut: { bytes: 10_024, preview: '' } });
    assert.deepEqual(feed.nodeRuns[0].input, { a: 1 });
    assert.ok(feed.bytes < before - 9000);
  });

  it('have only small values kept beyond 8 MB of them', () => {
    for (let at = 1; at <= 1000; at += 1) {
      const nodeId = `n${at}`;
      feed.append([makeNodeLog(at, { nodeId, startedAt, output: 'x'.repeat(10_000) })]);
      feed.shrink(0);
    }
    const kept = feed.nodeRuns.filter(({ output }) => typeof output === 'string').length;
    assert.ok(kept > 380 && kept < 420);
    assert.ok(feed.bytes < 10_000_000);
  });
});

describe('held logs with an archive', () => {
  const rows = upTo(9000).map((each) => makeNodeLog(each, { message: 'x'.repeat(100) }));

  it('stay within 64 MB however many are followed, and lose no row', () => {
    const archive = new MemoryArchive();
    const feeds = new LogFeeds(() => undefined, archive);
    const kept = upTo(20).map((at) => feeds.keep({ connectionId: 'c1', executionId: `e${at}` }));
    for (const { feed } of kept) feed.append(rows);
    assert.ok(feeds.bytes <= maximumFeedBytes);
    for (const { feed } of kept) assert.equal(feed.count, 9000);
    assert.ok(archive.logs.size > 10);
    for (const each of kept) each.dispose();
    feeds.forgetOthers(() => false);
    assert.equal(archive.logs.size, 0);
    feeds.dispose();
  });
});
