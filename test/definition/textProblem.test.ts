import assert from 'node:assert/strict';
import { findTextProblem } from '../../src/definition/textProblem.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';

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
