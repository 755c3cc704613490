// Nothing but one JSON object is an input, and a new document starts with the best example there is.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { defaultInputText, parseInput } from '../../../src/model/inputs/inputText.ts';
import { makeWorkflow } from '../../support/memory/records.ts';

describe('parsing an input', () => {
  it('takes one JSON object', () => assert.deepEqual(parseInput(' {"a": [1]} '), { a: [1] }));
  for (const text of ['', '{', '{"a":1,}', '{} {}', "{'a':1}"]) {
    it(`refuses ${JSON.stringify(text)}, which is no JSON`, () => assert.equal(parseInput(text), undefined));
  }
  for (const text of ['null', '[]', '"a"', '7', 'true']) {
    it(`refuses ${text}, which is no object`, () => assert.equal(parseInput(text), undefined));
  }
});

describe('the first text of an input document', () => {
  const table: readonly (readonly [string, JsonObject, object])[] = [
    ['the example', { examples: [{ name: 'Ada' }], default: { name: 'Bob' } }, { name: 'Ada' }],
    ['the default', { default: { name: 'Bob' } }, { name: 'Bob' }],
    [
      'what its members suggest',
      { properties: { name: { examples: ['Ada'] }, count: { default: 0 }, other: {}, odd: true } },
      { name: 'Ada', count: 0 },
    ],
    ['an empty object', { type: 'object' }, {}],
  ];
  for (const [what, inputSchema, expected] of table) {
    it(`is ${what}`, () => {
      const nodes = [
        { id: 'n0', type: 'log' },
        { id: 'n1', type: 'trigger', config: { inputSchema } },
      ];
      assert.deepEqual(JSON.parse(defaultInputText(makeWorkflow('w1', { raw: { nodes } }))), expected);
      for (const place of ['definition', 'graph']) {
        const raw = { [place]: { nodes: [{ type: 'trigger', inputSchema }] } };
        assert.deepEqual(JSON.parse(defaultInputText(makeWorkflow('w1', { raw }))), expected);
      }
    });
  }

  it('is an empty object without a definition', () => {
    assert.equal(defaultInputText(undefined), '{}\n');
    assert.equal(defaultInputText(makeWorkflow('w1', { raw: { nodes: 'odd' } })), '{}\n');
  });
});
