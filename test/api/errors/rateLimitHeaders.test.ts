// A wait that is read wrong either hammers the service or hangs for hours.
import assert from 'node:assert/strict';
import {
  readMaximumRequests,
  readRemaining,
  retryAfterOrDefault,
} from '../../../src/api/errors/rateLimitHeaders.ts';
import { answerOf } from '../../support/answers.ts';

const now = Date.UTC(2026, 0, 5, 10);
const epochSeconds = now / 1000;

describe('wait time', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, unknown, number])[] = [
    ['Retry-After in seconds', { 'retry-after': '7', ratelimit: '"default";r=0;t=30' }, undefined, 7000],
    ['Retry-After as a date', { 'retry-after': 'Mon, 05 Jan 2026 10:00:12 GMT' }, undefined, 12_000],
    ['Retry-After in the past', { 'retry-after': 'Mon, 05 Jan 2026 09:00:00 GMT' }, undefined, 60_000],
    ['Retry-After 0', { 'retry-after': '0' }, undefined, 1000],
    ['Retry-After that is no time', { 'retry-after': 'soon', 'ratelimit-reset': '4' }, undefined, 4000],
    ['RateLimit t=', { ratelimit: '"default";r=0;t=30', 'ratelimit-reset': '4' }, undefined, 30_000],
    ['RateLimit-Reset', { 'ratelimit-reset': '4' }, undefined, 4000],
    ['X-RateLimit-Reset as delta', { 'x-ratelimit-reset': '4' }, undefined, 4000],
    ['X-RateLimit-Reset in epoch seconds', { 'x-ratelimit-reset': `${epochSeconds + 9}` }, undefined, 9000],
    ['X-RateLimit-Reset in epoch ms', { 'x-ratelimit-reset': `${now + 9000}` }, undefined, 9000],
    ['X-RateLimit-Reset as ISO', { 'x-ratelimit-reset': '2026-01-05T10:00:09.000Z' }, undefined, 9000],
    ['X-RateLimit-Reset in the past', { 'x-ratelimit-reset': `${epochSeconds - 9}` }, undefined, 60_000],
    ['X-Rate-Limit-Reset', { 'x-rate-limit-reset': '4' }, undefined, 4000],
    ['retryAfter in the body', {}, { retryAfter: 4 }, 4000],
    ['retryAfterMs in the body', {}, { retryAfterMs: 4000, retryAfter: 9 }, 4000],
    ['secondsUntilReset', {}, { seconds_until_reset: '4' }, 4000],
    ['the contract body', {}, { error: { details: { retryAfterSeconds: 4 } } }, 4000],
    ['nothing', {}, undefined, 60_000],
    ['a wait beyond all measure', { 'retry-after': '99999999999' }, undefined, 60_000],
  ];
  for (const [title, headers, body, expected] of rows)
    it(`reads ${title}`, () =>
      assert.equal(retryAfterOrDefault(answerOf(429, body, headers), now), expected));

  for (const [title, headers, expected] of [
    ['Retry-After', { 'retry-after': 'Mon, 05 Jan 2026 09:00:12 GMT' }, 12_000],
    ['X-RateLimit-Reset in epoch seconds', { 'x-ratelimit-reset': `${epochSeconds - 3600 + 9}` }, 9000],
  ] as const)
    it(`reads ${title} by the clock of the service, which says its time`, () => {
      const date = 'Mon, 05 Jan 2026 09:00:00 GMT';
      assert.equal(retryAfterOrDefault(answerOf(429, undefined, { ...headers, date }), now), expected);
    });

  it('reads what is left, by any header', () => {
    const headers: readonly Readonly<Record<string, string>>[] = [
      { 'x-ratelimit-remaining': '5', 'x-ratelimit-limit': '60' },
      { 'x-rate-limit-remaining': '5', 'x-rate-limit-limit': '60' },
      { 'ratelimit-remaining': '5', 'ratelimit-limit': '60, 60;w=60' },
      { ratelimit: '"default";r=5;t=9', 'ratelimit-policy': '"default";q=60;w=60' },
    ];
    for (const row of headers) {
      assert.equal(readRemaining(new Headers(row)), 5);
      assert.equal(readMaximumRequests(new Headers(row)), 60);
    }
    assert.equal(readRemaining(new Headers()), null);
  });
});
