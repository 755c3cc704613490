// Decodes the arguments of commands by their schemas, and describes what a schema expects.
import * as v from 'valibot';

/** Who passes the argument. Code must pass the members that a user would be asked for. */
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

/** Returns the decoded argument, or undefined when the value doesn't fit the schema. */
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

/** Describes the type of a member; empty for a text. */
function describeMember(schema: v.GenericSchema): string {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return describeMember(schema.wrapped);
  if (schema.type === 'string') return '';
  if (schema.type === 'custom') return '{…}';
  const options: readonly unknown[] =
    'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  return options.length === 0 ? schema.type : options.map((option) => JSON.stringify(option)).join(' | ');
}

/** Describes the argument that a command expects, for the error of a caller that got it wrong: `{workflowId, name?}`. */
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
