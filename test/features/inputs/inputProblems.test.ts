import assert from 'node:assert/strict';
import { findInputProblems } from '../../../src/features/inputs/inputProblems.ts';

describe('problems of an input', () => {
  for (const [text, count] of [
    ['{}', 0],
    ['{"a": [1, 2]}', 0],
    ['', 1],
    ['{', 1],
    ['{"a": 1,}', 1],
    ['// no\n{}', 1],
    ['[]', 1],
    ['"text"', 1],
    ['null', 1],
  ] as const) {
    it(`${JSON.stringify(text)} has ${count}`, () => assert.equal(findInputProblems(text).length, count));
  }
});
