// What the schemas of commands' arguments are made of, how they decode an argument, and how they say what they expect.
import * as v from 'valibot';
import { stringifyJson } from '../../base/json.ts';

/** A member that may be missing or null; both decode to undefined. */
export const optional = <T extends v.GenericSchema>(schema: T) =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  );
/** Like `optional`, but an empty text decodes to undefined as well. */
export const optionalText = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => (value === '' ? undefined : (value ?? undefined))),
);

/** Marks an optional member that code must still pass; a user is asked for it. */
export const asked = <T extends object>(schema: T) => ({ ...schema, isAsked: true as const });
/** Marks a member that error messages about the argument leave out. */
export const hidden = <T extends object>(schema: T) => ({ ...schema, isHidden: true as const });

/** Rejects the rows of a tree that are of another kind, since some have members with the same names. */
export const row = <T extends string>(kind: T) => hidden(v.nullish(v.literal(kind)));
/** Rejects every row: the button in a view's title passes the focused row. */
export const noRow = hidden(v.nullish(v.never()));

/** Where the argument comes from. Code must pass the members that a user would be asked for. */
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

/** Where the argument comes from, and the connection that it's about unless it says. */
export interface ArgumentContext {
  readonly caller: Caller;
  /** Throws when there is no connection. */
  readonly activeConnectionId: () => string;
}

/** Returns the decoded argument, or undefined when the value doesn't match the schema. */
export function decodeArgument<T extends v.GenericSchema>(
  schema: T,
  value: unknown,
  { caller, activeConnectionId }: ArgumentContext,
): v.InferOutput<T> | undefined {
  const { success, output } = v.safeParse(schema, value, { abortEarly: true });
  if (!success) return undefined;
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(output ?? {}));
  const isMissing = ([name, member]: readonly [string, v.GenericSchema]) =>
    isAsked(member) && members.get(name) === undefined;
  if (caller === 'code' && entriesOf(schema).some(isMissing)) return undefined;
  if (typeof output === 'object' && output !== null && members.get('connectionId') === '')
    Object.assign(output, { connectionId: activeConnectionId() });
  return output;
}

/** Describes the type of a member; empty for a text. */
function describeMember(schema: v.GenericSchema): string {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return describeMember(schema.wrapped);
  if (schema.type === 'string') return '';
  if (schema.type === 'custom') return '{…}';
  const options: readonly unknown[] =
    'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  if (schema.type === 'array') return '[…]';
  return options.length === 0
    ? schema.type
    : options
        .map((option) => (isSchema(option) ? describeMember(option) : stringifyJson(option)))
        .join(' | ');
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
