// The texts and numbers of JSON text, each with its path. Numbers keep their digits, and no depth takes stack.
import type { FieldPath } from './fieldPath.ts';
import { parseJson } from './json.ts';
import { endOfNumber, endOfString } from './jsonScan.ts';

/**
 * Calls `visit` with each text and number that isn't the name of a member, until it returns true: a text decoded, a number as it's written, and
 * where it stands in the JSON text, with its quotation marks.
 * Text that isn't JSON has the values that look like some.
 */
export function visitValues(
  json: string,
  visit: (value: string, readPath: () => FieldPath, start: number, end: number) => boolean,
): void {
  // Of each enclosing list the index of the item, of each object ~ the place of the member's name.
  const steps: number[] = [];
  const readPath = (): FieldPath =>
    steps.map((step) => (step >= 0 ? step : readString(json, ~step, endOfString(json, ~step))));
  let isName = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index] ?? '';
    if (character === '"') {
      const end = endOfString(json, index);
      if (isName) steps[steps.length - 1] = ~index;
      else if (visit(readString(json, index, end), readPath, index, end + 1)) return;
      isName = false;
      index = end;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = endOfNumber(json, index);
      if (visit(json.slice(index, end), readPath, index, end)) return;
      index = end - 1;
    } else if (character === '{' || character === '[') {
      isName = character === '{';
      steps.push(isName ? ~index : 0);
    } else if (character === '}' || character === ']') {
      steps.pop();
    } else if (character === ',') {
      const step = steps.pop();
      if (step === undefined) continue;
      isName = step < 0;
      steps.push(isName ? step : step + 1);
    }
  }
}

/** Returns the string between the quotes at `start` and `end`. */
function readString(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  const value = parseJson(`"${raw}"`);
  return typeof value === 'string' ? value : raw;
}
