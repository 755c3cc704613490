// What is drawn of times rests on these measures; nothing may be invented that a service did not tell.
import assert from 'node:assert/strict';
import { measureTimeline } from '../../../src/model/runs/timeline.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import type { Execution } from '../../../src/domain/execution.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';

const start = Date.UTC(2026, 0, 5, 10);
const at = (second: number): Date => new Date(start + second * 1000);
const secondsOf = ({ from, to }: { readonly from: number; readonly to: number }) => [
  (from - start) / 1000,
  (to - start) / 1000,
];

let sequence = 0;
function row(nodeId: string, change: Partial<NodeLog>): NodeLog {
  sequence += 1;
  return makeNodeLog(sequence, { nodeId, nodeName: nodeId, ...change });
}
const began = (nodeId: string, second: number): NodeLog =>
  row(nodeId, { status: statusOf('running'), startedAt: at(second), timestamp: at(second) });
const waits = (nodeId: string, from: number, second: number): NodeLog =>
  row(nodeId, { status: statusOf('waiting'), startedAt: at(from), timestamp: at(second) });
const ended = (nodeId: string, from: number, second: number): NodeLog =>
  row(nodeId, {
    status: statusOf('completed'),
    startedAt: at(from),
    completedAt: at(second),
    timestamp: at(second),
    durationMs: (second - from) * 1000,
  });

function measure(rows: readonly NodeLog[], execution: Partial<Execution> = {}) {
  const reading = makeExecution('e', { createdAt: null, ...execution });
  const { whole, timed, untimed, ...rest } = measureTimeline(reading, rows, foldNodeRuns(rows));
  return {
    ...rest,
    whole: whole && secondsOf(whole),
    timed: timed.map((each) => [each.run.nodeId, ...secondsOf(each)]),
    waits: timed.map((each) => each.waits.map(secondsOf)),
    open: timed.filter(({ isOpen }) => isOpen).map(({ run }) => run.nodeId),
    untimed: untimed.map(({ nodeId }) => nodeId),
  };
}

describe('the timeline of an execution', () => {
  it('is on a scale from the trigger to the end; the queue and what lies between two runs is waiting', () => {
    const rows = [began('a', 2), ended('a', 2, 4), began('b', 5), ended('b', 5, 9)];
    assert.deepEqual(measure(rows, { createdAt: at(0), startedAt: at(1), completedAt: at(10) }), {
      whole: [0, 10],
      queuedMs: 1000,
      timed: [
        ['a', 2, 4],
        ['b', 5, 9],
      ],
      waits: [[], []],
      open: [],
      untimed: [],
      waitingMs: 4000,
    });
  });

  it('orders the runs by their start, whatever order their rows came in', () => {
    const { timed } = measure([began('late', 3), began('early', 1), began('same', 3)]);
    assert.deepEqual(
      timed.map(([nodeId]) => nodeId),
      ['early', 'late', 'same'],
    );
  });

  it('reaches, while something runs, to the last row and no further', () => {
    const said = row('b', { startedAt: at(2), timestamp: at(6), message: 'on it' });
    const { whole, timed, open } = measure([began('a', 0), ended('a', 0, 2), began('b', 2), said]);
    assert.deepEqual(whole, [0, 6]);
    assert.deepEqual(timed.at(-1), ['b', 2, 6]);
    assert.deepEqual(open, ['b']);
  });

  it('takes a run that waited apart, also while it still waits', () => {
    const rows = [began('a', 0), waits('a', 0, 1), row('a', { startedAt: at(0), timestamp: at(2) })];
    assert.deepEqual(measure(rows).waits, [[[1, 2]]]);
    const all = [...rows, ended('a', 0, 5), began('b', 4), ended('b', 4, 6)];
    const { waits: shown, waitingMs } = measure(all);
    assert.deepEqual(shown, [[[1, 5]], []]);
    assert.equal(waitingMs, 4000);
  });

  it('counts what waits at the same time once', () => {
    const rows = ['a', 'b'].flatMap((id) => [began(id, 0), waits(id, 0, 2), ended(id, 0, 8)]);
    assert.equal(measure(rows).waitingMs, 6000);
  });

  it('invents no end: what ended at an unknown time is a moment', () => {
    const rows = [row('a', { status: statusOf('completed'), startedAt: at(1) }), began('b', 3)];
    assert.deepEqual(measure(rows).timed, [
      ['a', 1, 1],
      ['b', 3, 3],
    ]);
    const plain = [row('a', { startedAt: at(1) }), began('b', 3)];
    assert.deepEqual(measure(plain).timed[0], ['a', 1, 1]);
  });

  it('takes the end from the duration, and what ends before it begins as a moment', () => {
    const byDuration = row('a', { status: statusOf('completed'), startedAt: at(1), durationMs: 3000 });
    const skewed = row('b', { status: statusOf('completed'), startedAt: at(2), completedAt: at(1) });
    assert.deepEqual(measure([byDuration, skewed]).timed, [
      ['a', 1, 4],
      ['b', 2, 2],
    ]);
  });

  it('has no scale where no times are told, and leaves out runs that tell none', () => {
    const none = measure([row('a', {}), row('b', { durationMs: 5 })]);
    assert.deepEqual([none.whole, none.timed, none.untimed], [null, [], ['a', 'b']]);
    const some = measure([row('a', {}), began('b', 1)]);
    assert.deepEqual([some.timed.length, some.untimed], [1, ['a']]);
  });

  it('does not trust the time of a trigger that came before the record was read', () =>
    assert.deepEqual(measure([began('a', 5)], { createdAt: at(-300) }).whole, [5, 5]));
});
