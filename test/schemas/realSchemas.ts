// Schemas as people write them for the files of their tools, written anew and small: each has what made one of them fail somewhere, with inputs
// that are valid and invalid by it.
import type { JsonObject } from '../../src/base/json.ts';

interface RealSchema {
  readonly title: string;
  readonly schema: JsonObject;
  readonly valid: readonly JsonObject[];
  readonly invalid: readonly JsonObject[];
}

const draft4 = 'http://json-schema.org/draft-04/schema#';
const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';

const members: readonly RealSchema[] = [
  {
    title: 'extensions by a pattern beside no other members',
    schema: {
      $schema: draft7,
      properties: { name: { type: 'string' } },
      patternProperties: { '^x-': true, '^_.*$': { type: 'string' } },
      additionalProperties: false,
    },
    valid: [{ name: 'ci', 'x-team': 1 }, { _note: 'a' }],
    invalid: [{ 'team-x': 1 }, { _note: 1 }],
  },
  {
    title: 'a map whose names have a pattern',
    schema: {
      properties: {
        jobs: {
          type: 'object',
          minProperties: 1,
          patternProperties: { '^[_a-zA-Z][a-zA-Z0-9_-]*$': { required: ['runs-on'] } },
          additionalProperties: false,
        },
      },
    },
    valid: [{ jobs: { build: { 'runs-on': 'linux' } } }, {}],
    invalid: [{ jobs: {} }, { jobs: { '1st': { 'runs-on': 'linux' } } }, { jobs: { build: {} } }],
  },
  {
    title: 'a schema for what no pattern fits',
    schema: {
      $schema: draft4,
      patternProperties: { '^@': { type: 'array' }, '.*\\.js$': { type: 'boolean' } },
      additionalProperties: { type: 'string' },
    },
    valid: [{ '@scope': [], 'a.js': true, other: 'x' }],
    invalid: [{ other: [] }, { '@a.js': [] }],
  },
  {
    title: 'names that must have a form',
    schema: { properties: { env: { propertyNames: { pattern: '^[A-Z_]+$', maxLength: 5 } } } },
    valid: [{ env: { PATH: 1 } }],
    invalid: [{ env: { path: 1 } }, { env: { LONGER: 1 } }],
  },
  {
    title: 'members that need others, by draft 7',
    schema: {
      $schema: draft7,
      dependencies: {
        port: ['host'],
        tls: { properties: { port: { minimum: 443 } }, required: ['port'] },
      },
    },
    valid: [
      { port: 1, host: 'a' },
      { tls: true, port: 443, host: 'a' },
    ],
    invalid: [{ port: 1 }, { tls: true, port: 80, host: 'a' }, { tls: true }],
  },
  {
    title: 'members that need others',
    schema: {
      dependentRequired: { user: ['password'] },
      dependentSchemas: { cron: { not: { required: ['rate'] } } },
    },
    valid: [{ user: 'a', password: 'b' }, { cron: '* * * * *' }],
    invalid: [{ user: 'a' }, { cron: '* * * * *', rate: 5 }],
  },
  {
    title: 'nothing that no part has named',
    schema: {
      $schema: draft2019,
      allOf: [{ $ref: '#/$defs/base' }],
      properties: { retries: { type: 'integer' } },
      unevaluatedProperties: false,
      $defs: { base: { properties: { name: { type: 'string' } }, patternProperties: { '^x-': true } } },
    },
    valid: [{ name: 'a', retries: 1, 'x-own': [] }],
    invalid: [{ name: 'a', retry: 1 }, { name: 1 }],
  },
  {
    title: 'members that are deprecated',
    schema: {
      properties: {
        old: { type: 'string', deprecated: true, deprecationMessage: 'Use new.', doNotSuggest: true },
        new: { type: 'string', markdownDescription: '**New**', 'x-intellij-html-description': '<b>New</b>' },
      },
    },
    valid: [{ old: 'a' }, { new: 'b' }],
    invalid: [{ old: 1 }],
  },
];

const alternatives: readonly RealSchema[] = [
  {
    title: 'a name that must not begin in a way',
    schema: { properties: { name: { type: 'string', not: { pattern: '^(claude|anthropic)-' } } } },
    valid: [{ name: 'tidy' }],
    invalid: [{ name: 'claude-tidy' }],
  },
  {
    title: 'members of which no two may be there, and one must not',
    schema: { not: { anyOf: [{ required: ['a', 'b'] }, { patternProperties: { '^z': false } }, false] } },
    valid: [{ zeta: 1 }],
    invalid: [{ a: 1 }, { a: 1, b: 2, zeta: 1 }],
  },
  {
    title: 'one of two patterns',
    schema: {
      properties: {
        timeout: {
          oneOf: [{ pattern: '^\\d+[smh]$' }, { pattern: '^\\d+(\\.\\d+)?x$' }, { enum: ['none'] }],
        },
      },
    },
    valid: [{ timeout: '30s' }, { timeout: '2.5x' }, { timeout: 'none' }],
    invalid: [{ timeout: '30' }, { timeout: 'never' }, { timeout: 30 }],
  },
  {
    title: 'a condition with a pattern',
    schema: {
      $schema: draft7,
      if: { properties: { image: { pattern: ':' } }, required: ['image'] },
      then: { required: ['digest'] },
      else: { properties: { digest: false } },
    },
    valid: [{ image: 'a:1', digest: 'x' }, { image: 'a' }, {}],
    invalid: [{ image: 'a:1' }, { image: 'a', digest: 'x' }],
  },
  {
    title: 'conditions one after the other, by a kind',
    schema: {
      properties: { kind: { enum: ['file', 'http'] } },
      required: ['kind'],
      allOf: [
        { if: { properties: { kind: { const: 'file' } } }, then: { required: ['path'] } },
        { if: { properties: { kind: { const: 'http' } } }, then: { required: ['url'] } },
      ],
    },
    valid: [
      { kind: 'file', path: 'a' },
      { kind: 'http', url: 'b' },
    ],
    invalid: [{ kind: 'file', url: 'b' }, { kind: 'ftp' }, { path: 'a' }],
  },
  {
    title: 'one of several shapes, told apart by their members',
    schema: {
      properties: {
        step: {
          oneOf: [
            { required: ['run'], properties: { run: { type: 'string' } }, additionalProperties: false },
            {
              required: ['uses'],
              properties: { uses: { type: 'string' }, with: {} },
              additionalProperties: false,
            },
          ],
        },
      },
    },
    valid: [{ step: { run: 'x' } }, { step: { uses: 'y', with: 1 } }],
    invalid: [{ step: { run: 'x', uses: 'y' } }, { step: { run: 'x', with: 1 } }, { step: {} }],
  },
  {
    title: 'a value, a list of values, or null',
    schema: {
      $schema: draft4,
      properties: {
        files: {
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { type: 'string' }, minItems: 1 },
            { type: 'null' },
          ],
        },
      },
    },
    valid: [{ files: 'a' }, { files: ['a'] }, { files: null }],
    invalid: [{ files: [] }, { files: [1] }, { files: {} }],
  },
  {
    title: 'values of any kind in a list of those allowed',
    schema: {
      properties: {
        level: { enum: [0, 'off', null, { severity: 'warn' }, [1, 2]] },
        v: { const: { a: [1] } },
      },
    },
    valid: [{ level: 0 }, { level: null }, { level: { severity: 'warn' }, v: { a: [1] } }, { level: [1, 2] }],
    invalid: [{ level: false }, { level: '0' }, { level: [2, 1] }, { v: { a: [1], b: 1 } }],
  },
];

const lists: readonly RealSchema[] = [
  {
    title: 'a tuple by draft 7',
    schema: {
      $schema: draft7,
      properties: {
        rule: { items: [{ enum: [0, 1, 2] }, { type: 'string' }], additionalItems: false, minItems: 1 },
      },
    },
    valid: [{ rule: [2, 'always'] }, { rule: [0] }],
    invalid: [{ rule: [3] }, { rule: [2, 'a', 'b'] }, { rule: [] }],
  },
  {
    title: 'a tuple with a rest',
    schema: {
      properties: {
        rule: { prefixItems: [{ type: 'string' }], items: { type: 'number' }, unevaluatedItems: false },
      },
    },
    valid: [{ rule: ['sum', 1, 2] }],
    invalid: [{ rule: ['sum', 'a'] }, { rule: [1] }],
  },
  {
    title: 'an item that may be missing, but not come too often',
    schema: {
      properties: {
        steps: {
          contains: { properties: { main: { const: true } }, required: ['main'] },
          minContains: 0,
          maxContains: 1,
        },
      },
    },
    valid: [{ steps: [] }, { steps: [{}, { main: true }] }],
    invalid: [{ steps: [{ main: true }, { main: true }] }],
  },
  {
    title: 'items that differ',
    schema: { properties: { ports: { uniqueItems: true, items: { type: ['integer', 'object'] } } } },
    valid: [{ ports: [1, 2, { a: 1 }, { a: 2 }] }],
    invalid: [
      { ports: [1, 1.0] },
      {
        ports: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
    ],
  },
];

const values: readonly RealSchema[] = [
  {
    title: 'bounds that are excluded, by draft 4',
    schema: {
      $schema: draft4,
      properties: { share: { minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false } },
    },
    valid: [{ share: 0.5 }, { share: 1 }],
    invalid: [{ share: 0 }, { share: 1.5 }],
  },
  {
    title: 'the same in OpenAPI 3.0, which names no version',
    schema: {
      properties: {
        share: { type: 'number', minimum: 0, exclusiveMinimum: true, example: 0.5, nullable: true },
      },
    },
    valid: [{ share: 0.5 }],
    invalid: [{ share: 0 }],
  },
  {
    title: 'times, which have a zone',
    schema: { properties: { at: { type: 'string', format: 'date-time' }, on: { format: 'date' } } },
    valid: [{ at: '2026-01-31T12:30:00Z', on: '2026-01-31' }, { at: '2026-01-31T12:30:00.5+01:00' }],
    invalid: [{ at: '2026-01-31T12:30:00' }, { at: '2026-02-30T12:30:00Z' }, { on: '31.1.2026' }],
  },
  {
    title: 'formats of which some are made up',
    schema: {
      properties: { site: { format: 'uri' }, color: { format: 'color-hex' }, mail: { format: 'email' } },
    },
    valid: [{ site: 'https://a.example/b', color: 'anything', mail: 'a@b.example' }],
    invalid: [{ site: 'a b' }, { mail: 'a at b' }],
  },
  {
    title: 'patterns of letters of all scripts, counted by characters',
    schema: { properties: { name: { pattern: '^\\p{L}{2}$' }, mark: { minLength: 2, maxLength: 2 } } },
    valid: [{ name: 'Łu', mark: '𝄞𝄞' }],
    invalid: [{ name: 'a1' }, { mark: '𝄞' }],
  },
  {
    title: 'money',
    schema: { properties: { amount: { multipleOf: 0.01, minimum: 0 } } },
    valid: [{ amount: 19.99 }, { amount: 0.07 }, { amount: 1 }],
    invalid: [{ amount: 0.005 }, { amount: -1 }],
  },
];

const references: readonly RealSchema[] = [
  {
    title: 'a definition with more beside its reference',
    schema: {
      properties: { owner: { $ref: '#/$defs/person', required: ['mail'], description: 'Who owns it' } },
      $defs: { person: { properties: { mail: { type: 'string' } }, required: ['name'] } },
    },
    valid: [{ owner: { name: 'a', mail: 'b' } }],
    invalid: [{ owner: { name: 'a' } }, { owner: { mail: 'b' } }],
  },
  {
    title: 'the same by draft 7, where nothing beside a reference counts',
    schema: {
      $schema: draft7,
      properties: { owner: { $ref: '#/definitions/person', required: ['mail'] } },
      definitions: { person: { required: ['name'] } },
    },
    valid: [{ owner: { name: 'a' } }],
    invalid: [{ owner: { mail: 'b' } }],
  },
  {
    title: 'a tree',
    schema: {
      $schema: draft4,
      id: 'https://schemas.example/menu.json',
      properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['label'],
      additionalProperties: false,
    },
    valid: [{ label: 'a', children: [{ label: 'b', children: [] }] }],
    invalid: [
      { label: 'a', children: [{ children: [] }] },
      { label: 'a', items: [] },
    ],
  },
  {
    title: 'a tree that another schema may extend',
    schema: {
      $schema: draft2019,
      $recursiveAnchor: true,
      properties: { children: { items: { $recursiveRef: '#' } }, kind: { type: 'string' } },
      unevaluatedProperties: false,
    },
    valid: [{ children: [{ kind: 'a' }] }],
    invalid: [{ children: [{ kid: 'a' }] }],
  },
  {
    title: 'a document within, by its address and an anchor',
    schema: {
      $id: 'https://schemas.example/order.json',
      properties: { to: { $ref: 'place.json' }, from: { $ref: 'place.json#town' }, size: { $ref: '#size' } },
      $defs: {
        size: { $dynamicAnchor: 'size', enum: ['s', 'm'] },
        place: {
          $id: 'place.json',
          required: ['town'],
          properties: { town: { $ref: '#/$defs/town' } },
          $defs: { town: { $anchor: 'town', type: 'string' } },
        },
      },
    },
    valid: [{ to: { town: 'a' }, from: 'b', size: 's' }],
    invalid: [{ to: {} }, { to: { town: 1 } }, { from: {} }, { size: 'l' }],
  },
  {
    title: 'definitions with odd names',
    schema: {
      properties: {
        a: { $ref: '#/definitions/a~1b~0c%25%20d' },
        b: { $ref: '#/definitions/list%3Cstring%3E' },
      },
      definitions: { 'a/b~c% d': { type: 'number' }, 'list<string>': { items: { type: 'string' } } },
    },
    valid: [{ a: 1, b: ['x'] }],
    invalid: [{ a: 'x' }, { b: [1] }],
  },
];

export const realSchemas = [...members, ...alternatives, ...lists, ...values, ...references];
