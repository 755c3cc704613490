// The table of how rows become node runs: loops, attempts, plain lines, values that later rows leave out.
import assert from 'node:assert/strict';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import { foldNodeRuns, makeNodeLog, MemoryRuns, statusOf } from '../../support/memory/records.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 5, 10, 0, second));

describe('node runs', () => {
  it('folds the rows of one run into one', () => {
    const runs = foldNodeRuns([
      makeNodeLog(1, { status: statusOf('running'), startedAt: at(1), input: { a: 1 } }),
      makeNodeLog(2, { message: 'said', startedAt: at(1), input: null, output: null }),
      makeNodeLog(3, {
        status: statusOf('completed'),
        startedAt: at(1),
        completedAt: at(3),
        output: { b: 2 },
      }),
    ]);
    assert.equal(runs.length, 1);
    const [run] = runs;
    assert.equal(run?.status?.state, 'completed');
    assert.equal(run.durationMs, 2000);
    assert.deepEqual([run.input, run.output], [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(
      run.logs.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
  });

  it('shows each turn of a loop, also of a loop in a loop', () => {
    const runs = foldNodeRuns(
      [
        [0, 0],
        [0, 1],
        [1, 0],
      ].map((iteration, index) => makeNodeLog(index + 1, { iteration, startedAt: at(index) })),
    );
    assert.deepEqual(
      runs.map(({ iteration }) => iteration),
      [
        [0, 0],
        [0, 1],
        [1, 0],
      ],
    );
    assert.equal(new Set(runs.map(({ key }) => key)).size, 3);
  });

  it('tells the turns of a loop apart by their start where the service names no turn', () => {
    const runs = foldNodeRuns([
      makeNodeLog(1, { status: statusOf('completed'), startedAt: at(1) }),
      makeNodeLog(2, { status: statusOf('completed'), startedAt: at(2) }),
    ]);
    assert.equal(runs.length, 2);
  });

  it('tells them apart by starting again where there are no times either', () => {
    const states = ['running', 'completed', 'running', 'failed'] as const;
    const runs = foldNodeRuns(
      states.map((state, index) => makeNodeLog(index + 1, { status: statusOf(state) })),
    );
    assert.deepEqual(
      runs.map(({ status }) => status?.state),
      ['completed', 'failed'],
    );
    assert.notEqual(runs[0]?.key, runs[1]?.key);
  });

  it('keeps attempts apart, each with its own error', () => {
    const error = { code: 'http_failed', message: 'no answer', nodeId: 'n1' };
    const runs = foldNodeRuns([
      makeNodeLog(1, { attempt: 1, status: statusOf('failed'), error, startedAt: at(1) }),
      makeNodeLog(2, { attempt: 2, status: statusOf('completed'), startedAt: at(2) }),
    ]);
    assert.deepEqual(
      runs.map(({ attempt, error: own }) => [attempt, own]),
      [
        [1, error],
        [2, null],
      ],
    );
  });

  it('orders runs by their first row, and rows of the execution itself belong to none', () => {
    const runs = foldNodeRuns([
      makeNodeLog(1, { nodeId: '' }),
      makeNodeLog(2, { nodeId: 'b' }),
      makeNodeLog(3, { nodeId: 'a' }),
      makeNodeLog(4, { nodeId: 'b' }),
    ]);
    assert.deepEqual(
      runs.map(({ nodeId }) => nodeId),
      ['b', 'a'],
    );
  });

  it('gives a line without a start to the run that is there, and the run its start when it comes', () => {
    const runs = foldNodeRuns([
      makeNodeLog(1, { status: statusOf('queued') }),
      makeNodeLog(2, { status: statusOf('running'), startedAt: at(1) }),
      makeNodeLog(3),
    ]);
    assert.equal(runs.length, 1);
    assert.deepEqual(runs[0]?.startedAt, at(1));
  });

  it('folds live rows to the same as all rows at once, touching only the runs they belong to', () => {
    const rows = [
      makeNodeLog(1, { nodeId: 'a', startedAt: at(1) }),
      makeNodeLog(2, { nodeId: 'b', startedAt: at(2) }),
      makeNodeLog(3, { nodeId: 'b', startedAt: at(2), status: statusOf('completed') }),
    ];
    const folded = new MemoryRuns();
    const add = (from: number, to: number): readonly NodeRun[] => {
      folded.add(rows.slice(from, to));
      return folded.runs.current;
    };
    const before = add(0, 2);
    const after = add(2, 3);
    assert.deepEqual(after, foldNodeRuns(rows));
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
  });
});
