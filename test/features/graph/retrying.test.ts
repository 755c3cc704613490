// What a retry took over in the graph, and what can be retried there.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import { renderRun } from '../../../src/features/graph/renderRun.ts';
import { ranRow, shownExecution } from '../../support/graphs.ts';
import { statusOf } from '../../support/memory/records.ts';

const nodes = ['if', 'then', 'after'].map((id) => ({ id, name: id, type: 'log' }));
const branching = readGraph(DefinitionText.of({ nodes, edges: [] }), []);

describe('a node that a retry took over, or that a pin answered', () => {
  const rows = [
    ranRow('if', 'completed', [0, 1], { reusedFrom: 'e0' }),
    ranRow('then', 'completed', [1, 2], { isPinned: true }),
    ranRow('after', 'completed', [2, 3]),
  ];
  const run = renderRun(branching, shownExecution(rows), []);

  it('says so in the graph and the timeline wherever it is dimmed, and a node that ran does not', () => {
    assert.deepEqual(
      run.nodes.map(({ detail, isDimmed }) => [detail, isDimmed]),
      [
        ['completed · reused', true],
        ['completed · pinned', true],
        ['completed · 1 ms', false],
      ],
    );
    assert.deepEqual(
      run.lanes.map(({ detail, aloud, bars }) => [
        detail,
        aloud,
        bars.map(({ label, isDimmed }) => [label, isDimmed]),
      ]),
      [
        ['reused', 'completed, +0 ms', [['completed, reused', true]]],
        ['pinned', 'completed, +1 ms', [['completed, pinned', true]]],
        ['1 ms', 'completed, +2 ms', [['completed, 1 ms', false]]],
      ],
    );
  });

  it('is not dimmed where only some of its iterations were taken over, which its words cannot say', () => {
    const some = [0, 1].map((index) =>
      ranRow('then', 'completed', [index, index + 1], {
        iteration: [index],
        reusedFrom: index === 0 ? 'e0' : null,
      }),
    );
    const [, then] = renderRun(branching, shownExecution(some), []).nodes;
    assert.equal(then?.isDimmed, false);
  });
});

describe('what can be retried in the graph', () => {
  const none = { offersRetry: false, offersRetryFromNode: false };
  const whole = { offersRetry: true, offersRetryFromNode: false };
  const anyNode = { offersRetry: true, offersRetryFromNode: true };
  for (const [state, offered, expected] of [
    ['failed', anyNode, [true, true]],
    ['cancelled', anyNode, [true, true]],
    ['completed', anyNode, [false, true]],
    ['running', anyNode, [false, false]],
    ['failed', whole, [true, false]],
    ['completed', whole, [false, false]],
    ['failed', none, [false, false]],
    ['failed', { ...none, offersRetryFromNode: true }, [false, false]],
  ] as const)
    it(`is ${expected.join()} of a ${state} execution where the service offers ${Object.values(offered).join()}`, () => {
      const status = { ...statusOf(state), isTerminal: state !== 'running' };
      const shown = shownExecution([], state);
      const execution = { ...shown.execution, status, retryOf: 'exec_123456' };
      const { head } = renderRun(branching, { ...shown, execution }, [], offered);
      assert.deepEqual([head.canRetry, head.canRetryFromNode], expected);
      assert.ok(head.text.endsWith(' · retry of 123456'), head.text);
    });
});
