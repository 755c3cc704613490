// Each mistake in a definition stands in its own place of the text.
import assert from 'node:assert/strict';
import { checkText } from '../../src/definition/checkText.ts';
import { findTextProblem, placeFaults } from '../../src/definition/definitionProblem.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';

const start = { id: 'start', type: 'trigger' };
const greet = { id: 'greet', type: 'log', config: { message: 'Hello' } };
const toGreet = { source: 'start', target: 'greet' };

/** The text of each problem, and what is said of it. */
function problemsOf(definition: object | string): readonly (readonly [string, string])[] {
  const written = typeof definition === 'string' ? definition : JSON.stringify(definition, null, 2);
  const text = new DefinitionText(written);
  return placeFaults(text, checkText(written, 'local'), true).map(
    ({ offset, length, message }) => [written.slice(offset, offset + length), message] as const,
  );
}

describe('what is wrong with a definition stands', () => {
  for (const [where, definition, problems] of [
    [
      'at a branch, and in an expression behind an escape',
      {
        nodes: [start, greet, { id: 'x', type: 'log', config: { message: 'Hi\n{{ a b }}' } }],
        edges: [
          { ...toGreet, branch: 'left' },
          { source: 'greet', target: 'x' },
        ],
      },
      [
        ['"left"', "Edge 1 can't have a branch."],
        ['b', 'The expression in "message" of node "x" isn\'t valid: Syntax error: "b".'],
      ],
    ],
    [
      'at the ID that is used twice',
      { nodes: [start, greet, greet], edges: [toGreet] },
      [['"greet"', 'The ID "greet" is used by another node.']],
    ],
    [
      'at a node that is not reached',
      { nodes: [start, greet], edges: [] },
      [['"greet"', 'Node "greet" can\'t be reached from the trigger.']],
    ],
    ['where the text is no JSON', '{ "nodes": ', [['', 'Invalid JSON: a value is missing.']]],
  ] as const)
    it(where, () => assert.deepEqual(problemsOf(definition), problems));
});

describe('problems of a definition', () => {
  for (const [text, offset] of [
    ['{}', undefined],
    ['{"a": {"x": 1}, "b": {"x": 1}}', undefined],
    ['', 0],
    ['{"a": 1,}', 8],
    ['// no\n{}', 0],
    ['[]', 0],
    ['{"a": 1, "a": 2}', 9],
    ['{"a": [{"b": 1, "b": 2}]}', 16],
  ] as const) {
    it(`${JSON.stringify(text)} has ${offset === undefined ? 'none' : `one at ${offset}`}`, () =>
      assert.equal(findTextProblem(new DefinitionText(text))?.offset, offset));
  }

  it('are found in a text that is too deep to parse, and no node is found in it', () => {
    for (const [before, level] of [
      ['{"nodes": ', '['],
      ['{"nodes": // "\n', '['],
      ['{"nodes": ', '[},'],
      ['{"nodes": ', '{"a":'],
    ] as const) {
      const text = new DefinitionText(before + level.repeat(100_000));
      assert.equal(findTextProblem(text)?.offset, before.length + 209 * level.length, before + level);
      assert.deepEqual(text.nodes, []);
    }
  });
});
