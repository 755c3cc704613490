// Every word of the contract's table must end in its state, however it is spelled.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { decodeStatus, decodeStatusWord } from '../../../src/api/decode/status.ts';

const table: readonly (readonly [RunState, string])[] = [
  ['queued', 'queued pending new created scheduled triggered accepted enqueued received pending_version'],
  ['running', 'running executing in_progress processing active started retrying restarted killing'],
  ['waiting', 'waiting paused suspended frozen delayed sleeping blocked deferred up_for_retry'],
  ['completed', 'completed complete success succeeded successful done finished fulfilled ok warning'],
  ['failed', 'failed failure error errored crashed exception timeout timed_out interrupted system_failure'],
  ['failed', 'internal_error quota_exceeded memory_limit_exceeded log_size_exceeded upstream_failed'],
  ['cancelled', 'cancelled canceled aborted stopped killed terminated'],
  ['skipped', 'skipped removed retried'],
  ['queued', 'dequeued not_started late submitted'],
  ['running', 'starting failing'],
  ['waiting', 'action_required awaiting_retry on_hold manual'],
  ['completed', 'neutral cached unstable succeeded_with_issues'],
  ['failed', 'faulted dead broken'],
  ['skipped', 'omitted not_run not_built'],
  ['running', 'cancelling canceling stopping aborting terminating finalizing'],
  ['completed', 'passed WORKFLOW_EXECUTION_STATUS_COMPLETED run_status_success'],
  ['failed', 'startup_failure expired'],
];

describe('status words', () => {
  for (const [state, words] of table)
    it(`reads ${words} as ${state}`, () => {
      for (const word of words.split(' ')) {
        assert.equal(decodeStatusWord(word).state, state, word);
        assert.equal(decodeStatusWord(word.toUpperCase()).state, state, word.toUpperCase());
        assert.equal(decodeStatusWord(word.replaceAll('_', '-')).state, state);
        assert.equal(decodeStatusWord(word.replaceAll('_', ' ')).state, state);
      }
    });

  it('splits camel case', () => {
    assert.equal(decodeStatusWord('InProgress').state, 'running');
    assert.equal(decodeStatusWord('upForRetry').state, 'waiting');
  });

  it('ends with completed, failed, cancelled and skipped only', () => {
    const ends = table.filter(([, words]) => decodeStatusWord(words.split(' ')[0] ?? '').isTerminal);
    assert.deepEqual(
      [...new Set(ends.map(([state]) => state))],
      ['completed', 'failed', 'cancelled', 'skipped'],
    );
  });

  it('flags a warning', () =>
    assert.deepEqual(decodeStatusWord('warning'), {
      state: 'completed',
      word: 'warning',
      isTerminal: true,
      hasWarning: true,
    }));

  it('keeps an unknown word, terminal only with an end time', () => {
    assert.deepEqual(decodeStatusWord('Levitating'), {
      state: 'unknown',
      word: 'Levitating',
      isTerminal: false,
      hasWarning: false,
    });
    assert.equal(decodeStatusWord('Levitating', true).isTerminal, true);
  });

  const records: readonly (readonly [JsonObject, boolean, RunState | undefined])[] = [
    [{ status: 'completed', conclusion: 'failure' }, false, 'failed'],
    [{ status: 'in_progress', conclusion: null }, false, 'running'],
    [{ state: 'done' }, false, 'completed'],
    [{ finished: true }, false, 'completed'],
    [{ success: true }, false, 'completed'],
    [{ success: false }, false, 'failed'],
    [{ error: { message: 'x' } }, true, 'failed'],
    [{ finished: true, error: 'x' }, false, 'failed'],
    [{}, true, 'completed'],
    [{ error: null }, false, undefined],
    [{ finished: false }, false, undefined],
  ];
  for (const [record, hasEnded, expected] of records)
    it(`reads ${JSON.stringify(record)}${hasEnded ? ' that has ended' : ''} as ${String(expected)}`, () =>
      assert.equal(decodeStatus(record, hasEnded)?.state, expected));
});
