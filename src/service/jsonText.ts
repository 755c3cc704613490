// Authors' values pass through the service as JSON text, so that its own thread never parses or serializes a whole value.

/** JSON text that `writeJson` inserts as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value that may contain JSON texts. */
export type Writable = string | number | boolean | null | JsonText | readonly Writable[] | WritableObject;
export interface WritableObject {
  readonly [member: string]: Writable | undefined;
}

/** Serializes a value as JSON; undefined members are omitted. */
export function writeJson(value: Writable): string {
  if (value instanceof JsonText) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
