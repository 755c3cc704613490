// One line stands for all runs of a node, so it must tell of the one that needs a look, and count turns and attempts right.
import assert from 'node:assert/strict';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../support/memory/records.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';

type Row = readonly [state: RunState, change?: Partial<NodeLog>];

function summaryOf(rows: readonly Row[]) {
  const readings = rows.map(([state, change], at) =>
    makeNodeLog(at + 1, { status: statusOf(state), ...change }),
  );
  const summary = treeOf(foldNodeRuns(readings)).summaries().get('n1');
  assert.ok(summary);
  const { runs, iterations, worst, attempts, durationMs } = summary;
  return {
    runs: runs.length,
    iterations: iterations.length,
    worst: worst.status?.word,
    attempts,
    durationMs,
  };
}

/** A run in no numbered turn. */
function runAt(at: number, attempt: number): NodeRun {
  const [run] = foldNodeRuns([makeNodeLog(at, { attempt, status: statusOf('failed') })]);
  return { ...(run ?? assert.fail('There is no run.')), key: String(at) };
}

const turn = (...iteration: number[]) => ({ iteration });
const one = { runs: 1, iterations: 1, attempts: 1, durationMs: null };

describe('node summaries', () => {
  const table: readonly (readonly [string, readonly Row[], ReturnType<typeof summaryOf>])[] = [
    [
      'one run is itself',
      [['completed', { durationMs: 12 }]],
      { ...one, worst: 'completed', durationMs: 12 },
    ],
    [
      'turns of a loop add up, and the failed one counts',
      [
        ['completed', { ...turn(0), durationMs: 5 }],
        ['failed', { ...turn(1), durationMs: 7 }],
        ['completed', { ...turn(2), durationMs: 1 }],
      ],
      { runs: 3, iterations: 3, worst: 'failed', attempts: 1, durationMs: 13 },
    ],
    [
      'a later attempt makes up for an earlier one',
      [
        ['failed', { attempt: 1, durationMs: 5 }],
        ['completed', { attempt: 2, durationMs: 7 }],
      ],
      { runs: 2, iterations: 1, worst: 'completed', attempts: 2, durationMs: 7 },
    ],
    [
      'each turn has attempts of its own',
      [
        ['failed', turn(0)],
        ['completed', { ...turn(0), attempt: 2 }],
        ['failed', turn(1)],
      ],
      { runs: 3, iterations: 2, worst: 'failed', attempts: 2, durationMs: null },
    ],
    [
      'turns that a service does not number are turns all the same',
      [
        ['completed', { startedAt: new Date(1000) }],
        ['completed', { startedAt: new Date(2000) }],
      ],
      { ...one, runs: 2, iterations: 2, worst: 'completed' },
    ],
    [
      'what still runs is told before what is done',
      [
        ['completed', turn(0)],
        ['running', turn(1)],
        ['queued', turn(2)],
      ],
      { ...one, runs: 3, iterations: 3, worst: 'running' },
    ],
    [
      'a warning is told before what went well',
      [
        [
          'completed',
          { ...turn(0), status: { ...statusOf('completed'), word: 'warning', hasWarning: true } },
        ],
        ['completed', turn(1)],
      ],
      { ...one, runs: 2, iterations: 2, worst: 'warning' },
    ],
  ];
  for (const [name, rows, expected] of table) {
    it(name, () => assert.deepEqual(summaryOf(rows), expected));
  }

  it('pair attempts with the last turn before them where a service does not number turns', () => {
    const attempts = [1, 1, 2, 2, 3, 1, 3, 2];
    const summary = treeOf(attempts.map((attempt, at) => runAt(at, attempt)))
      .summaries()
      .get('n1');
    assert.ok(summary);
    assert.deepEqual(
      summary.iterations.map(({ key }) => key),
      ['3', '4', '6', '7'],
    );
    assert.deepEqual([summary.runs.length, summary.attempts], [8, 3]);
  });

  for (const [name, attemptOf] of [
    ['turns that are not numbered', () => 1],
    ['turns that all failed first', (at, count) => (at < count / 2 ? 1 : 2)],
    ['turns with three attempts each', (at) => (at % 3) + 1],
  ] as const satisfies readonly (readonly [string, (at: number, count: number) => number])[])
    it(`take twice the steps for twice as many ${name}`, () => {
      const steps = [2000, 4000].map((count) => {
        let looks = 0;
        const runs = Array.from({ length: count }, (_, at) => ({
          ...runAt(at, 1),
          get attempt() {
            looks += 1;
            return attemptOf(at, count);
          },
        }));
        assert.equal(treeOf(runs).summaries().get('n1')?.runs.length, count);
        return looks;
      });
      const [few = 0, many = 0] = steps;
      assert.ok(few >= 2000 && many <= 2 * few + 10, steps.join(' and '));
    });

  it('keep nodes apart', () => {
    const rows = ['a', 'b', 'a'].map((nodeId, at) =>
      makeNodeLog(at + 1, { nodeId, iteration: [at], status: statusOf('completed') }),
    );
    const summaries = treeOf(foldNodeRuns(rows)).summaries();
    assert.deepEqual(
      [...summaries].map(([nodeId, { iterations }]) => [nodeId, iterations.length]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
  });
});
