// Values that authors made travel through the service as JSON text: nothing on its own thread reads or writes them as a whole.

/** JSON text that stands for its value in what is written. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What `writeJson` takes: JSON values, and texts of such. */
export type Writable = string | number | boolean | null | JsonText | readonly Writable[] | WritableObject;
export interface WritableObject {
  readonly [member: string]: Writable | undefined;
}

/** Writes a value as JSON; members that are undefined are left out. */
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
