import assert from 'node:assert/strict';
import { findInputProblem } from '../../../src/features/inputs/inputProblems.ts';

describe('the problem of an input', () => {
  for (const text of ['{}', '{"a": [1, 2]}'])
    it(`${JSON.stringify(text)} has none`, () => assert.equal(findInputProblem(text), undefined));
  for (const text of ['', '{', '{"a": 1,}', '// no\n{}', '[]', '"text"', 'null'])
    it(`${JSON.stringify(text)} has one`, () => assert.ok(findInputProblem(text)));
});
