// A line of a log tells of a value without pouring all of it out.
import { isJsonArray, isJsonObject, parseJson } from '../../base/json.ts';

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
