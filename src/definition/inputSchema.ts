// The schema of a trigger's input: which version of JSON Schema it has, and whether it can be used (contract section 10).
import {
  dereference,
  type Schema,
  schemaArrayKeyword,
  type SchemaDraft,
  schemaKeyword,
  schemaMapKeyword,
  validate,
} from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type FoundFault, nameNode } from './definitionFault.ts';
import type { Fault, Faults } from './faultList.ts';
import { readable, schemaFaults } from './faults.ts';
import type { ConfiguredNode } from './graph.ts';
import { nearestWords } from '../base/nearestWords.ts';

const standardDraft = '2020-12';
/** By the end of the address in `$schema`. */
const drafts: Readonly<Record<string, SchemaDraft>> = {
  'draft/2020-12/schema': '2020-12',
  'draft/2019-09/schema': '2019-09',
  'draft-07/schema': '7',
  // All of it is also in draft 7.
  'draft-06/schema': '7',
  'draft-04/schema': '4',
};

/** Returns undefined for an unknown version. */
function draftOf({ $schema }: JsonObject): SchemaDraft | undefined {
  if (typeof $schema !== 'string') return standardDraft;
  const [, place = ''] = /^https?:\/\/json-schema\.org\/(.*?)#?$/.exec($schema.trim()) ?? [];
  return Object.hasOwn(drafts, place) ? drafts[place] : undefined;
}

/** Checks inputs as the local service does, with its limits. */
export interface InputChecker {
  /** `input`: JSON. Rejects with an error for people if it can't be checked, or with the signal's reason. */
  checkInput(schema: JsonObject, input: string, signal: AbortSignal): Promise<Faults>;
}

/** Returns what is wrong with an input. Throws on a schema that can't be used. */
export function inputFaults(schema: JsonObject, input: JsonValue): Faults {
  const draft = draftOf(schema);
  return schemaFaults(usableFor(schema, draft), draft ?? standardDraft, input);
}

/** Returns a copy that the validator reads in the way the author means it. */
function usableFor(schema: JsonObject, draft: SchemaDraft | undefined): JsonObject {
  const own = readable(schema);
  const copy = structuredClone(isJsonObject(own) ? own : schema);
  return draft === '4' ? copy : mapSchemas(copy, (place) => withPlainAnchor(withoutBooleanBounds(place)));
}

/** OpenAPI 3.0 and draft 4 use a boolean for whether a bound is excluded; later versions have a bound of its own. */
function withoutBooleanBounds(schema: JsonObject): JsonObject {
  return excluded(excluded(schema, 'maximum', 'exclusiveMaximum'), 'minimum', 'exclusiveMinimum');
}

/** References lead to it as to any other anchor. */
function withPlainAnchor(schema: JsonObject): JsonObject {
  const { $dynamicAnchor, $anchor } = schema;
  return typeof $dynamicAnchor === 'string' && $anchor === undefined
    ? { ...schema, $anchor: $dynamicAnchor }
    : schema;
}

function excluded(schema: JsonObject, bound: string, exclusive: string): JsonObject {
  const isExcluded = schema[exclusive];
  if (typeof isExcluded !== 'boolean') return schema;
  const { [bound]: value, [exclusive]: _isExcluded, ...others } = schema;
  if (value === undefined) return others;
  return { ...others, [isExcluded ? exclusive : bound]: value };
}

/** How many schemas are checked. */
const maximumSchemas = 20_000;

/** A schema inside another one, and the path to it. */
type InnerSchema = readonly [path: readonly string[], schema: JsonObject];

/** Returns the direct subschemas of a schema. In draft 7, those of `dependencies` too. */
function innerOf(schema: JsonObject): readonly InnerSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly InnerSchema[] => {
    if (isJsonArray(value))
      return Object.hasOwn(schemaArrayKeyword, keyword)
        ? value.flatMap((item, index): readonly InnerSchema[] =>
            isJsonObject(item) ? [[[keyword, String(index)], item]] : [],
          )
        : [];
    if (!isJsonObject(value)) return [];
    if (Object.hasOwn(schemaKeyword, keyword)) return [[[keyword], value]];
    return Object.hasOwn(schemaMapKeyword, keyword) || keyword === 'dependencies'
      ? Object.entries(value).flatMap(([name, member]): readonly InnerSchema[] =>
          isJsonObject(member) ? [[[keyword, name], member]] : [],
        )
      : [];
  });
}

/** Changes the schema and all schemas inside it. */
function mapSchemas(schema: JsonObject, change: (place: JsonObject) => JsonObject): JsonObject {
  let changed: JsonObject = schema;
  for (const [path, inner] of innerOf(schema)) {
    const after = mapSchemas(inner, change);
    if (after !== inner) changed = withMember(changed, path, after);
  }
  return change(changed);
}

function withMember(
  schema: JsonObject,
  [keyword = '', name]: readonly string[],
  value: JsonObject,
): JsonObject {
  const held = schema[keyword] ?? null;
  if (name === undefined) return { ...schema, [keyword]: value };
  if (isJsonArray(held))
    return { ...schema, [keyword]: held.map((item, index) => (String(index) === name ? value : item)) };
  return isJsonObject(held) ? { ...schema, [keyword]: { ...held, [name]: value } } : schema;
}

export interface InputSchemaFault extends Fault {
  /** It can be used all the same. */
  readonly isWarning: boolean;
}

/** Returns why a schema can't be used, or isn't what it seems. The messages follow the places: "refers to …". */
export function checkInputSchema(schema: JsonObject): readonly InputSchemaFault[] {
  const found: InputSchemaFault[] = [];
  const add = (path: readonly string[], message: string, isWarning = false): void => {
    found.push({ path, message, isWarning });
  };
  const draft = draftOf(schema);
  if (draft === undefined)
    add(
      ['$schema'],
      l10n.t("names a version of JSON Schema that isn't supported; the schema is read as {0}", standardDraft),
      true,
    );
  const usable = usableFor(schema, draft);
  const known = lookUp(usable);
  if (known === undefined) add([], l10n.t('has a "$id" or "$ref" that isn\'t a valid address'));
  const defaults: InnerSchema[] = [];
  const all = [...allSchemas(usable)];
  const endless = findEndless(all, draft ?? standardDraft, known);
  if (endless !== undefined)
    add([...endless, '$ref'], l10n.t('leads in a circle, so no value can be checked against it'));
  for (const [path, inner] of all) {
    for (const [member, message] of unusable(inner, known)) add([...path, ...member], message);
    for (const keyword of uncheckedKeywords)
      if (inner[keyword] !== undefined)
        add([...path, keyword], l10n.t("isn't supported, so it's ignored"), true);
    if (inner['default'] !== undefined) defaults.push([path, inner]);
  }
  if (known === undefined || found.some(({ isWarning }) => !isWarning)) return found;
  // A default that its own schema refuses becomes an invalid input.
  for (const [path, inner] of defaults)
    if (!validate(inner['default'], inner, draft ?? standardDraft, known).valid)
      add([...path, 'default'], l10n.t("doesn't match its own schema"), true);
  return found;
}

/** Yields the schema and all schemas inside it, up to a limit. */
function* allSchemas(schema: JsonObject): Generator<InnerSchema> {
  const open: InnerSchema[] = [[[], schema]];
  for (let index = 0; index < Math.min(open.length, maximumSchemas); index += 1) {
    const next = open[index];
    if (next === undefined) return;
    yield next;
    const [path, inner] = next;
    for (const [way, each] of innerOf(inner)) open.push([[...path, ...way], each]);
  }
}

/** What is wrong with the schemas of triggers. */
export function checkInputSchemas(nodes: readonly ConfiguredNode[]): readonly FoundFault[] {
  return nodes.flatMap(({ id, type, config: { inputSchema } }, index) =>
    type === 'trigger' && inputSchema !== undefined && isJsonObject(inputSchema)
      ? checkInputSchema(inputSchema).map(({ path, message, isWarning }): FoundFault => ({
          path: ['nodes', String(index), 'config', 'inputSchema', ...path],
          message: `${nameNode(id)}: "${['inputSchema', ...path].join('.')}" ${message}`,
          rule: 'nodeType',
          isWarning,
        }))
      : [],
  );
}

/** Keywords that the validator doesn't support. */
const uncheckedKeywords = ['$dynamicRef', '$vocabulary'] as const;
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

type SchemasByAddress = Readonly<Record<string, Schema | boolean>>;

/** Returns the schemas by their addresses; undefined for a schema with addresses that the validator can't read. It notes them in the schema. */
function lookUp(schema: JsonObject): SchemasByAddress | undefined {
  try {
    return dereference(schema);
  } catch {
    return undefined;
  }
}

function* unusable(
  schema: JsonObject,
  known: SchemasByAddress | undefined,
): Generator<readonly [path: readonly string[], message: string]> {
  const { $ref, type, pattern, patternProperties = null } = schema;
  const address: unknown = Reflect.get(schema, '__absolute_ref__');
  if (known && typeof $ref === 'string' && typeof address === 'string' && known[address] === undefined)
    yield [['$ref'], l10n.t("refers to {0}, which isn't in the schema", show($ref))];
  for (const [path, name] of namesIn(type)) if (!types.includes(name)) yield [path, unknownType(name)];
  if (typeof pattern === 'string' && !isPattern(pattern)) yield [['pattern'], patternWords()];
  for (const name of isJsonObject(patternProperties) ? Object.keys(patternProperties) : [])
    if (!isPattern(name)) yield [['patternProperties', name], patternWords()];
}

/** Returns the path of the first reference behind which only references follow, in a circle; undefined if there's none. */
function findEndless(
  all: readonly InnerSchema[],
  draft: SchemaDraft,
  known: SchemasByAddress = {},
): readonly string[] | undefined {
  const unended = new Set(all.map(([, schema]) => schema));
  const users = new Map<JsonObject, JsonObject[]>();
  const missing = new Map<JsonObject, number>();
  for (const schema of unended) {
    const next = checkedAlong(schema, draft, known);
    missing.set(schema, next.length);
    for (const each of next) {
      unended.add(each);
      const others = users.get(each);
      if (others === undefined) users.set(each, [schema]);
      else others.push(schema);
    }
  }
  const ended = [...unended].filter((schema) => missing.get(schema) === 0);
  for (const schema of ended) {
    unended.delete(schema);
    for (const user of users.get(schema) ?? []) {
      const left = (missing.get(user) ?? 0) - 1;
      missing.set(user, left);
      if (left === 0) ended.push(user);
    }
  }
  return all.find(([, schema]) => schema['$ref'] !== undefined && unended.has(schema))?.[0];
}

/** The schemas that a value must be checked against to check it against this one. */
function checkedAlong(
  schema: JsonObject,
  draft: SchemaDraft,
  known: SchemasByAddress,
): readonly JsonObject[] {
  const address: unknown = Reflect.get(schema, '__absolute_ref__');
  const target: unknown = typeof address === 'string' ? known[address] : undefined;
  const referred = isJsonObject(target) ? [target] : [];
  // In these versions nothing beside a reference counts.
  if (schema['$ref'] !== undefined && (draft === '4' || draft === '7')) return referred;
  const { allOf = [], anyOf = [], oneOf = [], not = null, if: condition = null } = schema;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (isJsonArray(list) ? list : []));
  return [...referred, ...[...lists, not, condition].filter(isJsonObject)];
}

function namesIn(type: JsonValue | undefined): readonly (readonly [path: readonly string[], name: string])[] {
  if (typeof type === 'string') return [[['type'], type]];
  return type !== undefined && isJsonArray(type)
    ? type.flatMap((name, index) =>
        typeof name === 'string' ? [[['type', String(index)], name] as const] : [],
      )
    : [];
}

function unknownType(name: string): string {
  const [nearest] = nearestWords(name, types);
  return nearest === undefined
    ? l10n.t("is a type that doesn't exist ({0})", show(name))
    : l10n.t('is a type that doesn\'t exist ({0}); did you mean "{1}"?', show(name), nearest);
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

const patternWords = (): string => l10n.t("isn't a valid JavaScript regular expression");

function show(text: string): string {
  return `"${text}"`;
}
