import assert from 'node:assert/strict';
import * as v from 'valibot';
import { parseJson } from '../../../../src/base/json.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { findOffers } from '../../../../src/features/definitions/completion/offers.ts';
import { noValues } from '../../../../src/ui/expressions/shownValues.ts';
import { labels, offersIn, take } from './offering.ts';
import { atMark, shownValues, order, withCode } from './order.ts';

const Definition = v.object({
  nodes: v.array(v.object({ config: v.object({ expression: v.optional(v.string()) }) })),
});

describe('completion in an expression', () => {
  const rows: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['the input and the outputs', 'end', '¦', ['input', 'nodes']],
    ['in a loop its item too', 'price', '¦', ['input', 'nodes', 'item', 'index']],
    ['while a name is typed', 'end', 'no¦', ['input', 'nodes']],
    ['while a name is typed that begins as an operator', 'end', '(in¦)', ['input', 'nodes']],
    [
      'nodes that have run: not itself, not what comes after, not what is inside a loop',
      'end',
      'nodes.¦',
      ['start', 'each', 'large', 'call'],
    ],
    ['in a loop also its nodes', 'say', 'nodes.¦', ['start', 'price', 'call']],
    [
      'everything where nothing leads to the node',
      'call',
      'nodes.¦',
      ['start', 'each', 'price', 'say', 'large', 'end'],
    ],
    [
      'members by the schema and the shownValues input',
      'end',
      'input.¦',
      ['lines', 'taxPercent', 'gift wrap'],
    ],
    ['members of the items of a list', 'end', 'input.lines.¦', ['product', 'price']],
    ['members of one item', 'end', 'input.lines[0].¦', ['product', 'price']],
    ['members within a filter', 'end', 'input.lines[¦', ['product', 'price', '$$']],
    [
      'members within a filter, after an operator',
      'end',
      "input.lines[product = 'x' and ¦]",
      ['product', 'price', '$$'],
    ],
    ['members after a filter', 'end', 'input.lines[price > 1].¦', ['product', 'price']],
    ['members within a block', 'end', 'input.lines.(price * ¦)', ['product', 'price', '$$']],
    ['members within an object', 'end', "input.lines.{ 'a': ¦ }", ['product', 'price', '$$']],
    ['members within a grouping', 'end', 'input.lines{¦', ['product', 'price', '$$']],
    ['members within an order', 'end', 'input.lines^(¦)', ['product', 'price', '$$']],
    ['members after an order', 'end', 'input.lines^(price).¦', ['product', 'price']],
    ['outputs of the latest execution', 'end', 'nodes.each.¦', ['product', 'total']],
    ['outputs of the first iteration', 'say', 'nodes.price.¦', ['product', 'total']],
    ['the members of the item', 'price', 'item.¦', ['product', 'price']],
    ['what a request gives', 'end', 'nodes.call.¦', ['status', 'headers', 'body']],
    ['the root', 'end', 'input.lines[$$.¦', ['input', 'nodes']],
    ['the context', 'end', 'input.lines[$.¦', ['product', 'price']],
    ['variables', 'end', '($a := input.lines; $b := 1; ¦', ['input', 'nodes', '$a', '$b']],
    ['members of a variable', 'end', '($a := input.lines[0]; $a.¦', ['product', 'price']],
    ['members of a parameter', 'end', '$map(input.lines, function($l) { $l.¦ })', ['product', 'price']],
    [
      'members of the second parameter of a fold',
      'end',
      '$reduce(input.lines, function($sum, $l) { $sum + $l.¦ })',
      ['product', 'price'],
    ],
    [
      'members of what a function filters',
      'end',
      '$filter(input.lines, function($l) { true }).¦',
      ['product', 'price'],
    ],
    ['members of what stands in parentheses', 'end', '(input.lines).¦', ['product', 'price']],
    ['members in the argument of a function', 'end', '$sum(nodes.each.¦)', ['product', 'total']],
    ['operators after a value', 'end', 'input.lines ¦', ['and', 'in', 'or']],
    ['after what is not closed', 'end', "{ 'a': [ $sum(nodes.each.¦", ['product', 'total']],
    [
      'after a pattern',
      'end',
      '$contains(input.a, /["\'(]/) and input.¦',
      ['lines', 'taxPercent', 'gift wrap'],
    ],
    ['after a comment', 'end', '/* input.x */ input.¦', ['lines', 'taxPercent', 'gift wrap']],
    [
      'after a text with an apostrophe',
      'end',
      '"it\'s \\" here" & input.¦',
      ['lines', 'taxPercent', 'gift wrap'],
    ],
    ['after a division', 'end', 'input.a / 2 + input.¦', ['lines', 'taxPercent', 'gift wrap']],
    ['nothing in a text', 'end', "'input.¦'", []],
    ['nothing in a text that is not closed', 'end', "'input.¦", []],
    ['nothing in a pattern', 'end', '$match(input.a, /inp¦ut/)', []],
    ['nothing in a number', 'end', '12¦', []],
    ['nothing in a comment that is not closed', 'end', '/* input.¦', []],
    ['no members of what is unknown', 'end', 'input.nothing.¦', []],
    ['nothing for a variable that is its own value', 'end', '($a := $a; $a.¦', []],
  ];
  for (const [what, nodeId, code, expected] of rows)
    it(`offers ${what}`, () => assert.deepEqual(labels(withCode(nodeId, code)), expected));

  it('offers the item of the loop in the list of its results, with the nodes of the body', () => {
    assert.deepEqual(labels(withCode('each', '¦', 'result')), ['input', 'nodes', 'item', 'index']);
    assert.deepEqual(labels(withCode('each', 'nodes.¦', 'result')), ['start', 'price', 'say', 'call']);
    assert.deepEqual(labels(withCode('each', '¦', 'items')), ['input', 'nodes']);
  });

  it('offers the members that an object writes before there is an execution', () => {
    assert.deepEqual(labels(withCode('say', 'nodes.price.¦'), noValues), ['product', 'total']);
  });

  it('says what a value was, or else its type', () => {
    const described = (code: string) =>
      Object.fromEntries(
        offersIn(withCode('end', code)).map(({ label, description }) => [label, description]),
      );
    assert.deepEqual(described('input.¦'), {
      lines: '[{"product":"Tea","price":2.5},{"product":"Milk","price":1}]',
      taxPercent: 'number | null',
      'gift wrap': 'true',
    });
    assert.deepEqual(described('nodes.each.¦'), { product: '["Tea","Milk"]', total: '[5,7]' });
    assert.equal(described('nodes.¦')['each'], 'For each line · forEach');
  });

  it('says what the schema says, also by reference', () => {
    const [, price] = offersIn(withCode('end', 'input.lines.¦'));
    assert.equal(price?.documentation, 'In euros.');
  });

  it('offers functions where a value may stand, with their signatures', () => {
    const functions = (code: string) =>
      offersIn(withCode('end', code)).filter(({ kind }) => kind === 'function');
    assert.equal(
      functions('$su¦').find(({ label }) => label === '$sum')?.detail,
      '$sum(numbers: number[]): number',
    );
    assert.ok(functions('¦').length > 60);
    assert.deepEqual(functions('input.¦'), []);
    assert.ok(functions('input.lines.$¦').length > 60);
  });
});

describe('what an expression takes in', () => {
  const expressionOf = (text: string): string | undefined => {
    const definition = v.parse(Definition, parseJson(text));
    return definition.nodes.at(-1)?.config.expression;
  };
  for (const [what, before, label, after] of [
    ['a name', 'in¦', 'input', 'input'],
    ['a name over the rest of one', 'input.li¦xyz & 1', 'lines', 'input.lines & 1'],
    ['a name that needs backticks', 'input.gi¦', 'gift wrap', 'input.`gift wrap`'],
    ['a name in backticks', 'input.`gi¦`', 'gift wrap', 'input.`gift wrap`'],
    ['a function with its parentheses', '$su¦', '$sum', '$sum()'],
    ['a function that has them already', '$su¦(input.a)', '$sum', '$sum(input.a)'],
    [
      'a name after escapes',
      '"a \\" \\\\ \n\té😀" & nodes.each.to¦',
      'total',
      '"a \\" \\\\ \n\té😀" & nodes.each.total',
    ],
  ] as const)
    it(what, () => assert.equal(expressionOf(take(withCode('end', before), label)), after));

  it('a name with a quotation mark, as JSON', () => {
    const values = { ...shownValues, input: { 'a"b\\': 1, 'no`way': 2 } };
    const { text, offset } = atMark(withCode('end', 'input.¦'));
    const found = findOffers(new DefinitionText(text), offset, values).filter(
      ({ label }) => label.startsWith('a') || label.startsWith('no'),
    );
    assert.deepEqual(
      found.map(({ before }) => before),
      ['`a\\"b\\\\`'],
    );
  });

  it('finds its place after escapes of every form', () => {
    const marked = order({
      configs: { end: '{ "expression": "\\"\\u00e9\\ud83d\\ude00\\n\\/\\x\\" & input.¦ & \\"rest\\"" }' },
    });
    const [first] = offersIn(marked);
    const { offset } = atMark(marked);
    assert.deepEqual(first?.span, { start: offset, end: offset });
    assert.equal(first.label, 'lines');
  });
});
