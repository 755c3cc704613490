// Reads arguments of commands by their schemas, and says what a schema expects.
import * as v from 'valibot';

/** Whose argument it is: code has to hand over what people are asked for. */
export type Caller = 'person' | 'code';

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'type' in value && '~run' in value;
}

function entriesOf(schema: v.GenericSchema): readonly (readonly [string, v.GenericSchema])[] {
  const entries = 'entries' in schema ? Object.entries(schema.entries ?? {}) : [];
  return entries.flatMap(([name, member]: [string, unknown]) => (isSchema(member) ? [[name, member]] : []));
}

const isAsked = (member: v.GenericSchema): boolean => 'isAsked' in member;
const isHidden = (member: v.GenericSchema): boolean => 'isHidden' in member;

/** The decoded argument; undefined where the value doesn't fit the schema. */
export function decodeArgument<T extends v.GenericSchema>(
  schema: T,
  value: unknown,
  caller: Caller,
): v.InferOutput<T> | undefined {
  const { success, output } = v.safeParse(schema, value, { abortEarly: true });
  if (!success) return undefined;
  if (caller === 'person') return output;
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(output ?? {}));
  const isMissing = entriesOf(schema).some(
    ([name, member]) => isAsked(member) && members.get(name) === undefined,
  );
  return isMissing ? undefined : output;
}

/** What a member must be, where that is more than a text. */
function describeMember(schema: v.GenericSchema): string {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return describeMember(schema.wrapped);
  if (schema.type === 'string') return '';
  if (schema.type === 'custom') return '{…}';
  const options: readonly unknown[] =
    'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  return options.length === 0 ? schema.type : options.map((option) => JSON.stringify(option)).join(' | ');
}

/** What an argument must look like, for the error of a caller who got it wrong: `{workflowId, name?}`. */
export function describeArgument(schema: v.GenericSchema): string {
  if (schema.type === 'union' && 'options' in schema && Array.isArray(schema.options))
    return schema.options.filter(isSchema).map(describeArgument).join(' or ');
  const members = entriesOf(schema)
    .filter(([, member]) => !isHidden(member))
    .map(([name, member]) => {
      const mark = member.type === 'nullish' && !isAsked(member) ? '?' : '';
      const words = describeMember(member);
      return words === '' ? name + mark : `${name}${mark}: ${words}`;
    });
  return members.length === 0 ? 'nothing or {}' : `{${members.join(', ')}}`;
}
