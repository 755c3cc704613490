// One field has many names; the first present one wins, in either spelling.
import assert from 'node:assert/strict';
import {
  anyOf,
  decodeDuration,
  namesIn,
  parseTime,
  pick,
  pickIds,
  pickNumber,
  pickText,
  snakeCase,
} from '../../../src/api/decode/fields.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';

describe('fields', () => {
  const snake: readonly (readonly [string, string])[] = [
    ['workflowId', 'workflow_id'],
    ['runStartedAt', 'run_started_at'],
    ['id', 'id'],
    ['_id', '_id'],
    ['next_cursor', 'next_cursor'],
  ];
  for (const [name, expected] of snake)
    it(`spells ${name} as ${expected}`, () => assert.equal(snakeCase(name), expected));

  const picks: readonly (readonly [string, JsonObject, readonly string[], JsonValue | undefined])[] = [
    ['the first name', { a: 1, b: 2 }, ['a', 'b'], 1],
    ['a later name when the first is null', { a: null, b: 2 }, ['a', 'b'], 2],
    ['false and 0 as present', { a: false, b: 2 }, ['a', 'b'], false],
    ['the snake case twin', { created_at: 'x' }, ['createdAt'], 'x'],
    ['a path', { page: { next_cursor: 'c' } }, ['page.nextCursor'], 'c'],
    ['nothing through text', { page: 'text' }, ['page.length'], undefined],
    ['nothing inherited', {}, ['constructor', 'toString'], undefined],
  ];
  for (const [title, record, names, expected] of picks)
    it(`picks ${title}`, () => assert.deepEqual(pick(record, anyOf(...names)), expected));

  for (const [title, record, names, expected] of picks)
    it(`picks ${title} among the names that the record has`, () => {
      const { field } = namesIn({ field: anyOf(...names), other: anyOf('b') })(record);
      assert.equal(pick(record, field), expected);
    });

  it('finds of several fields the names that a record has, each in its order', () => {
    const find = namesIn({ id: anyOf('id', 'runId', 'run.id'), name: anyOf('name'), run: anyOf('run') });
    const record = { run: { id: 'c' }, run_id: 'b', runId: 'a' };
    assert.deepEqual(find(record), { id: anyOf('runId', 'run.id'), name: [], run: anyOf('run') });
    assert.deepEqual(find({ id: 1 }), { id: anyOf('id'), name: [], run: [] });
  });

  it('reads ids given as numbers as text', () => {
    assert.equal(pickText({ id: 42 }, anyOf('id')), '42');
    assert.equal(pickText({ id: true, key: 'k' }, anyOf('id', 'key')), 'k');
  });

  it('reads numbers given as text', () => {
    assert.equal(pickNumber({ duration: '12.5' }, anyOf('duration')), 12.5);
    assert.equal(pickNumber({ duration: ' ' }, anyOf('duration')), null);
  });

  const ids: readonly (readonly [JsonValue, readonly string[]])[] = [
    [
      ['a', 2],
      ['a', '2'],
    ],
    [
      [{ id: 'a' }, { id: 7 }, {}],
      ['a', '7'],
    ],
    ['a', ['a']],
    [[], []],
    [null, []],
  ];
  for (const [value, expected] of ids)
    it(`reads ids from ${JSON.stringify(value)}`, () =>
      assert.deepEqual(pickIds({ ids: value }, anyOf('ids')), expected));
});

// A time misread by a factor of a thousand shows 1970 or the year 50,000.
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
