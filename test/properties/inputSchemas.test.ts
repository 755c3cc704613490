// Inputs are judged by their schema as JSON Schema has it, whatever keywords meet: held against another implementation of it.
import assert from 'node:assert/strict';
import '@hyperjump/json-schema/draft-04';
import '@hyperjump/json-schema/draft-07';
import '@hyperjump/json-schema/draft-2019-09';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import fc from 'fast-check';
import * as v from 'valibot';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { checkInputSchema, inputFaults } from '../../src/definition/inputSchema.ts';
import { tries } from '../support/properties.ts';
import { randomSchema, randomValue } from '../support/randomSchemas.ts';

const versions = ['2020-12', '2019-09', '7', '4'] as const;
const address = 'https://schemas.example/input';

type Plain = Parameters<Awaited<ReturnType<typeof validate>>>[0];
const Schema = v.custom<Parameters<typeof registerSchema>[0]>((value) => value !== undefined);
const Value = v.custom<Plain>((value) => value !== undefined);

const isValid = (schema: JsonObject, value: JsonValue): boolean =>
  inputFaults(schema, value).faults.length === 0;

/** What the other implementation says of each of the values. */
async function judge(schema: JsonObject, values: readonly JsonValue[]): Promise<readonly boolean[]> {
  registerSchema(v.parse(Schema, structuredClone(schema)), address);
  try {
    const check = await validate(address);
    return values.map((value) => check(v.parse(Value, structuredClone(value))).valid);
  } finally {
    unregisterSchema(address);
  }
}

describe('an input and its schema', () => {
  for (const version of versions)
    it(`agree as JSON Schema ${version} has it`, async () => {
      const values = fc.array(randomValue, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(randomSchema(version), values, async (schema, tried) => {
          const refused = checkInputSchema(schema).filter(({ isWarning }) => !isWarning);
          assert.deepEqual(refused, []);
          const judged = tried.map((value) => isValid(schema, value));
          assert.deepEqual(judged, await judge(schema, tried));
        }),
        tries(150),
      );
    });
});
