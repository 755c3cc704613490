// What the local service says of a body that it doesn't take is worded here, never by the library that checks it.
import assert from 'node:assert/strict';
import { type JsonValue, stringifyJson } from '../../src/base/json.ts';
import * as requests from '../../src/protocol/requests.ts';
import { checkRequest } from '../../src/service/http/body.ts';
import { HttpError } from '../../src/service/http/httpError.ts';

const values: readonly JsonValue[] = [
  7,
  -1,
  1.5,
  null,
  true,
  {},
  [],
  ['a'],
  [1.5],
  [-1],
  '',
  'ü',
  'x'.repeat(20_000),
  '\ud800',
];

const bodies = Object.entries(requests);

function wordsOf(schema: (typeof bodies)[number][1], body: JsonValue): readonly string[] {
  try {
    checkRequest(schema, body);
    return [];
  } catch (error) {
    assert.ok(error instanceof HttpError);
    return [error.message, stringifyJson(error.details ?? null)];
  }
}

describe('what is said of a body', () => {
  it('names what is missing', () => {
    assert.deepEqual(wordsOf(requests.ExecuteRequest, {})[0], 'input is missing.');
    assert.deepEqual(
      wordsOf(requests.ExecuteDraftRequest, { definition: { nodes: [] } })[0],
      'definition.edges is missing.',
    );
    assert.deepEqual(wordsOf(requests.ExecuteRequest, 'x')[0], 'The body must be an object.');
  });

  for (const [name, schema] of bodies)
    it(name, () => {
      const { entries } = schema;
      const nested = values.flatMap((value) => [value, { call: value }, { call: [value] }]);
      const tried = Object.keys(entries).flatMap((member) => nested.map((value) => ({ [member]: value })));
      const said = new Set([[], 'x', {}, ...tried].flatMap((body) => wordsOf(schema, body)));
      assert.deepEqual(
        [...said].filter((words) => /Invalid|Expected|received/.test(words)),
        [],
      );
    });
});
