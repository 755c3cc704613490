import assert from 'node:assert/strict';
import { type Ending, renderNotice } from '../../../../src/features/executions/notices/renderNotice.ts';
import { withoutLinks } from '../../../../src/base/format.ts';
import { makeExecution, statusOf } from '../../../support/memory/records.ts';

describe('a notice', () => {
  const ending = (
    name: string,
    state: 'failed' | 'completed',
    certainty: Ending['certainty'] = 'certain',
  ): Ending => ({
    target: { connectionId: 'c', executionId: name },
    name,
    certainty,
    execution: makeExecution(name, {
      status: statusOf(state),
      durationMs: 1200,
      error: state === 'failed' ? { code: null, message: 'no mail', nodeId: null } : null,
    }),
  });
  const failed = ending('Signup', 'failed');
  const completed = ending('Totals', 'completed');
  const probable = ending('Totals', 'completed', 'probable');
  for (const [endings, text, failures] of [
    [[failed], '"Signup" failed: no mail', ['Signup']],
    [[completed], '"Totals" completed in 1.2 s.', []],
    [[completed, completed], '2 executions ended: "Totals" ×2.', []],
    [[failed, failed], '2 executions failed: "Signup" ×2.', ['Signup']],
    [[failed, completed], '2 executions ended, 1 of them failed: "Signup".', ['Signup']],
    [[probable], 'Probably yours: "Totals" completed in 1.2 s.', []],
    [[probable, probable], 'Probably yours: 2 executions ended: "Totals" ×2.', []],
    [[completed, probable], '2 executions ended: "Totals" ×2. 1 of them might not be yours.', []],
    [
      ['A', 'B', 'C', 'D'].map((name) => ending(name, 'completed')),
      '4 executions ended: "A", "B", "C", ….',
      [],
    ],
  ] as const)
    it(`reads ${text}`, () =>
      assert.deepEqual(renderNotice(endings), {
        text,
        failed: endings.filter(({ name }) => failures.some((failure) => failure === name)),
      }));

  it('has no links of the service', () =>
    assert.equal(withoutLinks('[x](command:quit) [y](https://a)'), '[x] (command:quit) [y] (https://a)'));
});
