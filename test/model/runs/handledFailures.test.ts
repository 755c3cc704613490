// A failed run is handled once its execution goes on: known from the rows, in whatever order and batches they come.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { createFeed } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

type Row = readonly [nodeId: string, state: RunState, change?: Partial<NodeLog>];

const rowsOf = (rows: readonly Row[]): readonly NodeLog[] =>
  rows.map(([nodeId, state, change], at) => {
    const startedAt = new Date((at + 1) * 1000);
    return makeNodeLog(at + 1, { nodeId, status: statusOf(state), startedAt, ...change });
  });

/** "a", "a[2]", "a #2" of each run that is handled. */
function handled({ nodeRuns, runTree }: LogFeed): readonly string[] {
  const runs = nodeRuns.filter(({ isHandled }) => isHandled);
  for (const run of nodeRuns) assert.equal(runTree.findRun(run.key)?.run, run, 'the tree has the same runs');
  return runs.map(({ nodeId, iteration: [index], attempt }) => {
    const place = index === undefined ? '' : `[${index + 1}]`;
    return `${nodeId}${place}${attempt === 1 ? '' : ` #${attempt}`}`;
  });
}

const start = { startedAt: new Date(1000) };
const inFirst = { iteration: [0] };

const table: readonly (readonly [title: string, rows: readonly Row[], handled: readonly string[]])[] = [
  ['not before another node begins', [['a', 'failed']], []],
  [
    'by the next node',
    [
      ['a', 'failed'],
      ['b', 'running'],
    ],
    ['a'],
  ],
  [
    'but by none that was skipped',
    [
      ['a', 'failed'],
      ['b', 'skipped'],
    ],
    [],
  ],
  [
    'and by the one after that',
    [
      ['a', 'failed'],
      ['b', 'skipped'],
      ['c', 'completed'],
    ],
    ['a'],
  ],
  [
    'by none that had begun before',
    [
      ['a', 'running', start],
      ['b', 'running'],
      ['a', 'failed', start],
    ],
    [],
  ],
  [
    'not by its own next attempt',
    [
      ['a', 'failed'],
      ['a', 'failed', { attempt: 2 }],
      ['b', 'completed'],
    ],
    ['a #2'],
  ],
  [
    'each in a chain but the last',
    [
      ['a', 'failed'],
      ['b', 'failed'],
      ['c', 'failed'],
    ],
    ['a', 'b'],
  ],
  [
    'in its own iteration only',
    [
      ['a', 'failed', inFirst],
      ['a', 'failed', { iteration: [1] }],
      ['b', 'completed', { iteration: [1] }],
      ['c', 'completed'],
    ],
    ['a[2]'],
  ],
  [
    'a loop, but not the iteration that it failed in',
    [
      ['loop', 'running', start],
      ['a', 'failed', inFirst],
      ['loop', 'failed', start],
      ['b', 'completed'],
    ],
    ['loop'],
  ],
];

describe('a failed node run is handled', () => {
  for (const [title, list, expected] of table) {
    it(title, () => {
      const feed = createFeed();
      feed.append(rowsOf(list));
      assert.deepEqual(handled(feed), expected);
    });

    it(`${title}: row by row, while it's read`, () => {
      const feed = createFeed();
      for (const row of rowsOf(list)) {
        feed.append([row]);
        handled(feed);
      }
      assert.deepEqual(handled(feed), expected);
    });

    it(`${title}: the last row first`, () => {
      const feed = createFeed();
      for (const row of rowsOf(list).toReversed()) {
        feed.append([row]);
        handled(feed);
      }
      assert.deepEqual([...handled(feed)].sort(), [...expected].sort());
    });
  }

  it('and then its iteration has not failed, unless a loop in it went on without one of its own', () => {
    const feed = createFeed();
    feed.append(
      rowsOf([
        ['each', 'running', { nodeType: 'forEach' }],
        ['a', 'failed', inFirst],
        ['b', 'completed', inFirst],
        ['a', 'failed', { iteration: [1] }],
        ['inner', 'completed', { iteration: [2], nodeType: 'forEach' }],
        ['a', 'failed', { iteration: [2, 0] }],
        ['a', 'completed', { iteration: [2, 1] }],
      ]),
    );
    const [loop] = feed.runTree.items;
    assert.ok(loop?.kind === 'run' && loop.iterations !== null);
    assert.deepEqual(
      loop.iterations.members.map(({ state }) => state),
      ['completed', 'failed', 'failed'],
    );
    assert.equal(loop.iterations.firstFailed?.index, 1);
    assert.equal(feed.runTree.findFailed(null)?.iteration.join(), '2,0');
    assert.equal(feed.runTree.summaries().get('a')?.failed, 2);
  });

  it('as long as it has failed', () => {
    const feed = createFeed();
    const rows = rowsOf([
      ['a', 'failed'],
      ['b', 'completed'],
    ]);
    feed.append(rows);
    const [first] = rows;
    assert.ok(first);
    feed.append([{ ...first, status: statusOf('completed'), message: 'it went well' }]);
    assert.deepEqual(handled(feed), []);
  });
});
