import assert from 'node:assert/strict';
import { recordedAnswer } from '../../../src/model/runs/recordedAnswers.ts';

const request = { method: 'GET', url: 'https://example.com/', headers: {}, body: null };
const failed = (code: string) => ({ code, message: 'no', nodeId: null });

describe('the answer that a recorded request got', () => {
  for (const [what, exchange, error, answer] of [
    [
      'is its response, also of a failure',
      { request, response: { status: 503, headers: { 'retry-after': '1' }, body: { why: 'busy' } } },
      failed('http_status'),
      { status: 503, headers: { 'retry-after': '1' }, body: { why: 'busy' } },
    ],
    ['is none in time', { request }, failed('request_timed_out'), { error: 'timeout' }],
    ['is none at all', { request }, failed('request_failed'), { error: 'unreachable' }],
    ["isn't known of another failure", { request }, failed('address_refused'), undefined],
    ["isn't known where nothing was sent", undefined, failed('template_empty'), undefined],
  ] as const)
    it(what, () => {
      assert.deepEqual(recordedAnswer({ exchange, error }), answer);
    });
});
