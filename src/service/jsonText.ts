// Authors' values pass through the service as JSON text, so that its own thread never parses or serializes a whole value.
import { type ExactNumber, isExactNumber, stringifyJson } from '../base/json.ts';

/** JSON text that `writeJson` inserts as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value that may contain JSON texts. */
export type Writable =
  string | number | boolean | null | ExactNumber | JsonText | readonly Writable[] | WritableObject;
export interface WritableObject {
  readonly [member: string]: Writable | undefined;
}

/** Serializes a value as JSON; undefined members are omitted. */
export function writeJson(value: Writable): string {
  if (value instanceof JsonText) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return stringifyJson(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${stringifyJson(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
