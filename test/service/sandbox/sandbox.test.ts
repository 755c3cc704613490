// Expressions come from others: none may hold the service, and texts are filled exactly.
import assert from 'node:assert/strict';
import { type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import type { Sandbox } from '../../../src/service/sandbox/sandbox.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { type ExpressionScope, ScopeValue } from '../../../src/definition/expressionScope.ts';

const { signal } = new AbortController();

function scopeOf(input: JsonValue, nodes: JsonObject = {}): ExpressionScope {
  return {
    input: new ScopeValue(JSON.stringify(input)),
    nodes: new Map(Object.entries(nodes).map(([id, value]) => [id, new ScopeValue(JSON.stringify(value))])),
    loop: null,
  };
}

const empty = scopeOf({});

describe('The sandbox', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = createSandbox();
  });
  after(() => sandbox.dispose());

  const evaluate = async (expression: string, scope = empty): Promise<JsonValue | undefined> =>
    parseJson((await sandbox.evaluate(expression, scope, signal)).text);

  it('gives JSON: nothing becomes null, lists stay lists', async () => {
    assert.equal(await evaluate('nothing'), null);
    const list = [{ n: 1 }, { n: 2 }, { n: 3 }];
    assert.deepEqual(await evaluate('input.list[n > 1]', scopeOf({ list })), [{ n: 2 }, { n: 3 }]);
  });

  it('shows nothing that its values inherit, and lets nothing be inherited', async () => {
    const scope = scopeOf({ a: { b: 1 }, list: [1] });
    for (const expression of [
      ...['input.constructor', 'input.__proto__', 'input.__defineGetter__', 'input.toString'],
      ...['input.list.constructor', 'input.a.constructor.constructor("return process")()'],
      ...['$string.constructor', '$map.apply', '(function($x) { $x }).constructor'],
      ...['$lookup(input, "constructor")', '$lookup(input, "__proto__")'],
      ...[
        '({ "__proto__": { "polluted": 1 } }).polluted',
        '$merge([{ "__proto__": { "polluted": 1 } }]).polluted',
      ],
      'input.polluted',
    ])
      assert.equal(await evaluate(expression, scope), null, expression);
    await assert.rejects(evaluate('$sum.constructor("return 1")', scope), /non-function/);
  });

  it('shows the input, the outputs, and the iteration of a loop', async () => {
    const scope = { ...scopeOf({ a: 1 }, { b: 2 }), loop: { item: new ScopeValue('"c"'), index: 3 } };
    assert.deepEqual(await evaluate('[input.a, nodes.b, item, index]', scope), [1, 2, 'c', 3]);
  });

  it('begins each time anew, although it knows the expression', async () => {
    const expression = '$seen := [$exists($seen), input.who, $map([1, 2], function($n) { $n + 1 })]';
    for (const who of ['Ada', 'Bob'])
      assert.deepEqual(await evaluate(expression, scopeOf({ who })), [false, who, 2, 3]);
    for (let times = 0; times < 2; times += 1) await assert.rejects(evaluate('$seen('), /failed: /);
  });

  it('describes what an expression gave', async () => {
    const described = async (expression: string): Promise<string> =>
      (await sandbox.evaluate(expression, empty, signal)).description;
    assert.equal(await described('[1, 2]'), '[1,2]');
    assert.equal(await described('[1..100]'), 'a list of 100');
    assert.equal(await described('{ "a": [1..100] }'), 'an object with a');
    assert.equal(await described(String.raw`$pad("", 100, "\n")`), 'a text of 100 characters');
    const digits = '1'.repeat(100);
    const { description } = await sandbox.evaluate(
      'input',
      { ...empty, input: new ScopeValue(digits) },
      signal,
    );
    assert.equal(description, 'a long number');
  });

  it('gives the items of a list, also of none and of one', async () => {
    assert.deepEqual(await sandbox.list('[1, "a", {}]', empty, signal), ['1', '"a"', '{}']);
    assert.deepEqual(await sandbox.list('nothing', empty, signal), []);
    assert.deepEqual(await sandbox.list('[5]', empty, signal), ['5']);
  });

  it('fills texts: alone as the value itself, within text as text', async () => {
    const scope = scopeOf({ n: 2, who: { name: 'Ada' } });
    const value = {
      a: '{{ input.n }}',
      b: ['n is {{input.n}}, {{ input.who }}'],
      c: 5,
      d: 'plain',
      e: ' {{ 1 }} ',
    };
    assert.deepEqual(await sandbox.render(value, scope, signal), {
      value: { a: 2, b: ['n is 2, {"name":"Ada"}'], c: 5, d: 'plain', e: 1 },
      empty: [],
      shown: null,
    });
    assert.equal(await sandbox.renderText('{{ input.who }}', scope, signal), '{"name":"Ada"}');
    assert.equal(await sandbox.renderText('Hi {{ "A" }}{{ }', scope, signal), 'Hi A{{ }');
  });

  it('reports which expressions of a template gave null or nothing', async () => {
    const scope = scopeOf({ nothing: null, empty: '' });
    const value = {
      a: { b: ['x', 'is {{ input.nothing }}'] },
      c: '{{ input.missing.more }}',
      d: '{{ input.empty }}',
    };
    assert.deepEqual(await sandbox.render(value, scope, signal), {
      value: { a: { b: ['x', 'is null'] }, c: null, d: '' },
      empty: [
        { path: ['a', 'b', '1'], isValue: false, expression: 'input.nothing' },
        { path: ['c'], isValue: true, expression: 'input.missing.more' },
      ],
      shown: null,
    });
    const many = Array.from({ length: 30 }, () => '{{ null }}');
    const { empty } = await sandbox.render({ many, last: '{{ null }}' }, scope, signal);
    assert.deepEqual([empty.length, empty.at(-1)?.path], [21, ['last']]);
    // Those that are left out of a query don't stand before one that fails it.
    const mixed = await sandbox.render({ all: [...many, 'is {{ null }}'] }, scope, signal);
    assert.deepEqual([mixed.empty.length, mixed.empty.at(-1)?.isValue], [21, false]);
  });
});
