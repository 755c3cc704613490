// What an expression reads of its root, and which of it is marked.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { checkDefinition, findRefusals } from '../../src/definition/checkDefinition.ts';
import { readExpression } from '../../src/definition/expressions.ts';

/** The references of an expression as they're written, each with the names that were found in it. */
function read(expression: string): readonly string[] {
  const { fault, references } = readExpression(expression);
  assert.equal(fault, undefined);
  return references.map((steps) => {
    const marked = steps.map(({ offset, length }) => expression.slice(offset, offset + length));
    for (const [index, { name }] of steps.entries()) assert.ok(marked[index]?.includes(name));
    return steps.map(({ name }) => name).join('/');
  });
}

describe('The references of an expression', () => {
  const expected: readonly (readonly [expression: string, references: readonly string[]])[] = [
    ['nodes.a.b + input.c', ['nodes/a/b', 'input/c']],
    ['nodes.`a b`.c & input."d"', ['nodes/a b/c', 'input/d']],
    ['$$.nodes.a & $.input.b', ['nodes/a', 'input/b']],
    ['$sum(nodes.a.items.price)', ['nodes/a/items/price']],
    ['{ "sum": nodes.a, "list": [input.b] }', ['nodes/a', 'input/b']],
    ['input.a ? nodes.b : nodes.c', ['input/a', 'nodes/b', 'nodes/c']],
    ['($n := nodes.a; $f := function($x) { $x + input.b }; $f($n))', ['nodes/a', 'input/b']],
    ['$map(input.list, function($item) { nodes.a })', ['input/list', 'nodes/a']],
    ['nodes.a ~> $uppercase()', ['nodes/a']],
    ['-input.a', ['input/a']],
    // Inside, the root is another value.
    ['input.items[nodes.x = 1].price', ['input/items/price']],
    ['input.items.(nodes.x)', ['input/items']],
    ['input.items{ nodes.x: input.y }', ['input/items']],
    ['input.items^(nodes.x)', ['input/items']],
    ['input.items ~> | nodes.x | { "a": input.b } |', ['input/items']],
    ['input.items[$$.nodes.x = 1]', ['input/items', 'nodes/x']],
    // What comes after isn't known.
    ['nodes.*', ['nodes']],
    ['nodes.$lookup($, "a").b', ['nodes']],
    ['$other.nodes.a', []],
    ['"nodes.a"', []],
  ];
  for (const [expression, references] of expected) {
    it(`are found in ${expression}`, () => assert.deepEqual(read(expression), references));
  }

  it('are found in a long one', () => {
    const count = 1000;
    const expression = Array.from({ length: count }, (_, index) => `nodes.n${index}`).join(' + ');
    assert.equal(read(expression).length, count);
  });
});

type Node = readonly [id: string, type: string, config?: JsonObject];
type Edge = readonly [source: string, target: string, branch?: string];

function define(nodes: readonly Node[], edges: readonly Edge[]) {
  return {
    nodes: nodes.map(([id, type, config = {}]) => ({ id, type, config })),
    edges: edges.map(([source, target, branch = null]) => ({ source, target, branch })),
  };
}

/** The faults of a node that reads, after a trigger with a schema. */
function checkReading(expression: string, inputSchema?: JsonObject): readonly string[] {
  const definition = define(
    [
      ['start', 'trigger', inputSchema ? { inputSchema } : {}],
      ['read', 'transform', { expression }],
      ['late', 'log', { message: 'Late' }],
    ],
    [
      ['start', 'read'],
      ['read', 'late'],
    ],
  );
  return checkDefinition(definition).faults.map(({ path, message, within, isWarning = false }) => {
    assert.equal(path.join('.'), 'nodes.1.config.expression');
    assert.ok(within);
    const marked = expression.slice(within.offset, within.offset + within.length);
    return `${isWarning ? 'warning' : 'error'} at ${marked}: ${message}`;
  });
}

describe('Checking what an expression reads', () => {
  it('refuses a node that does not exist', () => {
    assert.deepEqual(checkReading('nodes.prices.total'), [
      'error at prices: "expression" of node "read" reads node "prices", which doesn\'t exist',
    ]);
    assert.deepEqual(checkReading('nodes.start'), []);
  });

  it('warns of a node that runs later, and of the node itself', () => {
    assert.deepEqual(checkReading('nodes.late'), [
      'warning at late: "expression" of node "read" reads node "late", which can\'t have run before',
    ]);
    assert.match(checkReading('nodes.read')[0] ?? '', /^warning at read: /);
  });

  it('knows which nodes have run before in loops and branches', () => {
    const { faults } = checkDefinition(
      define(
        [
          ['start', 'trigger'],
          ['before', 'log', { message: '' }],
          ['all', 'forEach', { items: 'nodes.before', result: 'nodes.last' }],
          ['first', 'log', { message: '{{ nodes.before }} {{ nodes.all }}' }],
          ['last', 'log', { message: '{{ nodes.first }} {{ nodes.after }}' }],
          ['after', 'log', { message: '{{ nodes.all }} {{ nodes.last }}' }],
          ['beside', 'log', { message: '{{ nodes.before }}' }],
          ['end', 'output', { expression: 'nodes.after & nodes.beside' }],
        ],
        [
          ['start', 'before'],
          ['start', 'beside'],
          ['before', 'all'],
          ['all', 'first', 'each'],
          ['first', 'last'],
          ['all', 'after', 'done'],
          ['after', 'end'],
          ['beside', 'end'],
        ],
      ),
    );
    assert.deepEqual(
      faults.map(({ path, message }) => [path[1], /reads node "(\w+)"/.exec(message)?.[1]]),
      [
        ['3', 'all'],
        ['4', 'after'],
        ['5', 'last'],
      ],
    );
  });

  it('warns of names, functions and variables that nothing has', () => {
    for (const [expression, fault] of [
      [
        'inputs.total',
        'warning at inputs: "expression" of node "read" reads "inputs", which doesn\'t exist; did you mean "input"?',
      ],
      [
        '$states.x',
        'warning at $states: "expression" of node "read" uses "$states", which is neither a JSONata function nor a variable of this expression',
      ],
      [
        '$uuid()',
        'warning at $uuid: "expression" of node "read" uses "$uuid", which is neither a JSONata function nor a variable of this expression',
      ],
      [
        '$Sum(input.list)',
        'warning at $Sum: "expression" of node "read" uses "$Sum", which is neither a JSONata function nor a variable of this expression; did you mean "$sum"?',
      ],
      [
        'input.list ~> $partition(2)',
        'warning at $partition: "expression" of node "read" uses "$partition", which is neither a JSONata function nor a variable of this expression',
      ],
      [
        'item.total',
        'warning at item: "expression" of node "read" reads "item", which exists only inside a for-each',
      ],
      [
        'index',
        'warning at index: "expression" of node "read" reads "index", which exists only inside a for-each',
      ],
    ] as const)
      assert.deepEqual(checkReading(expression), [fault]);
  });

  it('reports nothing for variables that an expression binds, or for members of a value', () => {
    for (const expression of [
      '($sum := 1; $sum + input.a)',
      '($twice := function($x){ $x * 2 }; $twice(input.a))',
      'input.list@$l#$i[$l.a = $i]',
      '$map(input.list, function($item, $at) { $item & $at })',
      'input.list[total > 1].{ "name": name }',
      'input.list^(>total)',
      '$now() & $millis() & $string($$) & $string($)',
      '$',
      '*',
    ])
      assert.deepEqual(checkReading(expression), [], expression);
  });

  it('knows where the item of a loop is', () => {
    const { faults } = checkDefinition(
      define(
        [
          ['start', 'trigger'],
          ['all', 'forEach', { items: 'item.list', result: 'item & index' }],
          ['each', 'log', { message: '{{ item }} {{ index }} {{ itm }}' }],
          ['end', 'log', { message: '{{ item }}' }],
        ],
        [
          ['start', 'all'],
          ['all', 'each', 'each'],
          ['all', 'end', 'done'],
        ],
      ),
    );
    assert.deepEqual(
      faults.map(({ path, message }) => [
        path[1],
        /reads "(.*?)", which (.*)/.exec(message)?.slice(1).join(),
      ]),
      [
        ['1', 'item,exists only inside a for-each'],
        ['2', 'itm,doesn\'t exist; did you mean "item"?'],
        ['3', 'item,exists only inside a for-each'],
      ],
    );
  });

  for (const [message, marked, words] of [
    ['{{ input.total', '{{', 'has "{{" without "}}", so it stays text'],
    ['={{ $json.total }}', '=', 'begins with "=", which stays in the text'],
    ['Total: {% $states.input.total %}', '{% $states.input.total %}', 'has "{% … %}", which stays text'],
    ['<%= total %>', '<%= total %>', 'has "<% … %>", which stays text'],
  ] as const)
    it(`warns of marks that nothing reads: ${message}`, () => {
      const definition = define(
        [
          ['start', 'trigger'],
          ['say', 'log', { message }],
        ],
        [['start', 'say']],
      );
      const found = checkDefinition(definition).faults.find((fault) => fault.message.includes(words));
      assert.ok(found?.isWarning, JSON.stringify(found));
      const { offset = 0, length = 0 } = found.within ?? {};
      assert.equal(message.slice(offset, offset + length), marked);
    });

  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      address: { type: 'object', properties: { city: {} }, additionalProperties: false },
      items: { type: 'array', items: { properties: { price: {} } } },
      free: { additionalProperties: true, properties: { a: {} } },
      either: { anyOf: [{ properties: { a: {} } }], properties: {} },
    },
  };

  it('warns of members that the schema of the trigger does not know, or does not allow', () => {
    assert.deepEqual(checkReading('input.nmae', schema), [
      'warning at nmae: "expression" of node "read" reads "input.nmae", which isn\'t in the trigger\'s schema; did you mean "name"?',
    ]);
    assert.deepEqual(checkReading('input.address.street', schema), [
      'warning at street: "expression" of node "read" reads "input.address.street", which the trigger\'s schema doesn\'t allow',
    ]);
    assert.match(checkReading('input.items.prize', schema)[0] ?? '', /^warning at prize: /);
  });

  it('reports nothing for members that the schema knows or may allow', () => {
    const known = ['name.first', 'address.city', 'items.price.amount', 'free.b', 'either.b'];
    for (const member of known) assert.deepEqual(checkReading(`input.${member}`, schema), [], member);
    assert.deepEqual(checkReading('input.anything'), []);
    assert.deepEqual(checkReading('input.anything', { type: 'object' }), []);
  });

  it('lists errors before warnings, and only errors prevent deployment', () => {
    const definition = define(
      [
        ['start', 'trigger', { inputSchema: schema }],
        ['read', 'transform', { expression: 'input.nmae & nodes.prices' }],
      ],
      [['start', 'read']],
    );
    const warnings = (faults: readonly { readonly isWarning?: boolean }[]) =>
      faults.map(({ isWarning = false }) => isWarning);
    assert.deepEqual(warnings(checkDefinition(definition).faults), [false, true]);
    assert.deepEqual(warnings(findRefusals(definition).faults), [false]);
    assert.equal(findRefusals(definition).more, 0);
  });
});
