// Hints on what expressions read, and above all where there must be none.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { noChanges, type NodeChanges } from '../../../../src/ui/changedNodes.ts';
import { readAllValues } from '../../../../src/features/definitions/shownExecution/readShownValues.ts';
import { findHints } from '../../../../src/features/definitions/hints/findHints.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';

const input = {
  minDays: 3,
  orders: [
    { days: 1, price: 2, item: { name: 'Tea' }, tags: ['new'] },
    { days: 5, price: 3, note: 'gift' },
  ],
  sizes: [1, 2],
};

interface Change {
  readonly schema?: JsonObject;
  readonly data?: JsonObject;
  readonly changes?: NodeChanges;
  readonly isLatest?: boolean;
  readonly isRunning?: boolean;
}

/** The hints on the expression of a transform in a loop over the orders, after a node "list" whose output is `{rows: [{total: 1}]}`. */
function hintsOn(code: string, change: Change = {}, member = 'expression'): readonly string[] {
  const { schema, data = input, changes = noChanges, isLatest = true, isRunning = false } = change;
  const nodes = [
    { id: 'start', type: 'trigger', config: schema === undefined ? {} : { inputSchema: schema } },
    { id: 'list', type: 'transform', config: { expression: 'input.rows' } },
    { id: 'each', type: 'forEach', config: { items: 'input.orders' } },
    { id: 'read', type: member === 'message' ? 'log' : 'transform', config: { [member]: code } },
  ];
  const edges = [
    { source: 'start', target: 'list' },
    { source: 'list', target: 'each' },
    { source: 'each', target: 'read', branch: 'each' },
  ];
  const text = new DefinitionText(JSON.stringify({ nodes, edges }));
  const rows = [
    makeNodeLog(1, { nodeId: 'list', status: statusOf('completed'), output: { rows: [{ total: 1 }] } }),
    makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status: statusOf('completed'), output: [] }),
  ];
  const shown = makeShown({
    isLatest,
    execution: makeExecution('e', { input: data, status: statusOf(isRunning ? 'running' : 'completed') }),
    nodeRuns: foldNodeRuns(rows),
  });
  const drawn = { shown, nodes: shown.runTree.select(new Map()), text, changes };
  const node = text.byId.get('read') ?? assert.fail('There is no node.');
  return findHints(text, node, readAllValues(drawn), isLatest ? null : 'abc123').map(
    ({ offset, length, message, instead = '-' }) => {
      const code = text.text.slice(offset, offset + length);
      return `${code} → ${instead}: ${message}`;
    },
  );
}

const unseen = (name: string, path: string, instead?: string): string =>
  instead === undefined
    ? `${name} → -: "${path}" isn't in the data of the latest execution.`
    : `${name} → ${instead}: "${path}" isn't in the data of the latest execution; did you mean "${instead}"?`;
const root = (name: string): string =>
  `${name} → $$.${name}: "${name}" is looked up in each item here. Write "$$.${name}" for the one outside.`;

describe('a hint on a member that the execution did not have', () => {
  for (const [code, expected] of [
    ['item.prize', unseen('prize', 'item.prize', 'price')],
    ['item.weight * 2', unseen('weight', 'item.weight')],
    ['input.orders.prize', unseen('prize', 'input.orders.prize', 'price')],
    ['input.orders[prize > 1].days', unseen('prize', 'prize', 'price')],
    ['$sum(nodes.list.rows.totl)', unseen('totl', 'nodes.list.rows.totl', 'total')],
    ['nodes.list.row', unseen('row', 'nodes.list.row', 'rows')],
    ['input.minDay', unseen('minDay', 'input.minDay', 'minDays')],
    ['item.`prize`', unseen('`prize`', 'item.`prize`', 'price')],
    ['"\\"" & item.prize', unseen('prize', 'item.prize', 'price')],
  ] as const)
    it(`is on: ${code}`, () => assert.deepEqual(hintsOn(code), [expected]));

  it('is in a template too', () =>
    assert.deepEqual(hintsOn('A "new" one: {{ item.price }} {{ item.prize }}', {}, 'message'), [
      unseen('prize', 'item.prize', 'price'),
    ]));

  for (const code of [
    'item.price',
    // One of the items has it.
    'item.note',
    'input.orders.item.name',
    'input.orders[note = "gift"].price',
    '$exists(item.prize)',
    'item.prize ? 1 : 2',
    'item.prize ?? 0',
    // What it is a member of isn't known, or is no object.
    'nodes.each.prize',
    'input.sizes.prize',
    '$lookup(item, "a").prize',
    '{ "prize": item.price }.prize',
    'unknown.prize',
    // A word of the language.
    'input.orders[$exists(note) = true].price',
    'input.orders[note = null or false].price',
    'input.orders[$count($filter(tags, function($tag) { $tag = "new" })) > 0].price',
  ])
    it(`isn't on: ${code}`, () => assert.deepEqual(hintsOn(code), []));

  it('names the execution that was selected', () =>
    assert.deepEqual(hintsOn('item.weight', { isLatest: false }), [
      'weight → -: "item.weight" isn\'t in the data of execution abc123.',
    ]));

  it("isn't there while the execution goes on, or where a node before it was changed since", () => {
    assert.deepEqual(hintsOn('item.prize', { isRunning: true }), []);
    assert.deepEqual(hintsOn('nodes.list.row', { changes: new Map([['list', 'changed']]) }), []);
    assert.deepEqual(hintsOn('nodes.list.row', { changes: new Map([['start', 'changed']]) }), []);
  });

  it("isn't there where only some of the values were looked at, or only their beginning is known", () => {
    const orders = Array.from({ length: 60 }, (_, at) => (at === 59 ? { prize: 1 } : { price: 1 }));
    assert.deepEqual(hintsOn('item.prize', { data: { orders } }), []);
    assert.deepEqual(hintsOn('item.prize', { data: { orders: orders.slice(0, 50) } }), [
      unseen('prize', 'item.prize', 'price'),
    ]);
    const cut = { $cut: { bytes: 300_000, preview: '{"orders": [{"price": 1}], "min' } };
    assert.deepEqual(hintsOn('input.minDays', { data: cut }), []);
  });

  it('leaves to the check what the schema of the input says', () => {
    const schema = { type: 'object', properties: { orders: { type: 'array' }, later: {} } };
    assert.deepEqual(hintsOn('input.later', { schema }), []);
    assert.deepEqual(hintsOn('input.latr', { schema }), []);
    assert.deepEqual(hintsOn('input.orders.prize', { schema }), [
      unseen('prize', 'input.orders.prize', 'price'),
    ]);
  });
});

describe('a hint on a root variable that needs "$$"', () => {
  for (const [code, expected] of [
    ['input.orders[days > input.minDays]', root('input')],
    ['input.orders[days > 1 and price > nodes.list.rows[0].total]', root('nodes')],
    ['input.orders.(price * input.minDays)', root('input')],
    ['input.orders.{ "a": price, "b": input.minDays }', root('input')],
    ['input.orders^(>days, input.minDays)', root('input')],
    ['input.orders{ $string(days): input.minDays }', root('input')],
    ['input.sizes[$ > input.minDays]', root('input')],
    ['input.sizes[index]', root('index')],
    ['input.orders[$count($$.input.orders[days > input.minDays]) > 0]', root('input')],
    ['input.orders.($limit := input.minDays; days > $limit)', root('input')],
    ['$unknown()[days > input.minDays]', root('input')],
  ] as const)
    it(`is on: ${code}`, () => assert.deepEqual(hintsOn(code), [expected]));

  for (const code of [
    'input.orders[days > $$.input.minDays]',
    '$map(input.orders, function($order) { $order.price * input.minDays })',
    '$filter(input.orders, λ($order) { $order.days > input.minDays })',
    'input.minDays > 1 ? [input.minDays, input.minDays] : input.minDays in [input.minDays]',
    '{ "all": input.orders, "one": { "two": [input.minDays] } }',
    '($x := input.minDays; $x + input.minDays)',
    '$$.(input.minDays + 1)',
    '$.(input.minDays + 1)',
    // The data show such a member, or could.
    'input.orders[item.name = "Tea"].price',
    '$unknown()[item.name = "Tea" or index > 1]',
    'input.orders@$o[input.minDays]',
  ])
    it(`isn't on: ${code}`, () => assert.deepEqual(hintsOn(code), []));

  it('is there without an execution, and not where the schema has such a member', () => {
    const code = 'input.orders[days > input.minDays]';
    assert.deepEqual(hintsOn(code, { isRunning: true }), [root('input')]);
    const order = { type: 'object', properties: { input: { type: 'object' } } };
    const schema = { type: 'object', properties: { orders: { type: 'array', items: order } } };
    assert.deepEqual(hintsOn(code, { isRunning: true, schema }), []);
  });
});

describe('a hint on a value that is encoded twice', () => {
  const hintsIn = (config: JsonObject, type = 'httpRequest'): readonly string[] => {
    const nodes = [
      { id: 'start', type: 'trigger', config: {} },
      { id: 'call', type, config },
    ];
    const text = new DefinitionText(JSON.stringify({ nodes, edges: [{ source: 'start', target: 'call' }] }));
    const node = text.byId.get('call') ?? assert.fail('There is no node.');
    return findHints(text, node, readAllValues(undefined), null).map(
      ({ offset, length, kind, instead = '-' }) => {
        assert.equal(kind, 'encoded');
        return `${text.text.slice(offset, offset + length)} → ${instead}`;
      },
    );
  };

  for (const [url, expected] of [
    ['https://a/{{ $encodeUrlComponent(input.id) }}', ['$encodeUrlComponent(input.id) → input.id']],
    ['https://a/{{ $encodeUrl( input.id & "x" ) }}', ['$encodeUrl( input.id & \\"x\\" ) → input.id & "x"']],
    [
      'https://a/{{ "x" & $encodeUrlComponent(input.a & input.b) }}',
      ['$encodeUrlComponent(input.a & input.b) → (input.a & input.b)'],
    ],
    ['https://a/{{ "x" & $encodeUrlComponent(input.a) }}', ['$encodeUrlComponent(input.a) → input.a']],
    ['https://a/{{ input.id ~> $encodeUrlComponent }}', [' ~> $encodeUrlComponent → ']],
    ['https://a/{{ input.id ~> $encodeUrlComponent() }}', [' ~> $encodeUrlComponent() → ']],
    ['https://a/{{ input.id.$encodeUrlComponent() }}', ['.$encodeUrlComponent() → ']],
    ['https://a/{{ input . $encodeUrl( id ) }}', ['$encodeUrl( id ) → id']],
    ['https://a/{{ $encodeUrlComponent() }}', ['$encodeUrlComponent → -']],
    ['https://a/{{ input.id ~> $encodeUrlComponent ~> $trim }}', [' ~> $encodeUrlComponent → ']],
    ['https://a/{{ $map(input.ids, $encodeUrlComponent) }}', ['$encodeUrlComponent → -']],
    [
      '{{ input.base }}/{{ $encodeUrlComponent($f(input.id)) }}',
      ['$encodeUrlComponent($f(input.id)) → $f(input.id)'],
    ],
    ['{{ $encodeUrl(input.base) }}', []],
    ['{{ $encodeUrl(input.base) }}/x', []],
    ['https://a/{{ $decodeUrlComponent(input.id) }}', []],
  ] as const)
    it(`is on: ${url}`, () => assert.deepEqual(hintsIn({ url }), expected));

  it('is in a form', () => {
    const config = { url: 'https://a/', body: { a: '{{ $encodeUrlComponent(input.id) }}' } };
    const headersOf = (type: string) => ({ 'content-type': type });
    assert.equal(hintsIn({ ...config, headers: headersOf('application/x-www-form-urlencoded') }).length, 1);
    const ofText = { body: 'a={{ $encodeUrlComponent(input.id) }}' };
    assert.deepEqual(
      hintsIn({ ...config, ...ofText, headers: headersOf('application/x-www-form-urlencoded') }),
      [],
    );
    assert.deepEqual(hintsIn({ ...config, headers: headersOf('application/json') }), []);
  });

  it('is in a query, and nowhere else', () => {
    const text = '{{ $encodeUrlComponent(input.id) }}';
    assert.equal(hintsIn({ url: 'https://a/', query: { q: text, more: [text] } }).length, 2);
    assert.deepEqual(hintsIn({ url: 'https://a/', headers: { a: text }, body: text }), []);
    assert.deepEqual(hintsIn({ message: `a/${text}` }, 'log'), []);
  });
});
