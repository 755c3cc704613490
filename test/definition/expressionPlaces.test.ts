import assert from 'node:assert/strict';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { secretsRead } from '../../src/definition/expressionPlaces.ts';

const definitionOf = (type: string, config: string): string =>
  `{ "nodes": [ { "id": "a", "type": "${type}", "config": ${config} } ] }`;

const nodesIn = (text: string) => [...new DefinitionText(text).byId.values()];

/** The expressions, each with what stands in the text there. */
const found = (text: string): readonly (readonly [string, string, string])[] =>
  nodesIn(text).flatMap(({ expressions }) =>
    expressions.map(({ path, expression, start, end }) => [
      path.join('.'),
      expression,
      text.slice(start, end),
    ]),
  );

describe('the expressions of a definition', () => {
  for (const [what, type, config, expected] of [
    ['an expression', 'transform', '{ "expression": "input.a" }', [['expression', 'input.a', '"input.a"']]],
    [
      'those of a loop',
      'forEach',
      '{ "items": "input.a", "result": "item", "other": "{{ 1 }}" }',
      [
        ['items', 'input.a', '"input.a"'],
        ['result', 'item', '"item"'],
      ],
    ],
    [
      'the parts of a text, with their marks',
      'log',
      '{ "message": "Hello {{ input.name }}, {{1}}" }',
      [
        ['message', ' input.name ', '{{ input.name }}'],
        ['message', '1', '{{1}}'],
      ],
    ],
    [
      'escapes, where they stand in the text',
      'log',
      '{ "message": "\\u0041\\"{{ \\"b\\" }}" }',
      [['message', ' "b" ', '{{ \\"b\\" }}']],
    ],
    [
      'texts within lists and objects',
      'httpRequest',
      '{ "url": "x", "body": { "list": [1, "{{ 1 }}", { "a.b": "{{ 2 }}" }] }, "expression": "{{ 3 }}" }',
      [
        ['body.list.1', ' 1 ', '{{ 1 }}'],
        ['body.list.2.a.b', ' 2 ', '{{ 2 }}'],
        ['expression', ' 3 ', '{{ 3 }}'],
      ],
    ],
    [
      'only what the service evaluates',
      'portalEvent',
      '{ "type": "{{ 1 }}", "data": { "a": "{{ 2 }}" } }',
      [['data.a', ' 2 ', '{{ 2 }}']],
    ],
    ['none that is not closed', 'log', '{ "message": "{{ 1 }} {{ 2" }', [['message', ' 1 ', '{{ 1 }}']]],
    ['none that is empty', 'transform', '{ "expression": " " }', []],
    ['none that is no text', 'transform', '{ "expression": 5 }', []],
    ['none of a trigger', 'trigger', '{ "expression": "1", "message": "{{ 1 }}" }', []],
    ['none of a type that is not known', 'teleport', '{ "expression": "1" }', []],
    ['none in a very long text', 'log', `{ "message": "{{ 1 }}${'x'.repeat(20_000)}" }`, []],
  ] as const)
    it(`are ${what}`, () => assert.deepEqual(found(definitionOf(type, config)), expected));

  it('are found while the text is unfinished', () => {
    const text = '{ "nodes": [ { "id": "a", "type": "transform", "config": { "expression": "input"';
    assert.deepEqual(found(text), [['expression', 'input', '"input"']]);
  });

  it('belong to the first node with an id', () => {
    const node = '{ "id": "a", "type": "log", "config": { "message": "{{ 1 }}" } }';
    const text = `{ "nodes": [ ${node}, ${node}, ${node.replace('"id": "a", ', '')} ] }`;
    assert.deepEqual(
      nodesIn(text).map((each) => [each.id, each.text, each.expressions.length]),
      [['a', node, 1]],
    );
  });
});

describe('the secrets that an expression reads', () => {
  for (const [expression, names] of [
    ['"Bearer " & secrets.api', ['api']],
    ['$$.secrets.api & $.secrets . other', ['api', 'other']],
    ['secrets.`api` & `secrets`.other & secrets."third"', ['api', 'other', 'third']],
    ['secrets.ap', ['ap']],
    ['input.secrets.api & "secrets.api" & my_secrets.api', []],
  ] as const)
    it(`are found however they are written: ${expression}`, () =>
      assert.deepEqual(secretsRead(expression), names));
});
