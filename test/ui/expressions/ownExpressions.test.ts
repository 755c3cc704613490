// Plain expressions of n8n are read from the record; of others it's said that only n8n evaluates them.
import assert from 'node:assert/strict';
import { isOwnExpression, readOwnExpression } from '../../../src/ui/expressions/ownExpressions.ts';

const recorded = {
  input: [{ body: { total: 3, 'a b': [10, 20] } }, { body: { total: 4 } }],
  outputOf: (name: string) =>
    name === 'Get chart'
      ? [{ json: { size: 70 }, binary: { data: {} } }]
      : name === 'Two'
        ? [{ n: 1 }, { n: 2 }]
        : undefined,
};
const read = (expression: string) => {
  const found = readOwnExpression(expression, recorded);
  return found.kind === 'value' ? found.value : found.kind;
};

describe('an expression of n8n', () => {
  for (const [expression, wanted] of [
    ['$json.body.total', 3],
    ['={{ $json.body.total }}', 3],
    ['{{$json["body"]["a b"][1]}}', 20],
    ['$json', { body: { total: 3, 'a b': [10, 20] } }],
    ['$json.nothing.more', null],
    ['$json.constructor', null],
    ['$input.item.json.body.total', 3],
    ['$input.last().json.body.total', 4],
    ['$input.all()', [{ json: recorded.input[0] }, { json: recorded.input[1] }]],
    ["$('Two').first().json.n", 1],
    ['$("Two").item.json["n"]', 1],
    ['$("Two").all()[1].json.n', 2],
    ["$node['Get chart'].json.size", 70],
  ] as const)
    it(`is read where it's plain: ${expression}`, () => assert.deepEqual(read(expression), wanted));

  for (const expression of [
    '$json["bo" + "dy"]',
    '$json["a\\"b"]',
    "$('T' + 'wo').first().json.n",
    "$node['Get' + ' chart'].json.size",
  ])
    it(`isn't read where a name is computed or has escapes: ${expression}`, () =>
      assert.equal(read(expression), 'notPlain'));

  it('is told from one that only looks on the record', () => {
    const own = ['={{ 1 }}', '$json.a + 1', "$('A').first()", '{{ a }}', '$node["A"].json'];
    assert.deepEqual(
      own.map(isOwnExpression),
      own.map(() => true),
    );
    const others = ['input.total > 3', '$sum(nodes.a.b)', '$now()', 'a = b'];
    assert.deepEqual(
      others.map(isOwnExpression),
      others.map(() => false),
    );
  });

  for (const expression of [
    '$json.total + 1',
    '$json.name.toUpperCase()',
    "$('Not there').first().json.n",
    '$now',
    '{{ $json.a }} and {{ $json.b }}',
    "$('Two').json",
    '',
  ])
    it(`is left to n8n: ${expression}`, () => assert.equal(read(expression), 'notPlain'));
});
