import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../../../src/base/json.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { findOffers } from '../../../../src/features/definitions/completion/offers.ts';
import { labels, offersIn, take } from './offering.ts';
import { shownValues, order, withCode } from './order.ts';

describe('completion in an edge', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'offers as its target nodes without an edge first, not itself and not the trigger',
      '{ "source": "say", "target": "¦" }',
      ['call', 'large', 'end', 'each', 'price'],
    ],
    [
      'offers as its source nodes that lead nowhere first',
      '{ "source": "¦", "target": "call" }',
      ['say', 'end', 'start', 'each', 'price', 'large'],
    ],
    [
      'offers ids before a quotation mark is typed',
      '{ "source": "large", "target": ¦ }',
      ['call', 'price', 'say', 'end', 'each'],
    ],
    [
      'offers both branches of a for-each',
      '{ "source": "each", "target": "call", "branch": "¦" }',
      ['error', 'each', 'done'],
    ],
    [
      'offers the branches of a condition, what is taken already last',
      '{ "source": "large", "target": "call", "branch": "¦" }',
      ['false', 'error', 'true'],
    ],
    [
      'offers the error branch of a node that can fail',
      '{ "source": "say", "target": "call", "branch": "¦" }',
      ['error'],
    ],
    ['offers no branch of an output', '{ "source": "end", "target": "call", "branch": "¦" }', []],
    ['offers no name of a member', '{ "source": "say", "¦" }', []],
    ['offers nothing in a member that is not known', '{ "source": "say", "target": "call", "id": "¦" }', []],
    ['offers nothing after the closing quotation mark', '{ "source": "say"¦ }', []],
  ];
  for (const [what, edge, expected] of rows)
    it(what, () => {
      const found = labels(order({ edge }));
      assert.deepEqual(found, expected);
    });

  it('knows the texts that a condition gives', () => {
    const text = order({
      edge: '{ "source": "large", "target": "call", "branch": "¦" }',
      configs: {
        large: JSON.stringify({ expression: "input.a > 5 ? 'big' : (input.b['x'] ? 'middle' : 'small')" }),
      },
    });
    assert.deepEqual(labels(text), ['big', 'middle', 'small', 'false', 'error', 'true']);
  });

  it('says the name, the type and what it is for', () => {
    const offer = offersIn(order({ edge: '{ "source": "say", "target": "¦" }' })).find(
      ({ label }) => label === 'call',
    );
    assert.equal(offer?.description, 'Call · httpRequest');
  });

  for (const [what, edge, expected] of [
    [
      'over what stands there',
      '{ "source": "say", "target": "pr¦xyz" }',
      '{ "source": "say", "target": "call" }',
    ],
    [
      'with quotation marks where there are none',
      '{ "source": "say", "target": ¦ }',
      '{ "source": "say", "target": "call" }',
    ],
    [
      'over a word without quotation marks',
      '{ "source": "say", "target": ca¦l }',
      '{ "source": "say", "target": "call" }',
    ],
  ] as const)
    it(`writes an id ${what}`, () => assert.ok(take(order({ edge }), 'call').includes(expected)));

  it('writes an id as JSON', () => {
    const text = '{ "nodes": [ { "id": "a\\"b\\\\", "type": "log" } ], "edges": [ { "target": "¦" } ] }';
    assert.deepEqual(parseJson(take(text, 'a"b\\')), {
      nodes: [{ id: 'a"b\\', type: 'log' }],
      edges: [{ target: 'a"b\\' }],
    });
  });

  for (const [what, edge] of [
    ['breaks off in the string', '{ "source": "say", "target": "¦'],
    ['breaks off after the string', '{ "source": "say", "target": "¦"'],
    ['lacks a comma', '{ "source": "say" "target": "¦" }'],
    ['has a comment', '{ /* new */ "source": "say", "target": "¦" }'],
  ] as const)
    it(`works while the text ${what}`, () => assert.equal(labels(order({ edge }))[0], 'call'));

  it('works with an edge that lies before others and is not closed', () => {
    const text = order({}).replace('"edges": [', '"edges": [\n{ "source": "say", "target": "¦\n');
    assert.ok(labels(text).includes('call'));
  });

  it('offers nothing in a text that is too deep, and none in an empty one', () => {
    assert.deepEqual(labels(`{ "edges": ${'['.repeat(1000)} "¦"`), []);
    assert.deepEqual(labels('¦'), []);
  });
});

describe('completion in a template', () => {
  const message = (text: string) => order({ configs: { say: JSON.stringify({ message: text }) } });
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['offers braces in its text', 'Hello ¦', ['{{ … }}']],
    ['offers names within braces', 'Hello {{ ¦ }} and', ['input', 'nodes', 'item', 'index']],
    ['offers names within braces that are not closed', 'Hello {{ nodes.¦', ['start', 'price', 'call']],
    ['offers names in the second braces', '{{ input.a }} {{ item.¦ }}', ['product', 'price']],
    ['offers braces after them', '{{ input.a }} ¦', ['{{ … }}']],
  ];
  for (const [what, text, expected] of rows)
    it(what, () => assert.deepEqual(labels(message(text)), expected));

  it('offers names in nested texts too', () => {
    const config = '{ "url": "x", "body": { "a": [ "{{ nodes.each.¦ }}" ] } }';
    assert.deepEqual(labels(order({ configs: { call: config } })), ['product', 'total']);
  });

  it('offers names and secrets in a query, also in its lists', () => {
    const secrets = new Map([
      ['TOKEN', { name: 'TOKEN', updatedAt: new Date(), origins: [], isUnreadable: false }],
    ]);
    const query = (text: string) => order({ configs: { call: `{ "url": "x", "query": ${text} }` } });
    assert.deepEqual(labels(query('{ "q": "{{ nodes.each.¦ }}" }')), ['product', 'total']);
    assert.deepEqual(labels(query('{ "q": [ 1, "¦" ] }')), ['{{ … }}']);
    assert.deepEqual(labels(query('{ "q": [ "{{ secrets.¦ }}" ] }'), { ...shownValues, secrets }), ['TOKEN']);
  });

  it('takes in the brace that was typed', () =>
    assert.ok(take(message('Hello {¦'), '{{ … }}').includes('"Hello {{  }}"')));

  for (const [what, text, trigger, expected] of [
    ['a full stop in a text', 'Hello.¦', '.', 0],
    ['the quotation mark that begins a text', '¦', '"', 0],
    ['the first brace', '{¦', '{', 1],
  ] as const)
    it(`is asked by ${what}: ${expected}`, () =>
      assert.equal(offersIn(message(text), shownValues, trigger).length, expected));

  it('is asked by the second brace, and not by that of an object', () => {
    assert.ok(offersIn(message('{{¦'), shownValues, '{').length > 60);
    assert.deepEqual(offersIn(withCode('end', '{¦'), shownValues, '{'), []);
  });

  it('offers no braces where a text is no template', () => {
    assert.deepEqual(labels(order({ configs: { call: '{ "method": "¦" }' } })), []);
    assert.deepEqual(labels(order({ configs: { start: '{ "note": "¦" }' } })), []);
  });
});

describe('completion at any place of a sample', () => {
  const sample = new URL('../../../../media/samples/signup-check.json', import.meta.url);

  it('replaces text around the cursor on its line, also where the text breaks off there', () => {
    const whole = readFileSync(sample, 'utf8');
    let count = 0;
    for (let offset = 0; offset <= whole.length; offset += 1)
      for (const text of [whole, whole.slice(0, offset)])
        for (const { span } of findOffers(new DefinitionText(text), offset, shownValues)) {
          count += 1;
          assert.ok(span.start <= offset && offset <= span.end, `${offset}: ${span.start} to ${span.end}`);
          assert.ok(!text.slice(span.start, span.end).includes('\n'));
        }
    assert.ok(count > 1000);
  });
});
