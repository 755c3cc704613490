import assert from 'node:assert/strict';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { RunState } from '../../src/domain/status.ts';
import { describeOutcome, describeStates } from '../../src/words/nodeState.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../support/memory/records.ts';

const row = (state: RunState, change: Partial<NodeLog> = {}): NodeLog =>
  makeNodeLog(1, { nodeId: 'say', status: statusOf(state), durationMs: 490, ...change });
const error = { code: null, message: 'The mail server\nanswered 503', nodeId: null };
const strange = { ...statusOf('unknown'), word: `frob\nbing${'!'.repeat(100)}` };

describe('the state of a node', () => {
  for (const [what, rows, words] of [
    ['in a run', [row('completed')], 'completed · 490 ms'],
    ['reused', [row('completed', { reusedFrom: 'e1', durationMs: 5 })], 'completed · reused'],
    ['pinned', [row('completed', { isPinned: true, durationMs: null })], 'completed · pinned'],
    ['answered by the draft', [row('failed', { isAnswered: true })], 'failed · answered · 490 ms'],
    ['without a known duration', [row('running', { durationMs: null })], 'running'],
    ['that was skipped, which takes no time', [row('skipped')], 'skipped'],
    ['without a state', [row('unknown', { status: null, durationMs: null })], 'unknown'],
    [
      "in the service's own word",
      [row('unknown', { status: strange })],
      `frob bing${'!'.repeat(30)}… · 490 ms`,
    ],
    ['after an attempt', [row('failed'), row('completed', { attempt: 2 })], 'completed · 490 ms · attempt 2'],
    [
      'in a loop: its most urgent one, and all the time',
      [row('failed', { iteration: [0] }), row('completed', { iteration: [1] })],
      'failed · ×2 · 980 ms',
    ],
    [
      'in a loop with attempts',
      [
        row('failed', { iteration: [0] }),
        row('completed', { iteration: [0], attempt: 2 }),
        row('completed', { iteration: [1] }),
      ],
      'completed · ×2 · 980 ms · up to 2 attempts',
    ],
    [
      'that failed without ending the execution, for the next node began',
      [row('failed'), row('completed', { nodeId: 'next' })],
      'failed (handled) · 490 ms',
    ],
    [
      'that still runs in a loop where a failure was handled',
      [
        row('failed', { iteration: [0] }),
        row('completed', { nodeId: 'next', iteration: [0] }),
        row('running', { iteration: [1], durationMs: null }),
      ],
      'running · ×2 · 490 ms',
    ],
  ] as const)
    it(what, () => {
      const summary = treeOf(foldNodeRuns(rows)).summaries().get('say');
      assert.equal(summary && describeStates(summary), words);
    });

  it('of one run with the reason of a failure, on one line', () => {
    const [run] = foldNodeRuns([row('failed', { error })]);
    assert.equal(run && describeOutcome(run), 'failed · 490 ms · The mail server answered 503');
  });
});
