// A problem stays at its text while other text is edited.
import assert from 'node:assert/strict';
import type { Problem } from '../../../../src/definition/definitionProblem.ts';
import { moveProblems, withoutThoseAt } from '../../../../src/features/definitions/checks/problem.ts';

const problem: Problem = { offset: 10, length: 4, message: 'Wrong.', isError: true };
const edit = (rangeOffset: number, rangeLength: number, text: string) => ({ rangeOffset, rangeLength, text });

describe('a problem of a definition', () => {
  for (const [what, changes, offset] of [
    ['moves with text before it', [edit(0, 2, 'abc')], 11],
    ['moves with text that is typed right before it', [edit(10, 0, 'ab')], 12],
    ['stays where text after it changes', [edit(14, 3, '')], 10],
    ['follows several edits', [edit(20, 1, ''), edit(2, 0, 'x'), edit(0, 1, '')], 10],
    ['goes when its text is edited', [edit(11, 1, '')], undefined],
    ['goes when text is typed into it', [edit(12, 0, 'x')], undefined],
    ['goes with the text around it', [edit(0, 40, '')], undefined],
  ] as const) {
    it(what, () => assert.equal(moveProblems([problem], changes)[0]?.offset, offset));
  }

  it('is not listed where another one is', () => {
    assert.deepEqual(withoutThoseAt([problem], [{ ...problem, message: 'Not right.' }]), []);
    assert.deepEqual(withoutThoseAt([problem], [{ ...problem, offset: 11 }]), [problem]);
  });
});
