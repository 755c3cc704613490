// What an HTTP request node can't send is said while it's written, and refused at deployment.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { checkDefinition, findRefusals } from '../../src/definition/checkDefinition.ts';

const form = 'application/x-www-form-urlencoded';

function faultsOf(config: JsonObject, isLocal = true): readonly string[] {
  const nodes = [
    { id: 'start', type: 'trigger' },
    { id: 'ask', type: 'httpRequest', config: { url: 'https://example.com', ...config } },
  ];
  const definition = { nodes, edges: [{ source: 'start', target: 'ask' }] };
  const { faults } = checkDefinition(definition, isLocal);
  if (isLocal) assert.deepEqual(findRefusals(definition).faults, faults);
  return faults.map(({ path, message }) => `${path.slice(3).join('.')} ${message}`);
}

describe('Checking HTTP requests', () => {
  const rows: readonly (readonly [config: JsonObject, faults: readonly string[]])[] = [
    [{ query: { a: 'b', n: 1, yes: true, no: null, list: ['{{ input }}', 1, false, null] } }, []],
    [{ query: '{{ input.query }}' }, []],
    [{ query: 'a=1&b=2' }, ['query node "ask": "query" must be an object, or a single {{ … }}']],
    [{ query: '{{ input.a }}&b=2' }, ['query node "ask": "query" must be an object, or a single {{ … }}']],
    [
      { query: { a: { b: 1 } } },
      ['query.a node "ask": "a" must be of type string or number or boolean or null or array, not object'],
    ],
    [
      { query: { a: [['b']] } },
      ['query.a.0 node "ask": item 1 of "a" must be of type string or number or boolean or null, not array'],
    ],
    [{ query: ['a'] }, ['query node "ask": "query" must be of type object or string, not array']],
    [{ headers: { 'content-TYPE': form }, body: { a: [1, null], b: '{{ input.b }}' } }, []],
    [{ headers: { 'Content-Type': form }, body: 'a=1' }, []],
    [{ headers: { 'Content-Type': form } }, []],
    [{ headers: { 'Content-Type': form }, body: { $binary: { base64: 'AA==' } } }, []],
    [{ headers: { 'Content-Type': 'application/json' }, body: { a: { b: 1 } } }, []],
    [{ headers: { 'Content-Type': '{{ input.type }}' }, body: { a: { b: 1 } } }, []],
    [
      { headers: { 'Content-Type': `${form}; charset=utf-8` }, body: { a: { b: 1 }, c: [1, [2]] } },
      [
        'body.a node "ask": "a" in the form must be text, a number, a boolean or null, or a list of these',
        'body.c.1 node "ask": "c.1" in the form must be text, a number, a boolean or null, or a list of these',
      ],
    ],
    [
      { headers: { 'X Name': 'a', 'X-Näme': 'b', '': 'c', "X-!#$%&'*+.^_`|~9": 'd' } },
      ['X Name', 'X-Näme', ''].map(
        (name) =>
          `headers.${name} node "ask": "${name}" can't be the name of a header, such as "X-Request-Id"`,
      ),
    ],
    [{ headers: { 'Content-Type': form }, body: [1] }, ['body node "ask": a form must be an object or text']],
  ];
  for (const [config, expected] of rows)
    it(JSON.stringify(config), () => assert.deepEqual(faultsOf(config), expected));

  it('reports nothing that another service may allow', () => {
    assert.deepEqual(faultsOf({ headers: { 'Content-Type': form }, body: { a: { b: 1 } } }, false), []);
  });
});
