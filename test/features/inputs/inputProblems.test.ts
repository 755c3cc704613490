import assert from 'node:assert/strict';
import { findInputProblem } from '../../../src/features/inputs/inputProblems.ts';

describe('the problem of an input', () => {
  for (const text of ['{}', '{"a": [1, 2]}'])
    it(`${JSON.stringify(text)} has none`, () => assert.equal(findInputProblem(text), undefined));
  for (const text of ['', '{', '{"a": 1,}', '// no\n{}', '[]', '"text"', 'null'])
    it(`${JSON.stringify(text)} has one`, () => assert.ok(findInputProblem(text)));
  it('is where it becomes deeper than what can be sent, however deep it is', () => {
    for (const depth of [300, 100_000]) {
      const problem = findInputProblem(`{"a": ${'['.repeat(depth)}${']'.repeat(depth)}}`);
      assert.equal(problem?.offset, 6 + 209);
      assert.match(problem.message, /more than 200 levels deep/);
    }
  });
});
