// One field has many names; the first present one wins, in either spelling.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { pick, pickIds, pickNumber, pickText, snakeCase } from '../../../src/api/decode/fields.ts';

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
    it(`picks ${title}`, () => assert.deepEqual(pick(record, names), expected));

  it('reads ids given as numbers as text', () => {
    assert.equal(pickText({ id: 42 }, ['id']), '42');
    assert.equal(pickText({ id: true, key: 'k' }, ['id', 'key']), 'k');
  });

  it('reads numbers given as text', () => {
    assert.equal(pickNumber({ duration: '12.5' }, ['duration']), 12.5);
    assert.equal(pickNumber({ duration: ' ' }, ['duration']), null);
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
      assert.deepEqual(pickIds({ ids: value }, ['ids']), expected));
});
