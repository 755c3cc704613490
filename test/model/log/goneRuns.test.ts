// The node runs of logs stay within their limit, however many an execution has: the oldest go, and what matters of them stays.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { LogFeeds } from '../../../src/model/log/logFeeds.ts';
import type { RowStore } from '../../../src/model/log/rowStore.ts';
import { createRowStore } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

const maximumBytes = 1024 * 1024;
const target = { connectionId: 'c1', executionId: 'e1' };
const nodes = ['check', 'send'];

/** The rows of one run of a node: that it started, and how it ended. */
function rowsOf(nodeId: string, state: RunState, change: Partial<NodeLog> & { readonly at: number }) {
  const { at, ...more } = change;
  const startedAt = new Date(1_700_000_000_000 + at);
  const row = (key: string, status: RunState, values: Partial<NodeLog> = {}): NodeLog =>
    makeNodeLog(0, { key, sequence: null, nodeId, status: statusOf(status), startedAt, ...more, ...values });
  return [row(`${at} start`, 'running'), row(`${at} end`, state, { output: { at }, ...more })];
}

/** A trigger, and a loop with two nodes. `stateOf`: how the first of them ends in an iteration. */
function* loop(iterations: number, stateOf: (index: number) => RunState = () => 'completed') {
  yield [
    ...rowsOf('trigger', 'completed', { at: 0, nodeType: 'trigger' }),
    ...rowsOf('each', 'running', { at: 1, nodeType: 'forEach' }),
  ];
  for (let index = 0; index < iterations; index += 1)
    yield nodes.flatMap((nodeId, of) =>
      rowsOf(nodeId, of === 0 ? stateOf(index) : 'completed', { at: 2 + 2 * index + of, iteration: [index] }),
    );
}

describe('the node runs of a log', () => {
  let store: RowStore;
  let feeds: LogFeeds;
  let feed: LogFeed;
  beforeEach(() => {
    store = createRowStore();
    feeds = new LogFeeds(() => undefined, store, maximumBytes);
    feed = feeds.keep(target).feed;
  });
  afterEach(() => store.dispose());

  const iterationsOf = ({ runTree }: LogFeed): readonly number[] => {
    const each = runTree.items.find((item) => item.kind === 'run' && item.run.nodeId === 'each');
    return each?.kind === 'run' ? (each.iterations?.members ?? []).map(({ index }) => index) : [];
  };

  it('stay within their limit at ten times as many, without the first iterations of a loop', () => {
    let runs = 0;
    const iterations = (10 * maximumBytes) / 3200 / 2;
    for (const batch of loop(iterations)) {
      feed.append(batch);
      assert.ok(feeds.runBytes <= maximumBytes);
      runs += 2;
    }
    assert.equal(feed.nodeRuns.length + feed.goneRuns, runs);
    assert.ok(feed.goneRuns > runs * 0.85);
    // Each row is still in the log.
    assert.equal(feed.lines(0, feed.count).length, feed.count);
    const [trigger, each] = feed.nodeRuns;
    assert.deepEqual([trigger?.nodeId, each?.nodeId], ['trigger', 'each']);
    assert.equal(feed.runTree.trigger, trigger);
    const shown = iterationsOf(feed);
    assert.ok(shown.length > 100);
    assert.deepEqual(
      shown,
      Array.from({ length: shown.length }, (_, at) => Math.ceil(iterations) - shown.length + at),
    );
    assert.deepEqual(feed.nodeRuns.at(-1)?.output, { at: 1 + 2 * Math.ceil(iterations) });
    assert.ok(feed.valueBytes < maximumBytes / 10);
  });

  it('keep those that failed, and whether they were handled', () => {
    const failing = new Set([3, 400]);
    for (const batch of loop(1000, (index) => (failing.has(index) ? 'failed' : 'completed')))
      feed.append(batch);
    feed.append(rowsOf('last', 'failed', { at: 10_000 }));
    const failed = () =>
      feed.nodeRuns
        .filter(({ status }) => status?.state === 'failed')
        .map(({ nodeId, iteration, isHandled }) => [nodeId, iteration, isHandled]);
    // What was handled goes with the others.
    assert.deepEqual(failed(), [['last', [], false]]);
    assert.equal(feed.runTree.findFailed(null)?.nodeId, 'last');
    const stays = new Set([0, 1]);
    const second = feeds.keep({ ...target, executionId: 'e2' }).feed;
    for (const [at, batch] of [
      ...loop(1000, (index) => (stays.has(index) ? 'failed' : 'completed')),
    ].entries())
      second.append(stays.has(at - 1) ? batch.slice(0, 2) : batch);
    assert.deepEqual(
      second.nodeRuns.filter(({ status }) => status?.state === 'failed').map(({ iteration }) => iteration),
      [[0], [1]],
    );
  });

  it('go of the feeds that were used longest ago first', () => {
    for (const batch of loop(120)) feed.append(batch);
    const second = feeds.keep({ ...target, executionId: 'e2' }).feed;
    for (const batch of loop(120)) second.append(batch);
    assert.ok(feed.goneRuns > 100);
    assert.deepEqual([second.goneRuns, second.nodeRuns.length], [0, 242]);
  });

  it("don't come back with rows that a service repeats", () => {
    const batches = [...loop(500)];
    for (const batch of batches) feed.append(batch);
    const { goneRuns, nodeRuns } = feed;
    feed.append(batches.slice(0, 100).flat());
    const changed = batches[2]?.map((row) => ({ ...row, message: 'another' })) ?? [];
    feed.append(changed);
    assert.deepEqual([feed.goneRuns, feed.nodeRuns], [goneRuns, nodeRuns]);
    assert.match(
      feed
        .lines(8, 12)
        .map(({ text }) => text)
        .join('\n'),
      /another/,
    );
  });

  it('have keys of their own where a service repeats nodes without numbers', () => {
    for (let at = 0; at < 1000; at += 1)
      feed.append(
        (['running', 'completed'] as const).map((state) =>
          makeNodeLog(0, { key: `${at} ${state}`, sequence: null, nodeId: 'a', status: statusOf(state) }),
        ),
      );
    const keys = feed.nodeRuns.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(feed.goneRuns + keys.length, 1000);
    for (const key of keys) assert.ok(feed.findNodeRun(key));
  });
});
