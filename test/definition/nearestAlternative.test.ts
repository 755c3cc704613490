// A value that matches none of several alternatives is reported by the one that was meant.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { joinFaults } from '../../src/definition/faultList.ts';
import { schemaFaults } from '../../src/definition/faults.ts';

type Row = readonly [title: string, schema: JsonObject, value: JsonValue, told: string];

const variant = (kind: string, members: JsonObject): JsonObject => ({
  type: 'object',
  properties: { kind: { const: kind }, ...members },
  required: ['kind', ...Object.keys(members)],
  additionalProperties: false,
});
const card = variant('card', { number: { type: 'string' }, network: { enum: ['visa', 'other'] } });
const cash = variant('cash', {});
const transfer = variant('transfer', { iban: { type: 'string' } });
const payment = { oneOf: [card, cash, transfer] };
const byName = {
  anyOf: ['email', 'phone'].map((name) => ({
    properties: { [name]: { type: 'object', required: ['at', 'by'] } },
    required: [name],
    additionalProperties: false,
  })),
};
const tree = {
  $defs: {
    leaf: { properties: { kind: { const: 'leaf' }, value: { type: 'number' } }, required: ['kind', 'value'] },
    branch: {
      properties: {
        kind: { enum: ['branch', 'root'] },
        children: { type: 'array', items: { $ref: '#/$defs/any' } },
      },
      required: ['kind', 'children'],
    },
    any: { oneOf: [{ $ref: '#/$defs/leaf' }, { $ref: '#/$defs/branch' }] },
  },
  $ref: '#/$defs/any',
};

const rows: readonly Row[] = [
  [
    'the one whose discriminator fits',
    payment,
    { kind: 'transfer', iban: 3 },
    'iban must be of type string, not number.',
  ],
  [
    'however much is wrong with it',
    payment,
    { kind: 'card', network: 'x', no: 1 },
    '"number" is missing. network must be one of "visa", "other". no isn\'t allowed here.',
  ],
  [
    'all discriminators, if none fits',
    payment,
    { kind: 'gift' },
    'kind must be one of "card", "cash", "transfer".',
  ],
  ['a missing discriminator', payment, {}, '"kind" is missing.'],
  ['another kind of value', payment, 'cash', 'must be of type object, not string.'],
  ['one by its member', byName, { email: { at: 1 } }, 'email "by" is missing.'],
  [
    'one of two members',
    { anyOf: [{ required: ['email'] }, { required: ['phone'] }] },
    {},
    '"email" is missing, or "phone" is missing.',
  ],
  [
    'the types of all',
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', items: { type: 'string' } },
      ],
    },
    1,
    'must be of type string or array, not number.',
  ],
  [
    'the one of this type',
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', items: { type: 'string' } },
      ],
    },
    ['a', 1],
    '1 must be of type string, not number.',
  ],
  [
    'a null beside an object',
    { anyOf: [{ type: 'null' }, { type: 'object', required: ['id'] }] },
    {},
    '"id" is missing.',
  ],
  [
    'values in several places',
    { anyOf: [{ enum: ['a'] }, { const: 'b' }, { enum: ['a', 'c'] }] },
    'x',
    'must be one of "a", "b", "c".',
  ],
  [
    'the types of all, whatever else is wrong',
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    1,
    'must be of type string or null, not number.',
  ],
  [
    'nested ones',
    { properties: { payments: { items: { anyOf: [{ type: 'null' }, payment] } } } },
    { payments: [null, { kind: 'cash' }, { kind: 'transfer' }] },
    'payments.2 "iban" is missing.',
  ],
  [
    'nested ones of which none fits',
    { anyOf: [payment, { anyOf: [variant('gift', {}), variant('voucher', {})] }] },
    { kind: 'x' },
    'kind must be one of "card", "cash", "transfer", "gift", "voucher".',
  ],
  [
    'references to themselves',
    tree,
    { kind: 'root', children: [{ kind: 'branch', children: [{ kind: 'leaf' }] }] },
    'children.0.children.0 "value" is missing.',
  ],
  [
    'members of which two exclude each other',
    {
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', format: 'date' },
      ],
    },
    'b',
    'must match the pattern ^a, or must have the format date, such as 2026-01-31.',
  ],
  [
    'no more than that, if nothing is near',
    {
      properties: {
        x: {
          oneOf: [{ type: 'null' }, ...['a', 'b'].map((name) => ({ required: [`${name}1`, `${name}2`] }))],
        },
      },
    },
    { x: {} },
    'x matches none of 3 alternatives.',
  ],
];

describe('the nearest alternative', () => {
  for (const [title, schema, value, told] of rows)
    it(`is ${title}`, () => {
      assert.equal(joinFaults(schemaFaults(schema, '2020-12', value)), told);
    });

  it('is found in a list of many', () => {
    const schema = { items: payment };
    const { faults, more } = schemaFaults(
      schema,
      '2020-12',
      Array.from({ length: 3000 }, () => ({ kind: 'transfer' })),
    );
    assert.deepEqual(faults[0], { path: ['0'], message: '"iban" is missing' });
    assert.equal(more, 2980);
  });
});
