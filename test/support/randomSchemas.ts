// Random JSON Schemas of a version, and values near them: few names, small numbers and short texts, so that they often meet.
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';

export type Version = '2020-12' | '2019-09' | '7' | '4';

const addresses: Readonly<Record<Version, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '7': 'http://json-schema.org/draft-07/schema#',
  '4': 'http://json-schema.org/draft-04/schema#',
};

const name = fc.constantFrom('a', 'b', 'ab', 'x-1');
const small = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-1, 0, 1, 2, 3, 1.5);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'x-1', '𝄞', '1'),
  number,
  fc.boolean(),
  fc.constant(null),
);

export const randomValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** An object, as inputs are. */
export const randomInput = fc.dictionary(name, randomValue, { maxKeys: 4, noNullPrototype: true });

const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const pattern = fc.constantFrom('^a', 'b$', '^x-', '^.$', '\\d');
const names = fc.uniqueArray(name, { maxLength: 2 });

/** Keywords with what they hold. Those with schemas are made from `schema`. */
function keywordsOf(
  version: Version,
  schema: fc.Arbitrary<JsonValue>,
): Readonly<Record<string, fc.Arbitrary<JsonValue>>> {
  const is4 = version === '4';
  const isNew = version === '2020-12' || version === '2019-09';
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });
  const required = is4 ? fc.uniqueArray(name, { minLength: 1, maxLength: 2 }) : names;
  return {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(scalar, {
      minLength: 1,
      maxLength: 3,
      comparator: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    }),
    minimum: number,
    maximum: number,
    multipleOf: fc.constantFrom(1, 2),
    minLength: small,
    maxLength: small,
    pattern,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    minProperties: small,
    maxProperties: small,
    required,
    properties: byName,
    patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: fc.oneof(fc.boolean(), schema),
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    ...(is4
      ? {}
      : {
          const: scalar,
          contains: schema,
          propertyNames: schema,
          if: schema,
          then: schema,
          else: schema,
          exclusiveMinimum: number,
          exclusiveMaximum: number,
        }),
    ...(isNew
      ? {
          minContains: small,
          maxContains: small,
          dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
          dependentSchemas: byName,
          unevaluatedProperties: fc.oneof(fc.boolean(), schema),
          unevaluatedItems: fc.oneof(fc.boolean(), schema),
        }
      : {
          dependencies: fc.oneof(
            byName,
            fc.dictionary(name, fc.uniqueArray(name, { minLength: 1, maxLength: 2 }), {
              maxKeys: 2,
              noNullPrototype: true,
            }),
          ),
        }),
    ...(version === '2020-12'
      ? { prefixItems: schemas, items: schema }
      : { items: fc.oneof(schema, schemas), additionalItems: fc.oneof(fc.boolean(), schema) }),
  };
}

/** A schema of the version that says so, with definitions that it refers to. */
export function randomSchema(version: Version): fc.Arbitrary<JsonObject> {
  const definitions = version === '4' || version === '7' ? 'definitions' : '$defs';
  const { schema } = fc.letrec<{ schema: JsonValue; object: JsonValue }>((tie) => {
    const keywords = keywordsOf(version, tie('schema'));
    const object = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 3 })
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((each) => [each, keywords[each] ?? fc.constant(null)]))),
      );
    const reference = fc.constantFrom('one', 'two').map((to) => ({ $ref: `#/${definitions}/${to}` }));
    const leaf = fc.oneof(
      type.map((each) => ({ type: each })),
      ...(version === '4' ? [fc.constant({})] : [fc.boolean()]),
    );
    return {
      object,
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { arbitrary: leaf, weight: 2 },
        { arbitrary: reference, weight: 1 },
        { arbitrary: tie('object'), weight: 6 },
      ),
    };
  });
  const plain = fc.oneof(
    type.map((each) => ({ type: each })),
    fc.record({
      enum: fc.uniqueArray(scalar, {
        minLength: 1,
        maxLength: 3,
        comparator: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      }),
    }),
  );
  return fc.tuple(keywordsOfRoot(version, schema), plain, plain).map(([root, one, two]) => ({
    $schema: addresses[version],
    ...root,
    [definitions]: { one, two },
  }));
}

function keywordsOfRoot(version: Version, schema: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const keywords = keywordsOf(version, schema);
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((each) => [each, keywords[each] ?? fc.constant(null)]))),
    );
}
