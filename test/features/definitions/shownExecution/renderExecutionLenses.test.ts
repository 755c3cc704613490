import assert from 'node:assert/strict';
import {
  renderExecutionLens,
  renderExecutionTooltip,
  renderNodeActions,
  renderNodeOutcome,
} from '../../../../src/features/definitions/shownExecution/renderExecutionLenses.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
  treeOf,
} from '../../../support/memory/records.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { IterationSelection } from '../../../../src/model/runs/nodeView.ts';
import type { RunState } from '../../../../src/domain/status.ts';

function row(nodeId: string, state: RunState, change: Partial<NodeLog> = {}): NodeLog {
  return makeNodeLog(change.sequence ?? 1, { nodeId, status: statusOf(state), ...change });
}
const show = (rows: readonly NodeLog[], selected: IterationSelection = new Map()) =>
  treeOf(foldNodeRuns(rows)).select(selected);
const reason = (message: string) => ({ code: null, message, nodeId: null });

describe('lenses of nodes', () => {
  const lenses = (...rows: readonly NodeLog[]) => [...show(rows).values()].flatMap(renderNodeOutcome);
  const titles = (...rows: readonly NodeLog[]) => lenses(...rows).map(({ title }) => title);

  it('say state and duration', () => {
    const [lens, ...others] = lenses(row('say', 'completed', { durationMs: 12 }));
    assert.equal(lens?.title, '$(pass) completed · 12 ms');
    assert.equal(lens.does.kind, 'open');
    assert.deepEqual(others, []);
  });

  it('say how often a loop ran, the worst of it, and let choose', () => {
    const rows = (['completed', 'failed', 'completed'] as const).map((state, at) =>
      row('say', state, {
        iteration: [at],
        durationMs: 500,
        error: state === 'failed' ? reason('no mail') : null,
      }),
    );
    const [lens] = lenses(...rows);
    assert.equal(lens?.title, '$(error) failed · ×3 · 1.5 s · no mail');
    assert.equal(lens.does.kind, 'choose');
    assert.equal(lens.tooltip, '3 iterations: 2 completed, 1 failed\nno mail\nSelect a node run to open');
  });

  for (const [what, rows, title] of [
    [
      'the attempt',
      [row('say', 'failed'), row('say', 'completed', { attempt: 2 })],
      '$(pass) completed · attempt 2',
    ],
    [
      'the attempts of a loop',
      [
        row('say', 'failed', { iteration: [0] }),
        row('say', 'completed', { iteration: [0], attempt: 2 }),
        row('say', 'completed', { iteration: [1] }),
      ],
      '$(pass) completed · ×2 · up to 2 attempts',
    ],
    ['that it still runs', [row('start', 'running')], '$(loading~spin) running'],
    ['that it was skipped', [row('start', 'skipped')], '$(debug-step-over) skipped'],
    [
      'a strange word without its icons',
      [row('say', 'unknown', { status: { ...statusOf('unknown'), word: '$(trash)\nfrobbing' } })],
      '$(question) \\$(trash) frobbing',
    ],
    [
      'nothing of lines alone but that they are there',
      [row('say', 'unknown', { status: null })],
      '$(question) unknown',
    ],
  ] as const) {
    it(`say ${what}`, () => assert.deepEqual(titles(...rows), [title]));
  }
});

describe('lenses of nodes whose lines say how they came out', () => {
  const actions = (
    rows: readonly NodeLog[],
    chosen: IterationSelection = new Map(),
    canRetry = false,
  ): readonly string[] =>
    [...show(rows, chosen).values()].flatMap((node) =>
      renderNodeActions(node, canRetry).map(({ title, does }) => `${node.nodeId} ${title}: ${does.kind}`),
    );
  const iteration = (at: number, state: RunState = 'completed') => row('say', state, { iteration: [at] });

  for (const [what, rows, titles] of [
    ['open the run', [row('start', 'completed')], ['start Node Run: open']],
    ['offer nothing for a node that was skipped', [row('say', 'skipped')], []],
    [
      'offer the attempts',
      [row('say', 'failed'), row('say', 'completed', { attempt: 2 })],
      ['say Node Run (attempt 2): open', 'say Others…: choose'],
    ],
    [
      'step through the iterations of a loop',
      [iteration(0), iteration(1, 'failed'), iteration(2)],
      [
        'say $(chevron-left): previousIteration',
        'say Iteration 2 of 3 (1 failed): choose',
        'say $(chevron-right): nextIteration',
        'say Node Run: open',
      ],
    ],
    [
      'stop at the first iteration',
      [iteration(0), iteration(1)],
      [
        'say $(chevron-left): nothing',
        'say Iteration 1 of 2: choose',
        'say $(chevron-right): nextIteration',
        'say Node Run: open',
      ],
    ],
    [
      'have nowhere to go in a loop of one iteration',
      [iteration(0)],
      [
        'say $(chevron-left): nothing',
        'say Iteration 1 of 1: choose',
        'say $(chevron-right): nothing',
        'say Node Run: open',
      ],
    ],
    [
      'name the iterations of all loops around the node',
      [row('say', 'completed', { iteration: [0, 0] }), row('say', 'failed', { iteration: [1, 0] })],
      [
        'say $(chevron-left): nothing',
        'say Iteration 2 of 2 › Iteration 1 of 1 (1 failed): choose',
        'say $(chevron-right): nothing',
        'say Node Run: open',
      ],
    ],
  ] as const)
    it(what, () => assert.deepEqual(actions(rows), titles));

  it('retry from the node that failed, and from no other, where the service can', () => {
    const rows = [row('start', 'completed'), row('say', 'failed')];
    assert.deepEqual(actions(rows, new Map(), true), [
      'start Node Run: open',
      'say Node Run: open',
      'say Retry from Failed Node: retry',
    ]);
  });

  it('stop at the last iteration, and say nothing of a run that is not there', () => {
    const rows = [row('start', 'completed', { iteration: [0] }), iteration(0), iteration(1)];
    const key = show(rows).get('say')?.loops[0]?.key ?? '';
    assert.deepEqual(actions(rows, new Map([[key, 1]])), [
      'start $(chevron-left): previousIteration',
      'start Iteration 2 of 2: choose',
      'start $(chevron-right): nothing',
      'say $(chevron-left): previousIteration',
      'say Iteration 2 of 2: choose',
      'say $(chevron-right): nothing',
      'say Node Run: open',
    ]);
  });
});

describe('the lens of the execution', () => {
  const now = Date.parse('2026-01-05T10:05:00.000Z');
  const target = { connectionId: 'c', executionId: 'exec_123456' };
  const lens = (
    change: Parameters<typeof makeExecution>[1],
    { isLatest = true, wasRedeployedAfter = false } = {},
  ) =>
    renderExecutionLens(
      makeShown({ isLatest, target, execution: makeExecution(target.executionId, change) }),
      wasRedeployedAfter,
      now,
    );

  it('says which one, how it went, and how long ago', () => {
    assert.equal(
      lens({ status: statusOf('failed'), durationMs: 320 }),
      '$(error) Latest execution 123456: failed · 320 ms · 5 min ago',
    );
    assert.match(lens({ kind: 'draft' }) ?? '', /Draft execution 123456: queued/);
    assert.equal(lens({ createdAt: null }), '$(circle-large-outline) Latest execution 123456: queued');
    assert.equal(
      lens({ createdAt: null }, { isLatest: false }),
      '$(circle-large-outline) Execution 123456: queued',
    );
  });

  it('says that the text may not be what ran, and what that means', () => {
    assert.equal(
      lens({ status: statusOf('failed') }, { wasRedeployedAfter: true }),
      '$(error) Latest execution 123456: failed · 5 min ago · redeployed since',
    );
    assert.equal(
      renderExecutionTooltip(true),
      'The workflow was redeployed after this execution, so this text may differ from what ran.\nOpen the log of this execution',
    );
    assert.equal(renderExecutionTooltip(false), 'Open the log of this execution');
  });

  it('says that there is none, and nothing while that is not known', () => {
    assert.equal(renderExecutionLens({ kind: 'none' }, false, now), 'Not executed yet');
    assert.equal(renderExecutionLens({ kind: 'unknown' }, false, now), undefined);
  });
});
