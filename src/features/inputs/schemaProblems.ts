// What doesn't fit an input's schema, in the words of the local service.
import type { Node } from 'jsonc-parser';
import { toSentence } from '../../definition/definitionFault.ts';
import { type Fault, joinFaults } from '../../definition/faultList.ts';
import { locate } from '../../definition/places.ts';
import type { Range } from '../../definition/range.ts';
import { plainLine } from '../../base/format.ts';

export interface InputFault extends Range {
  readonly message: string;
}

/** root: of the text. */
export function schemaProblems(text: string, root: Node, faults: readonly Fault[]): readonly InputFault[] {
  return faults.map((fault) => {
    const { offset, length } = locate(text, root, fault.path);
    return { offset, length, message: schemaProblemWords(fault) };
  });
}

export function schemaProblemWords(fault: Fault): string {
  const words = joinFaults({ faults: [fault], more: 0 });
  return plainLine(fault.path.length === 0 ? toSentence(words) : words);
}
