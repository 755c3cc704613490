import { isJsonArray, isJsonObject, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';

const shownCharacters = 80;

/** Returns the expression in a form for messages. */
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

/** Returns the JSON itself when it's short, else a description of the value. */
export function describe(text: string): string {
  if (text.length <= maximumLength) return text;
  const value = parseJson(text);
  if (isJsonArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return `an object with ${nameMembers(Object.keys(value), maximumNames)}`;
  return `a text of ${text.length - 2} characters`;
}

/** Lists the first names; long names are truncated. */
export function nameMembers(names: readonly string[], maximum: number): string {
  return names
    .slice(0, maximum)
    .map((name) => (name.length <= maximumNameLength ? name : `${name.slice(0, maximumNameLength)}…`))
    .join(', ');
}
