// What an input's document says of its schema: the words of the local service, at their place.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { SchemaValidator } from '../../../src/features/inputs/schemaValidator.ts';

const { signal } = new AbortController();

/** Each problem with the text that it marks. */
async function problemsOf(schema: JsonObject, text: string): Promise<readonly string[]> {
  const problems = await new SchemaValidator(schema).validate(text, signal);
  return problems.map(({ offset, length, message }) => `${text.slice(offset, offset + length)} | ${message}`);
}

describe('the problems of an input by its schema', () => {
  const schema = {
    required: ['name'],
    properties: { age: { type: 'integer', minimum: 16 }, tags: { items: { type: 'string' } } },
  };

  it('say in our own words what is wanted, and mark its place', async () => {
    assert.deepEqual(await problemsOf(schema, '{ "age": 3, "tags": ["a", 1] }'), [
      '{ | "name" is missing.',
      '3 | age must be at least 16, not 3.',
      '1 | tags.1 must be of type string, not number.',
    ]);
  });

  it("aren't told of what is no object, which is told by itself", async () => {
    const validator = new SchemaValidator({ type: 'object', required: ['name'] });
    for (const [text, count] of [
      ['[]', 0],
      ['"a"', 0],
      ['{', 0],
      ['{}', 1],
    ] as const) {
      const problems = await validator.validate(text, signal);
      assert.equal(problems.length, count, text);
    }
  });

  it('are told by the nearest alternative', async () => {
    const oneOf = ['a', 'b'].map((kind) => ({
      properties: { kind: { const: kind }, [kind]: { type: 'number' } },
      required: ['kind', kind],
    }));
    assert.deepEqual(await problemsOf({ oneOf }, '{"kind": "b", "b": "x"}'), [
      '"x" | b must be of type number, not string.',
    ]);
  });

  it('are those of all that a schema says', async () => {
    const refers = { a: { $ref: '#/$defs/base', required: ['b'] } };
    const $defs = { base: { required: ['id'] } };
    assert.deepEqual(await problemsOf({ properties: refers, $defs }, '{"a": {"b": 1}}'), [
      '"a" | a "id" is missing.',
    ]);
    assert.deepEqual(await problemsOf({ properties: { t: { uniqueItems: true } } }, '{"t": [1, 1]}'), [
      '"t" | t has equal items at 0 and 1, but all must be different.',
    ]);
    const patterned = { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false };
    assert.deepEqual(await problemsOf(patterned, '{"x-a": "b"}'), []);
    assert.deepEqual(await problemsOf(patterned, '{"y": 1}'), ["1 | y isn't allowed here."]);
    assert.deepEqual(await problemsOf({ properties: { old: { deprecated: true } } }, '{"old": "a"}'), []);
  });
});
