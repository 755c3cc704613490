// A schema of an input is read by its own version, and one that can't be used is reported with its place.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { checkDefinition, findRefusals } from '../../src/definition/checkDefinition.ts';
import { checkInputSchema, inputFaults } from '../../src/definition/inputSchema.ts';

const notIn = (reference: string): string => `refers to "${reference}", which isn't in the schema`;
const endless = 'leads in a circle, so no value can be checked against it';
const noPattern = "isn't a valid JavaScript regular expression";

describe('The schema of an input', () => {
  const unusable: readonly (readonly [schema: JsonObject, place: string, message: string])[] = [
    [
      { properties: { order: { $ref: '#/components/schemas/Order' } } },
      'properties.order.$ref',
      notIn('#/components/schemas/Order'),
    ],
    [
      { items: { $ref: 'base.json#/definitions/place' } },
      'items.$ref',
      notIn('base.json#/definitions/place'),
    ],
    [{ allOf: [{ $ref: '#/$defs/a' }], $defs: { b: {} } }, 'allOf.0.$ref', notIn('#/$defs/a')],
    [{ properties: { a: { pattern: '\\A[a-z]+\\Z' } } }, 'properties.a.pattern', noPattern],
    [{ not: { pattern: '(?i)^ab$' } }, 'not.pattern', noPattern],
    [{ patternProperties: { '[[:alpha:]]': {} } }, 'patternProperties.[[:alpha:]]', noPattern],
    [
      { dependencies: { a: { type: 'strnig' } } },
      'dependencies.a.type',
      'is a type that doesn\'t exist ("strnig"); did you mean "string"?',
    ],
    [{ type: ['object', 'file'] }, 'type.1', 'is a type that doesn\'t exist ("file")'],
    [{ properties: { a: { $ref: '#/properties/a', default: 1 } } }, 'properties.a.$ref', endless],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } }, '$defs.a.$ref', endless],
    [{ $id: 'http://[' }, '', 'has a "$id" or "$ref" that isn\'t a valid address'],
  ];
  for (const [schema, place, message] of unusable)
    it(`can't be used: ${JSON.stringify(schema)}`, () => {
      const [first, ...others] = checkInputSchema(schema);
      assert.deepEqual([first?.path.join('.'), first?.message, first?.isWarning], [place, message, false]);
      assert.deepEqual(others, []);
    });

  const odd: readonly (readonly [schema: JsonObject, place: string, message: string])[] = [
    [
      { properties: { a: { enum: ['red', 'green'], default: 'purple' } } },
      'properties.a.default',
      "doesn't match its own schema",
    ],
    [
      { $defs: { a: { type: 'integer' } }, items: { $ref: '#/$defs/a', default: 'x' } },
      'items.default',
      "doesn't match its own schema",
    ],
    [
      { $schema: 'http://json-schema.org/draft-03/schema#' },
      '$schema',
      "names a version of JSON Schema that isn't supported; the schema is read as 2020-12",
    ],
    [{ items: { $dynamicRef: '#a' } }, 'items.$dynamicRef', "isn't supported, so it's ignored"],
  ];
  for (const [schema, place, message] of odd)
    it(`isn't what it seems: ${JSON.stringify(schema)}`, () => {
      const found = checkInputSchema(schema).map(({ path, ...each }) => ({ place: path.join('.'), ...each }));
      assert.deepEqual(found, [{ place, message, isWarning: true }]);
    });

  it('can be used with constructs that only seem to be refused', () => {
    for (const schema of [
      {},
      { properties: { pattern: { type: 'string' }, type: { enum: ['file'] }, $ref: {} } },
      { enum: [{ type: 'file', pattern: '(' }], default: { type: 'file', pattern: '(' } },
      { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'object' } } },
      { $id: 'https://example.com/order', items: { $ref: '#at' }, $defs: { a: { $anchor: 'at' } } },
      { maximum: 100, exclusiveMaximum: true, default: 99 },
      { properties: { '\ud800': { default: '\udfff' } } },
    ])
      assert.deepEqual(checkInputSchema(schema), [], JSON.stringify(schema));
  });

  const draft4 = 'http://json-schema.org/draft-04/schema#';
  const inputs: readonly (readonly [schema: JsonObject, input: JsonValue, isValid: boolean])[] = [
    [{ $schema: draft4, maximum: 100, exclusiveMaximum: true }, 99, true],
    [{ $schema: draft4, maximum: 100, exclusiveMaximum: true }, 100, false],
    [{ maximum: 100, exclusiveMaximum: true }, 99, true],
    [{ maximum: 100, exclusiveMaximum: true }, 100, false],
    [{ maximum: 100, exclusiveMaximum: false }, 100, true],
    [{ items: { minimum: 1, exclusiveMinimum: true } }, [1], false],
    [{ allOf: [{ minimum: 1, exclusiveMinimum: true }] }, 2, true],
    [{ exclusiveMaximum: true }, 5, true],
    [{ properties: { exclusiveMaximum: true, maximum: { type: 'string' } } }, { maximum: 'a' }, true],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }, ['a', 1], true],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] }, [1], false],
    [{ prefixItems: [{ type: 'string' }] }, [1], false],
    // Half a character is a name, too.
    [{ additionalProperties: { type: 'string' } }, { '\ud800': 'a' }, true],
    [{ additionalProperties: { type: 'string' } }, { '\ud800': 1 }, false],
    [{ properties: { '\ud800': { const: '\ud800' } }, required: ['\ud800'] }, { '\ud800': '\ud800' }, true],
    [{ properties: { '\ud800': {} }, required: ['\ud800'] }, {}, false],
    [{ $ref: '#/$defs/\ud800', $defs: { '\ud800': { type: 'string' } } }, 1, false],
  ];
  for (const [schema, input, isValid] of inputs)
    it(`${isValid ? 'takes' : 'refuses'} ${JSON.stringify(input)}: ${JSON.stringify(schema)}`, () => {
      assert.equal(inputFaults(schema, input).faults.length === 0, isValid);
    });

  it('prevents deployment only if it can’t be used', () => {
    const define = (inputSchema: JsonObject) => ({
      nodes: [{ id: 'start', type: 'trigger', config: { inputSchema } }],
      edges: [],
    });
    assert.deepEqual(
      findRefusals(define({ properties: { a: { pattern: '(' } } })).faults.map(({ path, message }) => [
        path.join('.'),
        message,
      ]),
      [
        [
          'nodes.0.config.inputSchema.properties.a.pattern',
          `node "start": "inputSchema.properties.a.pattern" ${noPattern}`,
        ],
      ],
    );
    const odd = define({ type: 'integer', default: 'a' });
    assert.deepEqual(findRefusals(odd).faults, []);
    assert.equal(checkDefinition(odd).faults[0]?.isWarning, true);
  });
});
