// A time misread by a factor of a thousand shows 1970 or the year 50,000.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { decodeDuration, parseTime } from '../../../src/api/decode/times.ts';

describe('times', () => {
  const iso = '2026-01-05T10:00:00.000Z';
  const rows: readonly (readonly [string, JsonValue | undefined, string | null])[] = [
    ['ISO', iso, iso],
    ['ISO with an offset', '2026-01-05T12:00:00+02:00', iso],
    ['ISO with microseconds', '2026-01-05T10:00:00.000123Z', iso],
    ['ISO without a zone, as UTC', '2026-01-05T10:00:00', iso],
    ['a space instead of T', '2026-01-05 10:00:00.000', iso],
    ['an HTTP date', 'Mon, 05 Jan 2026 10:00:00 GMT', iso],
    ['seconds', 1767607200, iso],
    ['seconds with a fraction', 1767607200.25, '2026-01-05T10:00:00.250Z'],
    ['seconds as text', '1767607200', iso],
    ['milliseconds', 1767607200000, iso],
    ['microseconds', 1767607200000000, iso],
    ['nanoseconds as text beyond 2^53', '1767607200123456789', '2026-01-05T10:00:00.123Z'],
    ['nanoseconds as a number', 1767607200123000000, '2026-01-05T10:00:00.123Z'],
    ['text that is no time', 'soon', null],
    ['empty text', '', null],
    ['a negative number', -5, null],
    ['a record', {}, null],
    ['nothing', undefined, null],
    ['digits beyond any date', '9'.repeat(60), null],
  ];
  for (const [title, value, expected] of rows)
    it(`reads ${title}`, () => assert.equal(parseTime(value)?.toISOString() ?? null, expected));

  const durations: readonly (readonly [string, JsonObject, Date | null, Date | null, number | null])[] = [
    ['the difference first', { durationMs: 1 }, new Date(0), new Date(500), 500],
    ['no less than nothing', {}, new Date(500), new Date(0), 0],
    ['milliseconds', { durationMs: 12 }, null, null, 12],
    ['numeric text', { duration: '12' }, new Date(0), null, 12],
    ['seconds', { elapsed_time: 1.5 }, null, null, 1500],
    ['nothing', {}, null, null, null],
  ];
  for (const [title, record, startedAt, completedAt, expected] of durations)
    it(`takes ${title} as the duration`, () =>
      assert.equal(decodeDuration(record, startedAt, completedAt), expected));
});
