import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { findExplanation } from '../../../../src/features/definitions/completion/hovers.ts';
import { noValues } from '../../../../src/ui/expressions/shownValues.ts';
import { atMark, shownValues, order, withCode } from './order.ts';

function explain(marked: string, values = shownValues) {
  const { text, offset } = atMark(marked);
  const found = findExplanation(new DefinitionText(text), offset, values);
  return (
    found && {
      ...found,
      words: found.words.filter((each) => each !== ''),
      at: text.slice(found.span.start, found.span.end),
    }
  );
}

describe('a hover over a node in an edge', () => {
  const edge = (target: string) => order({ edge: `{ "source": "say", "target": "${target}" }` });

  it('says its name, its type and how it went', () => {
    const found = explain(edge('ea¦ch'));
    assert.equal(found?.title, 'each');
    assert.equal(found.at, 'each');
    assert.deepEqual(found.words, ['For each line · forEach', 'Latest execution: completed']);
    assert.ok(found.value?.startsWith('[\n  {\n    "product": "Tea",'));
  });

  it('says the reason of its failure, and its iterations', () => {
    assert.deepEqual(explain(edge('lar¦ge'))?.words, ['condition', 'Latest execution: failed. No branch']);
    assert.deepEqual(explain(edge('pri¦ce'))?.words, ['transform', 'Latest execution: completed · ×2']);
  });

  it('says only what the text says where nothing was executed', () => {
    const found = explain(edge('say¦'), noValues);
    assert.deepEqual(found?.words, ['Say it · log']);
    assert.equal(found.value, undefined);
  });

  it('says nothing of a node that does not exist', () => assert.equal(explain(edge('no¦pe')), undefined));
});

describe('what a name in an expression explains', () => {
  const rows: readonly (readonly [string, string, string, string, readonly string[], string | undefined])[] =
    [
      ['the input', 'inp¦ut.lines', 'input', 'input: object', ['the input of the execution'], undefined],
      [
        'a member of the input',
        'input.taxPer¦cent + 1',
        'taxPercent',
        'input.taxPercent: number | null',
        [],
        undefined,
      ],
      [
        'a member with what its schema says',
        'input.lines.pri¦ce',
        'price',
        'input.lines.price: number',
        ['In euros.'],
        '[\n  2.5,\n  1\n]',
      ],
      [
        'a member in backticks',
        'input.`gift ¦wrap`',
        '`gift wrap`',
        'input.`gift wrap`: boolean',
        [],
        'true',
      ],
      ['a node', 'nodes.ea¦ch.total', 'each', 'nodes.each: array', ['For each line · forEach'], undefined],
      ['an output', 'nodes.each[0].tot¦al', 'total', 'nodes.each[0].total: number', [], '[\n  5,\n  7\n]'],
      [
        'an output within a filter',
        'nodes.each[to¦tal > 5]',
        'total',
        'total: number',
        [],
        '[\n  5,\n  7\n]',
      ],
      [
        'a function',
        '$su¦m(nodes.each.total)',
        '$sum',
        '$sum(numbers: number[]): number',
        ['Adds up the numbers of an array.'],
        undefined,
      ],
      ['a variable', '($a := input.lines; $¦a.price)', '$a', '$a: array', ['What was ordered.'], undefined],
    ];
  for (const [what, code, at, title, words, value] of rows)
    it(what, () => {
      const found = explain(withCode('end', code));
      assert.equal(found?.at, at);
      assert.equal(found.title, title);
      assert.deepEqual(found.words, words);
      if (value !== undefined) assert.equal(found.value, value);
    });

  for (const [what, code] of [
    ['nothing in a text', "'in¦put'"],
    ['nothing for what is unknown', 'input.no¦thing'],
    ['nothing for an operator', 'input.a ¦+ 1'],
    ['nothing for a function of the author', '$mi¦ne(1)'],
  ] as const)
    it(what, () => assert.equal(explain(withCode('end', code)), undefined));

  it('the item of a loop, by its first turn', () => {
    const found = explain(withCode('price', 'it¦em.product'));
    assert.equal(found?.title, 'item: object');
    assert.equal(found.value, '{\n  "product": "Tea",\n  "price": 2.5\n}');
  });

  it('a place within braces of a template', () => {
    const config = JSON.stringify({ message: 'é {{ item.pro¦duct }}' });
    assert.equal(explain(order({ configs: { say: config } }))?.title, 'item.product: string');
    assert.equal(explain(order({ configs: { say: JSON.stringify({ message: 'the item¦' }) } })), undefined);
  });

  it('a place within a query', () => {
    const config = JSON.stringify({ url: 'x', query: { q: ['{{ nodes.each[0].pro¦duct }}'] } });
    assert.equal(explain(order({ configs: { call: config } }))?.title, 'nodes.each[0].product: string');
    const secrets = JSON.stringify({ url: 'x', query: { q: '{{ sec¦rets.TOKEN }}' } });
    assert.deepEqual(explain(order({ configs: { call: secrets } }))?.words, [
      'the secrets of the local service',
    ]);
  });

  it('a long value by its beginning, with its control characters as escapes', () => {
    const values = { ...shownValues, outputs: new Map([['each', `a\u202eb\u2028${'x'.repeat(1000)}`]]) };
    const found = explain(withCode('end', 'nodes.ea¦ch'), values);
    const value = found?.value ?? '';
    assert.ok(value.startsWith(String.raw`"a\u202eb\u2028xxx`));
    assert.ok(value.length < 220 && value.endsWith('x…'));
  });
});

describe("a hover over a node's type", () => {
  const node = (type: string): string => `{ "nodes": [{ "id": "a", "type": "${type}" }], "edges": [] }`;
  for (const [type, output] of [
    ['de¦lay', 'Output: { waitedMs: integer }'],
    ['httpRequest¦', 'Output: { status: integer, headers: object, body }'],
    ['¦condition', 'Output: boolean | string'],
    ['transform¦', 'Output: the value of its expression'],
    ['trigger¦', 'Output: the input of the execution'],
    ['fail¦', 'Output: none'],
  ] as const)
    it(`says what it gives, and where there is more: ${type.replace('¦', '')}`, () => {
      const found = explain(node(type));
      const name = type.replace('¦', '');
      assert.deepEqual([found?.at, found?.words, found?.isNodeType], [name, [output], true]);
    });

  it('says nothing of a type that only another service has', () =>
    assert.equal(explain(node('web¦hook')), undefined));
});
