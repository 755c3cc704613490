// Schemas that can't be used: they're refused when they're deployed, and the editor validates nothing by them. Each input reaches what is unknown.
import type { JsonObject } from '../../src/base/json.ts';

export const unusableSchemas: readonly {
  readonly title: string;
  readonly schema: JsonObject;
  readonly place: string;
  readonly input: JsonObject;
}[] = [
  {
    title: 'a reference to another document',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { paths: { items: { $ref: 'base.json#/definitions/path' } } },
    },
    place: 'properties.paths.items.$ref',
    input: { paths: ['a'] },
  },
  {
    title: 'a reference to another document by its address',
    schema: { allOf: [{ $ref: 'https://schemas.example/thing.json' }] },
    place: 'allOf.0.$ref',
    input: {},
  },
  {
    title: 'a reference into what another description has',
    schema: { properties: { order: { $ref: '#/components/schemas/Order' } } },
    place: 'properties.order.$ref',
    input: { order: 1 },
  },
  {
    title: 'a pattern of another language',
    schema: { patternProperties: { '(?i)^x-': { type: 'string' } } },
    place: 'patternProperties.(?i)^x-',
    input: { 'x-a': 'b' },
  },
];
