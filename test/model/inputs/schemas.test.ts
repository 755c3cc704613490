// A schema from outside never loops or hangs the editor, and one learned from inputs claims no more than was seen.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { boundSchema, checksPerValue, offeredSchema } from '../../../src/model/inputs/boundedSchema.ts';
import { learnSchema } from '../../../src/model/inputs/inputSchemas.ts';

describe('a bounded schema', () => {
  const table: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'keeps what describes and limits',
      { type: 'object', required: ['a'], properties: { a: { enum: [1, 2], description: 'A', minimum: 1 } } },
      { type: 'object', required: ['a'], properties: { a: { enum: [1, 2], description: 'A', minimum: 1 } } },
    ],
    [
      'leaves out patterns, Markdown, snippets and what only a schema store knows',
      {
        $schema: 'https://example.com/s',
        $id: 'x',
        pattern: '(a+)+$',
        patternProperties: { '(a+)+$': {} },
        uniqueItems: true,
        markdownDescription: '[x](command:y)',
        defaultSnippets: [],
        properties: { a: { pattern: '(a+)+$', type: 'string' } },
      },
      { properties: { a: { type: 'string' } } },
    ],
    [
      'puts references to its own definitions in place',
      {
        properties: {
          a: { $ref: '#/$defs/a~1b', description: 'mine' },
          b: { $ref: '#/$defs/List%3CBar%3E' },
          c: { $ref: '#/$defs/100%' },
        },
        $defs: {
          'a/b': { type: 'string', description: 'theirs' },
          'List<Bar>': { type: 'array' },
          '100%': { type: 'number' },
        },
      },
      {
        properties: {
          a: { type: 'string', description: 'mine' },
          b: { type: 'array' },
          c: { type: 'number' },
        },
      },
    ],
    [
      'drops references to elsewhere, and to nowhere',
      { properties: { a: { $ref: 'https://example.com/a' }, b: { $ref: '#/$defs/none' } } },
      { properties: { a: {}, b: {} } },
    ],
    [
      'keeps lists, yes and no',
      { items: [{ type: 'string' }, false], additionalProperties: false, oneOf: [true, 3] },
      { items: [{ type: 'string' }, false], additionalProperties: false, oneOf: [true, true] },
    ],
    [
      'excludes nothing, and makes nothing depend on what was left out',
      {
        not: { pattern: 'a' },
        if: { properties: { a: { $ref: '#/$defs/none' } } },
        then: { required: ['b'] },
        oneOf: [{ pattern: 'a' }, { type: 'string' }],
        properties: { a: { not: { type: 'string' }, oneOf: [{ minimum: 1 }, { maximum: 0 }] } },
      },
      {
        then: { required: ['b'] },
        anyOf: [{}, { type: 'string' }],
        properties: { a: { not: { type: 'string' }, oneOf: [{ minimum: 1 }, { maximum: 0 }] } },
      },
    ],
  ];
  for (const [what, schema, expected] of table) {
    it(what, () => assert.deepEqual(offeredSchema(schema), expected));
  }

  it('ends where a definition stands inside itself', () => {
    const schema = { $ref: '#/$defs/n', $defs: { n: { properties: { next: { $ref: '#/$defs/n' } } } } };
    assert.deepEqual(offeredSchema(schema), { properties: { next: { properties: { next: {} } } } });
  });

  it('ends where definitions multiply', () => {
    const five = (name: string) => Array.from({ length: 5 }, () => ({ $ref: `#/$defs/${name}` }));
    const names = Array.from({ length: 20 }, (_, at) => `d${at}`);
    const definitions = names.map((name, at) => [name, { anyOf: five(names[at + 1] ?? 'none') }] as const);
    const bounded = offeredSchema({ anyOf: five('d0'), $defs: Object.fromEntries(definitions) });
    assert.ok(JSON.stringify(bounded).length < 100_000);
  });
});

describe('a bounded schema', () => {
  it('is the schema itself, or one that allows everything for one that is too large', () => {
    const schema = { properties: { a: { pattern: '^x' } }, uniqueItems: true };
    assert.equal(boundSchema(schema), schema);
    const large = { enum: Array.from({ length: 30_000 }, () => []) };
    assert.deepEqual(boundSchema(large), {});
  });
});

describe('what the check of one value may cost', () => {
  const values = Array.from({ length: 100 }, (_, at) => at);
  const table: readonly (readonly [string, JsonObject, number])[] = [
    ['nothing more for members', { properties: { a: { type: 'string' }, b: { items: {} } } }, 0],
    ['each alternative', { properties: { a: { anyOf: [{}, {}] } }, not: {} }, 3],
    ['all within alternatives', { oneOf: [{ properties: { a: { items: {} } } }] }, 3],
    ['long lists', { enum: values, items: { required: values.map(String) } }, 4],
  ];
  for (const [what, schema, expected] of table) {
    it(what, () => assert.equal(checksPerValue(schema), expected));
  }
});

describe('a learned schema', () => {
  const table: readonly (readonly [string, readonly JsonObject[], JsonObject | undefined])[] = [
    ['is none without inputs', [], undefined],
    ['knows nothing of an empty input', [{}], { type: 'object' }],
    [
      'takes what always was there as required, the rest as optional',
      [{ a: 'x', b: 1 }, { a: 'y' }],
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] },
    ],
    [
      'unites types',
      [
        { a: 1, n: 1 },
        { a: null, n: 1.5 },
        { a: 'x', n: 2 },
      ],
      {
        type: 'object',
        properties: { a: { type: ['integer', 'null', 'string'] }, n: { type: 'number' } },
        required: ['a', 'n'],
      },
    ],
    [
      'looks into lists and objects',
      [{ lines: [{ id: 1 }, { id: 2, note: 'x' }] }, { lines: [] }],
      {
        type: 'object',
        properties: {
          lines: {
            type: 'array',
            items: {
              type: 'object',
              properties: { id: { type: 'integer' }, note: { type: 'string' } },
              required: ['id'],
            },
          },
        },
        required: ['lines'],
      },
    ],
    [
      'takes odd names as names',
      [JSON.parse('{"__proto__": 1}')],
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'),
    ],
  ];
  for (const [what, inputs, expected] of table) {
    it(what, () => assert.deepEqual(learnSchema(inputs), expected));
  }

  it('stays small whatever it is shown', () => {
    let deep: JsonObject = {};
    for (let at = 0; at < 100; at += 1) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, at]));
    const learned = learnSchema([{ deep, ...wide }]);
    assert.ok(JSON.stringify(learned).length < 10_000);
  });
});
