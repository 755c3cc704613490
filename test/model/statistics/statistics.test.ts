// What is usual: counted from what is known, led to what stands out, and said of how many it is.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { measureDurations } from '../../../src/model/statistics/durations.ts';
import { longestExecutions, measureExecutions } from '../../../src/model/statistics/executionStatistics.ts';
import { NodeCounts } from '../../../src/model/statistics/nodeStatistics.ts';
import { WorkflowStatistics } from '../../../src/model/statistics/workflowStatistics.ts';
import { describeStatistics } from '../../../src/words/statistics.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const ended = (id: string, state: 'completed' | 'failed' | 'cancelled', durationMs: number) =>
  makeExecution(id, { status: statusOf(state), durationMs });
const signal = new AbortController().signal;

describe('the statistics of durations', () => {
  it('are the middle one, the one that 95 of 100 stay within, and the longest, in any order', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
    assert.deepEqual(measureDurations(hundred), { median: 50.5, p95: 95, longest: 100 });
    assert.deepEqual(measureDurations([10, 2, 9]), { median: 9, p95: 10, longest: 10 });
    assert.deepEqual(measureDurations([7]), { median: 7, p95: 7, longest: 7 });
    assert.equal(measureDurations([]), null);
  });
});

describe('the statistics of executions', () => {
  const executions = [
    makeExecution('e0', { status: statusOf('running') }),
    ended('e1', 'completed', 100),
    ended('e2', 'failed', 1),
    ended('e3', 'completed', 300),
    ended('e4', 'cancelled', 5000),
    makeExecution('e5', { status: statusOf('completed') }),
  ];

  it('count how they ended, and measure those that completed', () => {
    assert.deepEqual(measureExecutions(executions), {
      ended: 5,
      completed: 3,
      failed: 1,
      cancelled: 1,
      durations: { median: 200, p95: 300, longest: 300 },
    });
    assert.deepEqual(
      longestExecutions(executions, 1).map(({ id }) => id),
      ['e3'],
    );
  });

  it('are told as of the newest ones where that is not all', () => {
    const measured = measureExecutions(executions);
    assert.equal(
      describeStatistics(measured, false),
      '1 of the 5 newest executions failed · median 200 ms, 95% within 300 ms',
    );
    assert.equal(
      describeStatistics({ ...measured, failed: 0, durations: null }, true),
      'None of 5 executions failed',
    );
    assert.equal(describeStatistics(measureExecutions(executions.slice(0, 2)), true), undefined);
  });
});

describe('the statistics of nodes', () => {
  const run = (sequence: number, change: Partial<NodeLog>): NodeLog =>
    makeNodeLog(sequence, { status: statusOf('completed'), ...change });

  it('count what ran, iterations and attempts too, and lead to the longest run', () => {
    const counts = new NodeCounts();
    const slow = foldNodeRuns([
      run(1, { iteration: [0], durationMs: 5 }),
      run(2, { iteration: [1], durationMs: 90 }),
      run(3, { iteration: [2], durationMs: 70, status: statusOf('failed') }),
    ]);
    counts.add('e1', slow);
    counts.add(
      'e2',
      foldNodeRuns([
        run(1, { durationMs: 7 }),
        run(2, { nodeId: 'n2', durationMs: 8, isPinned: true }),
        run(3, { nodeId: 'n3', durationMs: 0, status: statusOf('skipped') }),
        run(4, { nodeId: 'n4', durationMs: 3, status: statusOf('running') }),
      ]),
    );
    assert.deepEqual(counts.measure(), [
      {
        nodeId: 'n1',
        nodeName: 'Node 1',
        runs: 4,
        failed: 1,
        durations: { median: 7, p95: 90, longest: 90 },
        longest: { executionId: 'e1', key: slow[1]?.key, durationMs: 90 },
      },
    ]);
  });
});

describe('the statistics of a workflow', () => {
  async function open(count: number) {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const { first } = world;
    first.executions = Array.from({ length: count }, (_, at) => ended(`e${at}`, 'completed', at));
    for (const { id } of first.executions)
      first.logs.set(id, [makeNodeLog(1, { status: statusOf('completed'), durationMs: 10 })]);
    const target = { connectionId, workflowId: 'w1' };
    return { ...world, target, statistics: await WorkflowStatistics.read(world.executions, target, signal) };
  }

  it('are of its 200 newest executions, and of the nodes of the 20 newest, read behind all else', async () => {
    const { statistics, first } = await open(250);
    assert.deepEqual([statistics.newest.executions.length, statistics.newest.isAll], [200, false]);
    const before = first.calls.length;
    const reads: number[] = [];
    statistics.nodes.onDidChange(({ read }) => reads.push(read));
    await statistics.readNodes();
    assert.deepEqual(
      reads,
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    assert.equal(statistics.nodes.current.nodes[0]?.runs, 20);
    assert.deepEqual(new Set(first.purposes.slice(before)), new Set(['executions']));
  });

  it('ask for no log that the window has, and say so where there is nothing older', async () => {
    const { statistics, first, executions, target } = await open(3);
    assert.ok(statistics.newest.isAll);
    await executions.readLogs({ connectionId: target.connectionId, executionId: 'e1' });
    await statistics.readNodes();
    assert.equal(first.calls.filter((call) => call === 'executions.logs e1').length, 1);
    assert.equal(statistics.nodes.current.nodes[0]?.runs, 3);
  });

  it('keep what they have when a log is refused, and end when nobody looks any more', async () => {
    const { statistics, first } = await open(5);
    const seen: number[] = [];
    statistics.nodes.onDidChange(({ read }) => {
      seen.push(read);
      if (read === 2) first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    });
    await statistics.readNodes();
    const { nodes, read, error } = statistics.nodes.current;
    assert.deepEqual([nodes[0]?.runs, read, error?.reason.kind], [2, 2, 'unavailable']);
    first.failure = null;
    const calls = first.calls.length;
    statistics.dispose();
    await statistics.readNodes();
    assert.equal(first.calls.length, calls);
  });

  it('of what the window knows take the longest list without a gap, without drafts', async () => {
    const { executions, first, target } = await open(30);
    const { connectionId } = target;
    first.executions = [
      { ...ended('d1', 'failed', 1), kind: 'draft' as const },
      ...first.executions,
      { ...ended('o1', 'failed', 1), workflowId: 'w2' },
    ];
    assert.deepEqual(executions.newestOf(target), { executions: [], isAll: false });
    await executions.refresh(target);
    const own = executions.newestOf(target);
    assert.deepEqual([own.executions.length, own.isAll], [9, false]);
    await executions.refresh({ connectionId, workflowId: null, filter: { states: [], period: null } });
    const all = executions.newestOf(target);
    assert.deepEqual([all.executions.length, all.isAll], [30, true]);
    assert.ok(all.executions.every(({ kind, workflowId }) => kind === 'deployed' && workflowId === 'w1'));
  });
});
