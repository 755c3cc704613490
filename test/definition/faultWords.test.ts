// The reason of a failed trigger is read by a person who never saw the schema.
import assert from 'node:assert/strict';
import type { Schema } from '@cfworker/json-schema';
import { schemaFaults } from '../../src/definition/faults.ts';

const schema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2 },
    age: { type: 'integer', minimum: 16, maximum: 120 },
    size: { enum: ['S', 'M'] },
    kind: { const: 'order' },
    code: { pattern: '^[A-Z]+$' },
    title: { type: 'string', minLength: 1, maxLength: 3 },
    lines: { type: 'array', minItems: 1 },
    many: { type: ['string', 'number'] },
  },
  additionalProperties: false,
};

describe('words for what does not fit a schema', () => {
  for (const [input, path, message] of [
    [{}, '', '"name" is missing'],
    [{ name: 3 }, 'name', 'must be of type string, not number'],
    [{ name: 'A' }, 'name', 'is too short (1 < 2)'],
    [{ name: 'Ada', age: 3 }, 'age', 'must be at least 16, not 3'],
    [{ name: 'Ada', age: 300 }, 'age', 'must be at most 120, not 300'],
    [{ name: 'Ada', size: 'X' }, 'size', 'must be one of "S","M"'],
    [{ name: 'Ada', kind: 'x' }, 'kind', 'must be "order"'],
    [{ name: 'Ada', code: 'a' }, 'code', "doesn't have the expected form"],
    [{ name: 'Ada', title: '' }, 'title', "can't be empty"],
    [{ name: 'Ada', title: 'Long' }, 'title', 'is too long (4 > 3)'],
    [{ name: 'Ada', lines: [] }, 'lines', 'has too few items (0 < 1)'],
    [{ name: 'Ada', many: [] }, 'many', 'must be of type string or number, not array'],
    [{ name: 'Ada', more: 1 }, 'more', "isn't allowed here"],
  ] as const) {
    it(`${JSON.stringify(input)}: ${path} ${message}`, () => {
      const { faults } = schemaFaults(schema, '2020-12', input);
      assert.deepEqual(faults, [{ path: path === '' ? [] : [path], message }]);
    });
  }
});
