// The values of a node run with very many rows stay within their limit, however small each is, and what is gone is said.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { LogFeeds, maximumValueBytes } from '../../../src/model/log/logFeeds.ts';
import { forgottenValue } from '../../../src/model/runs/rowSizes.ts';
import { createRowStore } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

const target = { connectionId: 'c1', executionId: 'e1' };
const text = 'x'.repeat(400);
const startedAt = new Date(0);
const together = 1000;
const status = statusOf('running');

const row = (sequence: number, change: Partial<NodeLog> = {}): NodeLog =>
  makeNodeLog(sequence, { startedAt, status, output: { sequence, text }, ...change });
const outputOf = (sequence: number) => ({ sequence, text });

describe('the values of very many rows', () => {
  let feeds: LogFeeds;
  let feed: LogFeed;
  const store = createRowStore();
  beforeEach(() => {
    feeds = new LogFeeds(() => undefined, store);
    feed = feeds.keep(target).feed;
  });
  after(() => store.dispose());

  const append = (from: number, to: number, change?: Partial<NodeLog>) => {
    for (let at = from; at < to; at += together) {
      feed.append(Array.from({ length: Math.min(together, to - at) }, (_, index) => row(at + index, change)));
      assert.ok(feeds.valueBytes <= maximumValueBytes);
    }
  };

  it('of one run stay within their limit, and those that are gone have placeholders', () => {
    append(1, 3);
    feed.append([row(3, { nodeId: 'other', input: 'in', output: undefined })]);
    append(4, 100_000);
    assert.equal(feed.isTruncated, true);
    assert.ok(feed.wholeBytes > 1.5 * maximumValueBytes);
    const [run, other] = feed.nodeRuns;
    assert.deepEqual(run?.output, outputOf(99_999));
    assert.deepEqual([other?.input, other?.output], [forgottenValue, undefined]);
    assert.deepEqual([run.logs[0]?.output, run.logs[0]?.input], [forgottenValue, undefined]);
    assert.deepEqual(feed.rows.at(0)?.output, outputOf(98_000));
  });

  it('come back with rows that are read again', () => {
    append(1, 100);
    const [run] = feed.nodeRuns;
    const { valueBytes, wholeBytes } = feed;
    feed.reduceValues(valueBytes / 2);
    assert.ok(feed.isTruncated && feed.valueBytes <= valueBytes / 2 && feed.wholeBytes === wholeBytes);
    assert.deepEqual(run?.logs[0]?.output, forgottenValue);
    feed.append([row(1)]);
    assert.deepEqual(feed.nodeRuns[0]?.logs[0]?.output, outputOf(1));
    assert.deepEqual(feed.append([row(1)]), []);
    append(1, 100);
    assert.deepEqual([feed.isTruncated, feed.valueBytes, feed.wholeBytes], [false, valueBytes, valueBytes]);
    feed.reduceValues(valueBytes);
    assert.deepEqual(feed.nodeRuns[0].output, forgottenValue);
    append(1, 100, { output: undefined });
    assert.deepEqual([feed.isTruncated, feed.valueBytes, feed.nodeRuns[0].output], [false, 0, undefined]);
  });

  it('go with the runs that are forgotten, and are not kept when these are repeated', () => {
    const ended = { status: statusOf('completed') };
    const one = (index: number) => row(index + 1, { ...ended, iteration: [index] });
    feed.append([one(0), one(1), one(2)]);
    const { valueBytes } = feed;
    feed.forgetRuns(1);
    assert.deepEqual([feed.isTruncated, feed.valueBytes], [false, (valueBytes * 2) / 3]);
    assert.deepEqual(feed.rows[0]?.output, forgottenValue);
    assert.deepEqual(feed.append([one(0)]), []);
    assert.deepEqual([feed.isTruncated, feed.valueBytes], [false, (valueBytes * 2) / 3]);
  });
});
