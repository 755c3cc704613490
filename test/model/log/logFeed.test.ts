// No row is lost or doubled, whatever a stream repeats, and each is announced once.
import assert from 'node:assert/strict';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { createFeed } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

describe('the log feed', () => {
  let feed: LogFeed;
  let announced: (number | null)[];
  beforeEach(() => {
    feed = createFeed();
    announced = [];
    feed.onDidAppend(({ rows }) => announced.push(...rows.map(({ sequence }) => sequence)));
  });

  it('announces each row once, in order, although a resumed stream repeats some', () => {
    feed.append([makeNodeLog(2), makeNodeLog(1)]);
    feed.append([makeNodeLog(2), makeNodeLog(3)]);
    feed.append([makeNodeLog(1), makeNodeLog(2), makeNodeLog(3)]);
    assert.deepEqual(announced, [1, 2, 3]);
    assert.deepEqual(
      feed.rows.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.equal(feed.lastSequence, 3);
  });

  it('puts a late row where it belongs', () => {
    feed.append([makeNodeLog(1, { nodeId: 'a' }), makeNodeLog(3, { nodeId: 'c' })]);
    feed.append([makeNodeLog(2, { nodeId: 'b' })]);
    assert.deepEqual(
      feed.rows.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.deepEqual(
      feed.nodeRuns.map(({ nodeId }) => nodeId),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(announced, [1, 3, 2]);
  });

  it('lets a later row with the same key replace the earlier one, in the node runs too', () => {
    feed.append([makeNodeLog(1, { nodeId: 'a' }), makeNodeLog(2, { status: statusOf('running') })]);
    const untouched = feed.nodeRuns[0];
    feed.append([makeNodeLog(2, { status: statusOf('completed') })]);
    assert.equal(feed.rows.length, 2);
    assert.equal(feed.nodeRuns[1]?.status?.state, 'completed');
    assert.equal(feed.nodeRuns[0], untouched);
    assert.deepEqual(announced, [1, 2]);
  });

  it('gives the last lines that are shown, of all or of a node run', () => {
    const rows = Array.from({ length: 9 }, (_, at) =>
      makeNodeLog(at + 1, { nodeId: at % 2 === 0 ? 'a' : 'b', message: `says ${at + 1}`, status: null }),
    );
    // It only says that it has started, and more follows.
    feed.append([makeNodeLog(0, { nodeId: 'a', message: '', status: statusOf('running') }), ...rows]);
    const numbersOf = (lines: readonly { readonly text: string }[]) =>
      lines.map(({ text }) => Number(/says (\d)$/.exec(text)?.[1]));
    assert.deepEqual(numbersOf(feed.lastLines(3, {})), [7, 8, 9]);
    assert.deepEqual(numbersOf(feed.lastLines(2, { nodeId: 'b' })), [6, 8]);
    assert.deepEqual(numbersOf(feed.lastLines(20, { nodeId: 'a' })), [1, 3, 5, 7, 9]);
  });

  it('announces no change of node runs for rows that are there already', () => {
    let changed = 0;
    feed = createFeed(() => (changed += 1));
    feed.append([makeNodeLog(1)]);
    const { nodeRuns } = feed;
    feed.append([makeNodeLog(1)]);
    assert.equal(changed, 1);
    assert.equal(feed.nodeRuns, nodeRuns);
  });

  it('keeps the place of a row that comes again without its sequence', () => {
    const status = statusOf('completed');
    feed.append([makeNodeLog(1), makeNodeLog(3)]);
    feed.append([{ ...makeNodeLog(3, { status }), sequence: null }, makeNodeLog(2)]);
    assert.deepEqual(
      feed.rows.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.deepEqual(feed.rows[2]?.status, status);
  });

  it('keeps rows without a sequence as they came', () => {
    feed.append(['b', 'a', 'c'].map((key) => makeNodeLog(0, { key, sequence: null })));
    assert.deepEqual(
      feed.rows.map(({ key }) => key),
      ['b', 'a', 'c'],
    );
    assert.equal(feed.lastSequence, undefined);
  });
});
