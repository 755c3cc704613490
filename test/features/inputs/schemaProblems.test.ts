// What an input's document says of its schema: the words of the local service, at their place.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../src/base/json.ts';
import { schemaProblems } from '../../../src/features/inputs/schemaProblems.ts';
import { boundSchema } from '../../../src/model/inputs/boundedSchema.ts';
import { openWritten } from '../../support/writtenDocument.ts';

let count = 0;

/** Each problem with the text that it marks. */
function problemsOf(schema: JsonObject, text: string): readonly string[] {
  const { document } = openWritten(vscode.Uri.parse(`workflow-input://i/${(count += 1)}.json`), text);
  const bounded = boundSchema(schema);
  return schemaProblems(bounded, document, vscode.DiagnosticSeverity.Warning).map(
    ({ message, range: { start, end } }) => {
      const marked = text.slice(document.offsetAt(start), document.offsetAt(end));
      return `${marked} | ${message}`;
    },
  );
}

describe('the problems of an input by its schema', () => {
  const schema = {
    required: ['name'],
    properties: { age: { type: 'integer', minimum: 16 }, tags: { items: { type: 'string' } } },
  };

  it('say in our own words what is wanted, and mark its place', () => {
    assert.deepEqual(problemsOf(schema, '{ "age": 3, "tags": ["a", 1] }'), [
      '{ | "name" is missing.',
      '3 | age must be at least 16, not 3.',
      '1 | tags.1 must be of type string, not number.',
    ]);
  });

  it('are told by the nearest alternative', () => {
    const oneOf = ['a', 'b'].map((kind) => ({
      properties: { kind: { const: kind }, [kind]: { type: 'number' } },
      required: ['kind', kind],
    }));
    assert.deepEqual(problemsOf({ oneOf }, '{"kind": "b", "b": "x"}'), [
      '"x" | b must be of type number, not string.',
    ]);
  });

  it('are none while it is no JSON', () => {
    assert.deepEqual(problemsOf(schema, '{ "age": 3, '), []);
  });

  it('are none of what a schema says in a way that nobody understands', () => {
    const odd = {
      type: 7,
      required: true,
      enum: 'x',
      minimum: '1',
      exclusiveMinimum: true,
      allOf: {},
      anyOf: 'x',
      not: [],
      prefixItems: {},
      properties: { a: { type: [1], format: 7, minLength: null, items: 7, exclusiveMaximum: false } },
    };
    assert.deepEqual(problemsOf(odd, '{"a": 7, "b": ["x"]}'), []);
  });

  it('come at once for a format whose check would never end', () => {
    assert.deepEqual(
      problemsOf({ properties: { a: { format: 'url' } } }, `{"a": "http://${'a'.repeat(60)}!"}`),
      [],
    );
  });

  it('are none of a value that only a pattern tells apart', () => {
    const a = { not: { pattern: '^x' }, oneOf: [{ pattern: '^a' }, { pattern: '^b' }] };
    assert.deepEqual(problemsOf({ properties: { a } }, '{"a": "b"}'), []);
    const condition = { if: { properties: { kind: { pattern: '^x' } } }, then: { required: ['x'] } };
    assert.deepEqual(problemsOf(condition, '{"kind": "y"}'), []);
  });

  it('are none of members that a pattern allows, which is not looked at', () => {
    const patterned = { patternProperties: { '^x-': {} }, additionalProperties: false };
    assert.deepEqual(problemsOf(patterned, '{"x-a": 1}'), []);
  });
});
