import { isJsonArray, isJsonObject, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';

const shownCharacters = 80;

/** The expression as it is named in a sentence. */
export function nameExpression(expression: string): string {
  const shown = expression.length > shownCharacters ? `${expression.slice(0, shownCharacters)}…` : expression;
  return `The expression "${shown}"`;
}

export function inputNotChecked(reason: string): NodeError {
  return new NodeError('input_schema_failed', `The input could not be checked: ${reason}`);
}

const maximumLength = 80;
const maximumNames = 8;
const maximumNameLength = 40;

/** JSON itself when it is short, else what it is. */
export function describe(text: string): string {
  if (text.length <= maximumLength) return text;
  const value = parseJson(text);
  if (isJsonArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return `an object with ${nameMembers(Object.keys(value), maximumNames)}`;
  return `a text of ${text.length - 2} characters`;
}

/** The first names; long ones are cut. */
export function nameMembers(names: readonly string[], maximum: number): string {
  return names
    .slice(0, maximum)
    .map((name) => (name.length <= maximumNameLength ? name : `${name.slice(0, maximumNameLength)}…`))
    .join(', ');
}
