// Where a problem of a definition's text goes when the text changes. Pure.
import type { Problem } from '../../../definition/definitionProblem.ts';

/** As the editor reports an edit, in UTF-16 units. */
interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** Returns the problems at their places after the edits, without those whose text was edited. */
export function moveProblems(problems: readonly Problem[], changes: readonly Change[]): readonly Problem[] {
  return problems.flatMap((problem) => {
    let { offset } = problem;
    for (const { rangeOffset, rangeLength, text } of changes) {
      if (rangeOffset >= offset + problem.length) continue;
      if (rangeOffset + rangeLength > offset) return [];
      offset += text.length - rangeLength;
    }
    return [{ ...problem, offset, fault: undefined }];
  });
}

/** Returns the problems that begin where none of the others do, so that a mistake found twice is listed once. */
export function withoutThoseAt(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const places = new Set(others.map(({ offset }) => offset));
  return problems.filter(({ offset }) => !places.has(offset));
}
