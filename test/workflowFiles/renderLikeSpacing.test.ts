// What is written into somebody's text looks as if its author had written it, whatever was added or removed, and a large one takes no longer.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/base/json.ts';
import { renderLike } from '../../src/workflowFiles/renderLike.ts';
import { tries } from '../support/properties.ts';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : assert.fail(text);
}

describe('what is written into the text of an author', () => {
  for (const [words, text, value, expected] of [
    ['closes up where the first item was', '{"a": [1, 2, 3]}', { a: [2, 3] }, '{"a": [2, 3]}'],
    ['closes up where the last item was', '{"a": [1, 2, 3]}', { a: [1, 2] }, '{"a": [1, 2]}'],
    ['closes up where all were', '{"a": [ 1, 2 ]}', { a: [] }, '{"a": []}'],
    [
      'closes up where the first item was that has a key',
      '{"a": [{"id": 1}, {"id": 2}]}',
      { a: [{ id: 2 }] },
      '{"a": [{"id": 2}]}',
    ],
    [
      'keeps the items that have a key on lines of their own',
      lines('{', '  "a": [', '    {"id": 1},', '    {"id": 2}', '  ]', '}'),
      { a: [{ id: 2 }] },
      lines('{', '  "a": [', '    {"id": 2}', '  ]', '}'),
    ],
    [
      'keeps items on lines of their own',
      lines('{', '  "a": [', '    1,', '    2', '  ]', '}'),
      { a: [2, 3, 4] },
      lines('{', '  "a": [', '    2,', '    3,', '    4', '  ]', '}'),
    ],
    [
      'keeps an item on a line of its own beside one that is added',
      lines('{', '  "a": [', '    1', '  ]', '}'),
      { a: [1, 2] },
      lines('{', '  "a": [', '    1,', '    2', '  ]', '}'),
    ],
    [
      'moves the first item to another place',
      '{"a": [{"id": 1}, {"id": 2}]}',
      { a: [{ id: 2 }, { id: 1 }] },
      '{"a": [{"id": 2}, {"id": 1}]}',
    ],
    ['separates a second item', '{"a": [1]}', { a: [1, 2] }, '{"a": [1, 2]}'],
    ['separates a second item as closely as a name', '{"a":[1]}', { a: [1, 2] }, '{"a":[1,2]}'],
    [
      'separates a second item inside brackets that stand apart',
      '{ "a": [ 1 ] }',
      { a: [1, 2] },
      '{ "a": [ 1, 2 ] }',
    ],
    [
      'separates a second item with a key',
      '{"a": [{"id": 1}]}',
      { a: [{ id: 1 }, 2] },
      '{"a": [{"id": 1}, 2]}',
    ],
    ['adds like the last one', '{"a": [1,2,  3]}', { a: [1, 2, 3, 4] }, '{"a": [1,2,  3,  4]}'],
    ['names a second member like the first one', '{"a":1}', { a: 1, b: 2 }, '{"a":1,"b":2}'],
    ['names a second member apart', '{ "a" : 1 }', { a: 1, b: 2 }, '{ "a" : 1, "b" : 2 }'],
    ['closes up where the first member was', '{"a": 1, "b": 2}', { b: 2 }, '{"b": 2}'],
    ['keeps white space before commas', '{"a": [1 , 2 , 3]}', { a: [1, 2, 4] }, '{"a": [1 , 2 , 4]}'],
    [
      'has no comma of the author in the lines of a new value',
      lines('{ "a": 1', ', "b": 2', '}'),
      { a: 1, b: { c: 3 } },
      lines('{ "a": 1', ', "b": {', '  "c": 3', '}', '}'),
    ],
    ['keeps a schema', '{ "$schema": "./x.json", "a": 1 }', { a: 2 }, '{ "$schema": "./x.json", "a": 2 }'],
    ["prefers the service's schema", '{"$schema": "mine"}', { $schema: 'theirs' }, '{"$schema": "theirs"}'],
    ['keeps no schema further down', '{"a": {"$schema": 1, "b": 1}}', { a: { b: 2 } }, '{"a": {"b": 2}}'],
  ] as const)
    it(words, () => {
      assert.equal(renderLike(text, parseObject(JSON.stringify(value))), expected);
    });

  it('has the line ends of its author throughout', () => {
    const value = { a: [1, { b: [2] }], c: { d: 3 }, e: [{ f: {} }] };
    for (const text of [
      lines('{', '  "a": [', '    1', '  ],', '  "e": []', '}'),
      lines('{', '    "a": 5', '}'),
      lines('{}'),
    ]) {
      const expected = renderLike(text, value);
      for (const end of ['\r\n', '\r'])
        assert.equal(renderLike(text.replaceAll('\n', end), value), expected.replaceAll('\n', end));
    }
  });

  it('is the text where it says the same, and says what it is to say, in any format', () => {
    fc.assert(
      fc.property(objects, objects, fc.infiniteStream(fc.nat(99)), (own, value, numbers) => {
        const text = format(own, numbers);
        assert.equal(renderLike(text, parseObject(text)), text);
        const { $schema } = own;
        const kept = $schema === undefined || '$schema' in value ? value : { ...value, $schema };
        const written = renderLike(text, value);
        assert.ok(equalJson(parseJson(written), kept), `${text} → ${written}`);
      }),
      tries(700),
    );
  });

  it('takes no longer for each level, and for each item', () => {
    const nest = (inner: string): string => `${'{"x":'.repeat(190)}${inner}${'}'.repeat(190)}`;
    const listOf = (last: number): string => `[${[...Array(300_000).keys(), last].join(', ')}]`;
    const text = nest(listOf(-1));
    const value = parseObject(nest(listOf(-2)));
    const startedAt = performance.now();
    assert.equal(renderLike(text, value), text.replace('-1', '-2'));
    const took = performance.now() - startedAt;
    assert.ok(took < 5000, `took ${Math.round(took)} ms`);
  });
});

const names = fc.constantFrom('id', 'source', 'target', '$schema', 'a', 'b', '', '__proto__', '1');
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, 0, 1, 1.5, '', 'a', '\r\n"{', 'é,:'),
    fc.array(tie('value'), { maxLength: 4 }),
    membersOf(tie('value')),
  ),
}));
const objects = membersOf(values);

/** Unlike fc.dictionary, also with a member `__proto__`. */
function membersOf(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(names, value), { maxLength: 5 }).map((members) => Object.fromEntries(members));
}

const spaces = ['', '', ' ', '\n', '\r\n', '  ', '\n  ', '\r\n\t', '\r', ' \n '];

/** Writes JSON with white space at every place that may have it, and some names twice, as the numbers say. */
function format(value: JsonValue, numbers: Iterator<number>): string {
  const next = (): number => Number(numbers.next().value);
  const space = (): string => spaces[next() % spaces.length] ?? '';
  const enclose = ([open, close]: readonly [string, string], parts: readonly string[]): string =>
    `${open}${parts.map((part) => space() + part + space()).join(',') || space()}${close}`;
  const write = (part: JsonValue): string => {
    if (isJsonArray(part)) return enclose(['[', ']'], part.map(write));
    if (!isJsonObject(part)) return stringifyJson(part);
    const members = Object.entries(part).map(
      ([name, member]) => `${stringifyJson(name)}${space()}:${space()}${write(member)}`,
    );
    const first = Object.keys(part)[0];
    const twice = first !== undefined && next() % 5 === 0 ? [`${stringifyJson(first)}: "earlier"`] : [];
    return enclose(['{', '}'], [...twice, ...members]);
  };
  return space() + write(value) + space();
}
