// A problem of a definition's text, and where it goes when the text changes. Pure.
import type { DefinitionFault } from '../../../definition/definitionFault.ts';
import type { Range } from '../../../definition/range.ts';

export interface Problem extends Range {
  readonly message: string;
  readonly isError: boolean;
  /** What our check says of it, until the text is edited. */
  readonly fault?: DefinitionFault | undefined;
}

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
