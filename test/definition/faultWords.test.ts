// A value that doesn't match a schema is explained to a person who has never seen the schema: each keyword in one voice, and never in the
// validator's own words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dereference, type SchemaDraft, validate } from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import german from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { joinFaults } from '../../src/definition/faultList.ts';
import { schemaFaults } from '../../src/definition/faults.ts';

type Row = readonly [schema: JsonObject, value: JsonValue, told: string, draft?: SchemaDraft];

/** Where a text is cut, in the middle of it. */
const bulb = '💡';
const longName = `${'n'.repeat(149)}${bulb}`;

const rows: readonly Row[] = [
  [{ const: `${'x'.repeat(58)}${bulb}` }, 1, `must be "${'x'.repeat(58)}….`],
  [
    { properties: { [longName]: { type: 'string' } } },
    { [longName]: 1 },
    `${'n'.repeat(149)}… must be of type string, not number.`,
  ],
  [{ type: 'string' }, 3, 'must be of type string, not number.'],
  [{ type: ['string', 'number'] }, [], 'must be of type string or number, not array.'],
  [{ type: 'integer' }, 1.5, 'must be a whole number, not 1.5.'],
  [{ type: 'integer' }, '1', 'must be of type integer, not string.'],
  [{ const: 'order' }, 'x', 'must be "order".'],
  [{ const: { a: 1 } }, {}, 'must be {"a":1}.'],
  [{ enum: ['S', 'M', null] }, 'X', 'must be one of "S", "M", null.'],
  [{ enum: [1] }, {}, 'must be 1.'],
  [{ minimum: 16 }, 3, 'must be at least 16, not 3.'],
  [{ maximum: 120 }, 300, 'must be at most 120, not 300.'],
  [{ exclusiveMinimum: 16 }, 16, 'must be more than 16, not 16.'],
  [{ exclusiveMaximum: 120 }, 120, 'must be less than 120, not 120.'],
  [{ minimum: 16, exclusiveMinimum: true }, 16, 'must be more than 16, not 16.', '4'],
  [{ minimum: 16, exclusiveMinimum: true }, 15, 'must be at least 16, not 15.', '4'],
  [{ maximum: 120, exclusiveMaximum: true }, 120, 'must be less than 120, not 120.', '4'],
  [{ multipleOf: 0.25 }, 1.1, 'must be a multiple of 0.25, not 1.1.'],
  [{ minLength: 2 }, '💡', 'must have at least 2 characters, not 1.'],
  [{ minLength: 1 }, '', "can't be empty."],
  [{ maxLength: 3 }, 'Long', 'must have at most 3 characters, not 4.'],
  [{ maxLength: 1 }, 'Long', 'must have at most 1 character, not 4.'],
  [{ maxLength: 0 }, 'Long', 'must be empty.'],
  [{ pattern: '^[A-Z]+$' }, 'a', 'must match the pattern ^[A-Z]+$.'],
  [{ format: 'date' }, 'a', 'must have the format date, such as 2026-01-31.'],
  [{ format: 'regex' }, '[', 'must be a regular expression.'],
  [{ minItems: 1 }, [], "can't be empty."],
  [{ minItems: 2 }, [1], 'must have at least 2 items, not 1.'],
  [{ maxItems: 1 }, [1, 2], 'must have at most 1 item, not 2.'],
  [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 items, not 3.'],
  [{ uniqueItems: true }, [1, 2, 1], 'has equal items at 0 and 2, but all must be different.'],
  [{ contains: { type: 'string' } }, [1], 'must contain an item of the expected kind.'],
  [{ contains: { type: 'string' } }, [], 'must contain an item of the expected kind.'],
  [{ contains: { type: 'string' }, minContains: 1 }, [1], 'must contain an item of the expected kind.'],
  [
    { contains: { type: 'string' }, minContains: 2 },
    ['a', 1, 2],
    'must contain at least 2 items of the expected kind.',
  ],
  [{ contains: {}, minContains: 2 }, [1], 'must contain at least 2 items of the expected kind.'],
  [{ contains: {}, maxContains: 1 }, [1, 2], 'must contain at most 1 item of the expected kind.'],
  [{ contains: {}, maxContains: 2 }, [1, 2, 3], 'must contain at most 2 items of the expected kind.'],
  [
    { prefixItems: [{ type: 'string' }, false] },
    [1, 2],
    "0 must be of type string, not number. 1 isn't allowed here.",
  ],
  [{ items: { type: 'string' } }, ['a', 1], '1 must be of type string, not number.'],
  [{ items: [{ type: 'string' }], additionalItems: false }, ['a', 1], "1 isn't allowed here.", '7'],
  [{ items: [{ type: 'string' }] }, [1], '0 must be of type string, not number.', '7'],
  [{ prefixItems: [{}], unevaluatedItems: false }, ['a', 1], "1 isn't allowed here."],
  [{ required: ['name', 'a"b'] }, {}, '"name" is missing. "a\\"b" is missing.'],
  [{ minProperties: 1 }, {}, "can't be empty."],
  [{ minProperties: 2 }, { a: 1 }, 'must have at least 2 members, not 1.'],
  [{ maxProperties: 1 }, { a: 1, b: 1 }, 'must have at most 1 member, not 2.'],
  [{ maxProperties: 2 }, { a: 1, b: 1, c: 1 }, 'must have at most 2 members, not 3.'],
  [
    { properties: { a: { type: 'string' }, b: { minimum: 1 } } },
    { a: 1, b: 0 },
    'a must be of type string, not number. b must be at least 1, not 0.',
  ],
  [{ patternProperties: { '^a': { type: 'string' } } }, { a1: 1 }, 'a1 must be of type string, not number.'],
  [{ additionalProperties: false }, { more: 1 }, "more isn't allowed here."],
  [{ additionalProperties: { minimum: 2 } }, { more: 1 }, 'more must be at least 2, not 1.'],
  [
    { properties: { a: { type: 'string' } }, unevaluatedProperties: false },
    { a: 1, b: 1 },
    "a must be of type string, not number. b isn't allowed here.",
  ],
  [
    { allOf: [{ properties: { a: { type: 'string' }, c: {} } }], unevaluatedProperties: false },
    { a: 1, c: 1 },
    'a must be of type string, not number.',
  ],
  [
    { propertyNames: { pattern: '^[a-z]+$', maxLength: 2 } },
    { A1: 1, abc: 1 },
    "A1 has a name that isn't allowed here: it must match the pattern ^[a-z]+$. " +
      "abc has a name that isn't allowed here: it must have at most 2 characters, not 3.",
  ],
  [
    { dependentRequired: { card: ['name', 'code'] } },
    { card: 1, code: 1 },
    '"name" is missing; "card" needs it.',
  ],
  [{ dependentSchemas: { card: { required: ['name'] } } }, { card: 1 }, '"name" is missing.'],
  [{ dependencies: { card: ['name'] } }, { card: 1 }, '"name" is missing; "card" needs it.', '7'],
  [{ dependencies: { card: { required: ['name'] } } }, { card: 1 }, '"name" is missing.', '7'],
  [
    { allOf: [{ minimum: 2 }, { multipleOf: 2 }, { minimum: 2 }] },
    1,
    'must be at least 2, not 1. must be a multiple of 2, not 1.',
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be of type string or null, not number.'],
  [
    { oneOf: [{ minimum: 1 }, { maximum: 5 }, { type: 'string' }] },
    3,
    'matches several alternatives, but must match exactly one.',
  ],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, 3, 'must be one of 1, 2.'],
  [{ not: { type: 'string' } }, 'a', "can't be of type string."],
  [{ not: { enum: ['a', 'b'] } }, 'a', 'can\'t be "a" or "b".'],
  [{ not: { required: ['a'] } }, { a: 1 }, 'can\'t have "a".'],
  [{ not: { minLength: 1 } }, 'a', "has a value that isn't allowed here."],
  [{ if: { minimum: 1 }, then: { multipleOf: 2 } }, 1, 'must be a multiple of 2, not 1.'],
  [{ if: { minimum: 1 }, else: false }, 0, "isn't allowed here."],
  [{ $ref: '#/$defs/a', $defs: { a: { enum: [1, 2] } } }, 0, 'must be one of 1, 2.'],
  [{ $ref: '#a', $defs: { a: { $anchor: 'a', enum: [1, 2] } } }, 0, 'must be one of 1, 2.'],
  [
    { properties: { next: { $recursiveRef: '#' } }, required: ['id'] },
    { id: 1, next: {} },
    'next "id" is missing.',
    '2019-09',
  ],
  [
    { properties: { '': { minimum: 1 }, 'a/b~': { minimum: 2 } } },
    { '': 0, 'a/b~': 0 },
    ' must be at least 1, not 0. a/b~ must be at least 2, not 0.',
  ],
];

describe('words for what does not fit a schema', () => {
  for (const [schema, value, told, draft = '2020-12'] of rows)
    it(`${JSON.stringify(schema)} ${JSON.stringify(value)}`, () => {
      assert.equal(joinFaults(schemaFaults(schema, draft, value)), told);
    });

  it('are in German if the language is German', () => {
    l10n.config({ contents: german });
    for (const [schema, value, , draft = '2020-12'] of rows) {
      const words = joinFaults(schemaFaults(schema, draft, value));
      assert.doesNotMatch(words, /\b(must|is|isn't|can't|doesn't|has|missing|fits|not|or)\b/);
    }
    l10n.config({ contents: {} });
  });

  it('exist for each keyword that the validator supports', () => {
    const program = readFileSync(
      new URL('validate.js', import.meta.resolve('@cfworker/json-schema')),
      'utf8',
    );
    const known = new Set(Array.from(program.matchAll(/keyword: '([^']+)'/g), ([, keyword]) => keyword));
    assert.ok(known.size > 35, String(known.size));
    const met = rows.flatMap(([schema, value, , draft]) =>
      validate(value, schema, draft, dereference(schema), false).errors.map(({ keyword }) => keyword),
    );
    assert.deepEqual(
      [...known].filter((keyword) => !met.includes(keyword ?? '')),
      [],
    );
  });

  it('exist for each format that the validator supports', () => {
    for (const format of [
      'date',
      'time',
      'date-time',
      'duration',
      'uri',
      'uri-reference',
      'uri-template',
      'url',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uuid',
      'json-pointer',
      'json-pointer-uri-fragment',
      'relative-json-pointer',
    ]) {
      const message = joinFaults(schemaFaults({ format }, '2020-12', ' {'));
      const example = message.split(', such as ')[1]?.slice(0, -1) ?? '';
      assert.notEqual(example, '', message);
      assert.deepEqual(schemaFaults({ format }, '2020-12', example).faults, [], example);
    }
  });
});
