// What is wrong with a definition's text, where it stands.
import type { TextCheck } from './checkText.ts';
import { type DefinitionFault, isErrorFor, toSentence } from './definitionFault.ts';
import type { DefinitionText } from './definitionText.ts';
import type { Range } from './range.ts';
import { findTextProblem } from './textProblem.ts';

export interface Problem extends Range {
  readonly message: string;
  readonly isError: boolean;
  /** What our check says of it, until the text is edited. */
  readonly fault?: DefinitionFault | undefined;
}

/** Places what a check of the text found. */
export function placeFaults(text: DefinitionText, check: TextCheck, isLocal: boolean): readonly Problem[] {
  if (check === null) {
    const problem = findTextProblem(text);
    return problem === undefined ? [] : [{ ...problem, isError: true }];
  }
  return check.faults.map((fault) => ({
    ...text.locateFault(fault),
    message: toSentence(fault.message),
    isError: isErrorFor(fault, isLocal),
    fault,
  }));
}
