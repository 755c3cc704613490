import assert from 'node:assert/strict';
import { renderLogLine, renderWholeLogLine, shownMessage } from '../../src/words/renderLogLine.ts';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import { makeNodeLog, statusOf } from '../support/memory/records.ts';

const escape = '\u001b[31m';

const log = makeNodeLog(1, {
  nodeName: 'Add up',
  message: 'done',
  timestamp: new Date(2026, 0, 5, 9, 8, 7, 6),
});

describe('log lines', () => {
  it('carry time, level, execution, node and message', () =>
    assert.equal(
      renderLogLine('Totals abc', log),
      '2026-01-05 09:08:07.006 [info] Totals abc > Add up: done',
    ));

  it('name the turn of a loop and the attempt, and indent further lines', () => {
    const row: NodeLog = { ...log, iteration: [1], attempt: 2, message: 'one\ntwo' };
    assert.equal(
      renderLogLine('T', row),
      '2026-01-05 09:08:07.006 [info] T > Add up [2] (attempt 2): one\n    two',
    );
  });

  it('say the reason of a failure once, without terminal escapes', () => {
    const error = { code: null, message: `no ${escape}mail`, nodeId: null };
    const line = renderLogLine('T', { ...log, level: 'error', message: 'failed', error });
    assert.ok(line.endsWith('failed: no mail'));
    const told = renderLogLine('T', {
      ...log,
      message: 'failed: gone',
      error: { ...error, message: 'gone' },
    });
    assert.ok(told.endsWith('failed: gone'));
  });

  for (const [message, shown] of [
    ['Skipped: branch not taken', 'skipped: branch not taken'],
    ['skipped: by hand\nand more', 'skipped: by hand\n    and more'],
    ['not needed', 'not needed'],
  ] as const)
    it(`say in our words what was skipped: "${shown}"`, () => {
      const line = renderLogLine('', { ...log, message, status: statusOf('skipped') });
      assert.ok(line.endsWith(`: ${shown}`), line);
      assert.ok(renderLogLine('', { ...log, message }).endsWith(message.replace('\n', '\n    ')));
    });

  it('say in our words that a node run has completed, and how long it took', () => {
    const ended = { ...log, message: 'node completed', status: statusOf('completed'), durationMs: 4 };
    assert.ok(renderLogLine('', ended).endsWith(': completed in 4 ms'));
    assert.ok(renderLogLine('', { ...ended, durationMs: null }).endsWith(': completed'));
  });

  for (const [what, message, state, change, shown] of [
    [
      'that a record answered',
      'Reused from exec_9f8e7d',
      'completed',
      { reusedFrom: 'exec_9f8e7d' },
      'completed (reused from 9f8e7d)',
    ],
    [
      'that a record of a failure answered',
      'Reused from e1',
      'failed',
      { reusedFrom: 'e1' },
      'failed (reused from e1)',
    ],
    [
      'that a pin answered, with its full stop',
      'Gave its pinned output.',
      'completed',
      { isPinned: true },
      'completed (pinned)',
    ],
    ['that a pin answered', 'Gave its pinned output', 'completed', { isPinned: true }, 'completed (pinned)'],
    [
      'that the draft answered a request',
      'node completed',
      'completed',
      { isAnswered: true, durationMs: null },
      'completed (answered)',
    ],
    [
      'why an answered one failed',
      'GET x answered 503.',
      'failed',
      { isAnswered: true },
      'GET x answered 503.',
    ],
    ['a message of its own after the word', 'Checked', 'completed', { reusedFrom: 'e1' }, 'reused: Checked'],
    ['a message like that of a node that ran', 'Reused from e1', 'completed', {}, 'Reused from e1'],
  ] as const)
    it(`say ${what}`, () => {
      const line = renderLogLine('', { ...log, message, status: statusOf(state), ...change });
      assert.ok(line.endsWith(`: ${shown}`), line);
    });

  it('keep the spaces of a message', () => {
    const row: NodeLog = { ...log, timestamp: null, message: 'a   b\n  at f\n\tat g' };
    const text = '[info] Add up: a   b\n      at f\n    \tat g';
    assert.equal(renderLogLine('', row), text);
    assert.equal(renderWholeLogLine(row), text);
  });

  it('say in ASCII how much of a long message is left out, and have it all where it is saved', () => {
    const message = 'word \n'.repeat(200_000);
    const row: NodeLog = { ...log, message };
    const line = renderLogLine('', row);
    assert.ok(line.endsWith(' ... 1,190,100 more characters'), line.slice(-60));
    assert.equal(renderWholeLogLine(row).split('\n').length, 200_001);
    const shown = shownMessage(message);
    assert.equal(shownMessage(shown), shown);
    assert.equal(renderLogLine('', { ...row, message: shown }), line);
    const fitting = 'x'.repeat(10_000);
    assert.equal(shownMessage(fitting), fitting);
  });
});
