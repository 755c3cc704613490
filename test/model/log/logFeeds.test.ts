// Logs of a day in one window stay within 64 MB, and what is followed loses no row for it.
import assert from 'node:assert/strict';
import { LogFeeds, maximumValueBytes } from '../../../src/model/log/logFeeds.ts';
import { sizeOfValue } from '../../../src/model/runs/rowSizes.ts';
import { createRowStore } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';

const megabyte = 1024 * 1024;
/** About 1 MB as it is estimated. */
const large = 'x'.repeat(megabyte / 2);
const of = (executionId: string) => ({ connectionId: 'c1', executionId });
const row = (sequence: number, output: string = large): NodeLog =>
  makeNodeLog(sequence, { output, status: statusOf('completed') });
const isWhole = ({ output }: NodeLog): boolean => output === large;

describe('held logs', () => {
  let feeds: LogFeeds;
  beforeEach(() => {
    feeds = new LogFeeds(() => undefined, createRowStore());
  });
  afterEach(() => feeds.dispose());

  it('let go of the feeds longest unused beyond 64 MB', () => {
    for (let at = 0; at < 10; at += 1)
      feeds.get(of(`e${at}`)).append(Array.from({ length: 10 }, (_, sequence) => row(sequence)));
    assert.ok(feeds.valueBytes <= maximumValueBytes);
    assert.equal(feeds.get(of('e9')).rows.length, 10);
    assert.equal(feeds.get(of('e5')).rows.length, 10);
    assert.deepEqual(feeds.get(of('e0')).rows, []);
  });

  it('let go of none beyond 100 that is followed', () => {
    const followed = feeds.get(of('followed'));
    const kept = feeds.keep(of('followed'));
    for (let at = 0; at < 250; at += 1) feeds.get(of(`e${at}`)).append([row(1, 'small')]);
    assert.equal(feeds.get(of('followed')), followed);
    assert.equal(feeds.get(of('e249')).rows.length, 1);
    assert.deepEqual(feeds.get(of('e0')).rows, []);
    kept.dispose();
    for (let at = 0; at < 250; at += 1) feeds.get(of(`l${at}`)).append([row(1, 'small')]);
    assert.notEqual(feeds.get(of('followed')), followed);
  });

  it('keep every row of one that is huge, and cut the values of the oldest', () => {
    const feed = feeds.get(of('huge'));
    const kept = feeds.keep(of('huge'));
    const appended: number[] = [];
    feed.onDidAppend(({ rows }) => appended.push(...rows.map(({ sequence }) => sequence ?? 0)));
    for (let sequence = 1; sequence <= 300; sequence += 1) {
      feed.append([row(sequence)]);
      assert.ok(feeds.valueBytes <= maximumValueBytes + megabyte);
    }
    assert.ok(feeds.valueBytes <= maximumValueBytes);
    assert.deepEqual(
      appended,
      Array.from({ length: 300 }, (_, at) => at + 1),
    );
    assert.equal(feed.rows.length, 300);
    assert.equal(feed.isTruncated, true);
    assert.deepEqual(feed.rows[0]?.output, { $cut: { bytes: sizeOfValue(large), preview: '' } });
    const firstWhole = feed.rows.findIndex(isWhole);
    assert.ok(firstWhole > 200 && feed.rows.slice(firstWhole).every(isWhole));
    assert.ok(feed.wholeBytes > 290 * megabyte);
    assert.deepEqual(feed.nodeRuns.at(-1)?.output, large);
    const logs = feed.nodeRuns.flatMap((run) => run.logs);
    assert.equal(new Set(logs.map(({ key }) => key)).size, 200);
    assert.equal(logs.length, 200);
    kept.dispose();
  });

  it('have cut values read again when they are shown again and there is room', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const [first, second] = ['e1', 'e2'].map((executionId) => ({ connectionId, executionId }));
    assert.ok(first && second);
    const rows = Array.from({ length: 40 }, (_, at) => row(at + 1));
    for (const { executionId } of [first, second]) world.first.logs.set(executionId, rows);
    const kept = [world.executions.keepLogs(first), world.executions.keepLogs(second)];
    await world.executions.readLogs(first);
    await world.executions.readLogs(second);
    assert.equal(world.executions.logs(first).rows.length, 40);
    assert.equal(world.executions.logs(first).isTruncated, true);
    for (const each of kept) each.dispose();
    const feed = await world.executions.readLogs(first);
    assert.equal(feed.isTruncated, false);
    assert.ok(feed.rows.every(isWhole));
    await world.connections.remove(connectionId);
    assert.deepEqual(feed.nodeRuns.length > 0, true);
    assert.deepEqual(world.executions.logs(first).rows, []);
  });
});
