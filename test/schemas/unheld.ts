// Of JSON Schema's own suite, what isn't held, and why. A line that holds after all fails the test.
import type { Version } from './suite.ts';

interface Unheld {
  readonly in: readonly Version[];
  readonly because: string;
  /** Whether a problem is shown in the schema. */
  readonly isTold: boolean;
  /** `file: group` for a schema that is refused when it's deployed; `file: group: case` for a case that is judged otherwise. */
  readonly lines: readonly string[];
}

const all = ['2020-12', '2019-09', '7', '4'] as const;
const newer = ['2020-12', '2019-09'] as const;

const format = (name: string): string =>
  `format: ${name} format: invalid ${name} string is only an annotation by default`;

const elsewhere: readonly Pick<Unheld, 'in' | 'lines'>[] = [
  {
    in: all,
    lines: [
      'ref: remote ref, containing refs itself',
      'refRemote: remote ref',
      'refRemote: fragment within remote ref',
      'refRemote: ref within remote ref',
      'refRemote: base URI change',
      'refRemote: base URI change - change folder',
      'refRemote: base URI change - change folder in subschema',
      'refRemote: root ref in remote ref',
      'refRemote: Location-independent identifier in remote ref',
    ],
  },
  { in: ['7', '4'], lines: ['definitions: validate definition against metaschema'] },
  {
    in: ['2020-12', '2019-09', '7'],
    lines: ['refRemote: retrieved nested refs resolve relative to their URI not $id'],
  },
  {
    in: newer,
    lines: [
      'defs: validate definition against metaschema',
      'refRemote: anchor within remote ref',
      'refRemote: remote ref with ref to defs',
      'refRemote: remote HTTP ref with different $id',
      'refRemote: remote HTTP ref with different URN $id',
      'refRemote: remote HTTP ref with nested absolute ref',
      'refRemote: $ref to $ref finds detached $anchor',
    ],
  },
  {
    in: ['2020-12'],
    lines: [
      'dynamicRef: strict-tree schema, guards against misspelled properties',
      'dynamicRef: tests for implementation dynamic anchor and reference link',
      'dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first',
      'dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first',
      'dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor',
    ],
  },
  {
    in: ['7'],
    lines: [
      'refRemote: remote ref with ref to definitions',
      'refRemote: $ref to $ref finds location-independent $id',
    ],
  },
];

export const unheld: readonly Unheld[] = [
  ...elsewhere.map((each) => ({
    ...each,
    because:
      'They refer to another document: nothing is fetched for a schema. It is refused when it is deployed.',
    isTold: true,
  })),
  {
    in: ['2020-12'],
    because: 'The validator does not know $dynamicRef.',
    isTold: true,
    lines: [
      'dynamicRef: A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor: An array containing non-strings is invalid',
      'dynamicRef: A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor: An array containing non-strings is invalid',
      'dynamicRef: A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated: An array containing non-strings is invalid',
      'dynamicRef: A $dynamicRef without anchor in fragment behaves identical to $ref: An array of strings is invalid',
      "dynamicRef: A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution: An array containing non-strings is invalid",
      'dynamicRef: A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope: The recursive part is not valid against the root',
      'dynamicRef: multiple dynamic paths to the $dynamicRef keyword: number list with string values',
      'dynamicRef: multiple dynamic paths to the $dynamicRef keyword: string list with number values',
      'dynamicRef: after leaving a dynamic scope, it is not used by a $dynamicRef: string matches /$defs/thingy, but the $dynamicRef does not stop here',
      'dynamicRef: after leaving a dynamic scope, it is not used by a $dynamicRef: first_scope is not in dynamic scope for the $dynamicRef',
      'dynamicRef: $dynamicRef points to a boolean schema: follow $dynamicRef to a false schema',
      'dynamicRef: $dynamicRef skips over intermediate resources - direct reference: string property fails',
      'dynamicRef: $dynamicRef avoids the root of each schema, but scopes are still registered: data is not sufficient for schema at second#/$defs/length',
      'unevaluatedItems: unevaluatedItems with $dynamicRef: with no unevaluated items',
      'unevaluatedProperties: unevaluatedProperties with $dynamicRef: with no unevaluated properties',
    ],
  },
  {
    in: newer,
    because: "A meta-schema of its own is another document, so its vocabularies aren't known.",
    isTold: true,
    lines: [
      'vocabulary: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
    ],
  },
  {
    in: ['2020-12'],
    because: 'A format is asserted on purpose: whoever writes one for an input means it.',
    isTold: false,
    lines: [
      ...['email', 'regex', 'ipv4', 'ipv6', 'hostname', 'date', 'date-time', 'time', 'json-pointer'],
      ...['relative-json-pointer', 'uri', 'uri-reference', 'uri-template', 'uuid', 'duration'],
    ].map(format),
  },
  {
    in: newer,
    because: 'The validator takes the anchor beside an $id for the place of the $id.',
    isTold: false,
    lines: ['ref: order of evaluation: $id and $anchor and $ref: data is valid against first definition'],
  },
  ...(
    [
      ['7', '$id'],
      ['4', 'id'],
    ] as const
  ).map(([version, id]) => ({
    in: [version],
    because: 'The validator lets an address beside a $ref change the base of the $ref.',
    isTold: false,
    lines: [
      `ref: $ref prevents a sibling ${id} from changing the base uri: $ref resolves to /definitions/base_foo, data does not validate`,
      `ref: $ref prevents a sibling ${id} from changing the base uri: $ref resolves to /definitions/base_foo, data validates`,
    ],
  })),
];
