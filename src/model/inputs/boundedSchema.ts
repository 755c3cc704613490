// Limits a schema from outside to parts that can't loop, fetch or hang, so that an editor can use it.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  withNearestNumbers,
} from '../../base/json.ts';

const maximumSchemas = 2000;
const maximumDepth = 30;
/** How often a definition may be nested in itself. */
const maximumNesting = 2;

/** Keywords that are copied as they are. Not copied: patterns and uniqueItems, whose checks may never end, and Markdown. */
const plainKeywords = [
  'type',
  'title',
  'description',
  'default',
  'examples',
  'enum',
  'const',
  'required',
  'format',
  'deprecated',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
];
/** Keywords whose values an editor offers. Others it compares with what it reads of a document, which are numbers of JavaScript's own. */
const offeredKeywords = new Set(['default', 'examples']);
/** Keywords that hold a schema or a list of schemas. */
const nestedKeywords = [
  'items',
  'prefixItems',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];

/** Returns a copy with at most 2,000 schemas, with references to its own definitions resolved. Schemas beyond the limits allow everything. */
export function boundSchema(root: JsonObject): JsonObject {
  let count = 0;

  function copy(schema: JsonValue, depth: number, references: readonly string[]): JsonValue {
    count += 1;
    if (!isJsonObject(schema)) return schema !== false;
    if (count > maximumSchemas || depth > maximumDepth) return {};
    return { ...referred(schema, depth, references), ...own(schema, depth, references) };
  }

  function referred(schema: JsonObject, depth: number, references: readonly string[]): JsonObject {
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return {};
    if (references.filter((earlier) => earlier === reference).length >= maximumNesting) return {};
    const target = resolve(root, reference);
    const copied = target === undefined ? {} : copy(target, depth + 1, [...references, reference]);
    return isJsonObject(copied) ? copied : {};
  }

  function own(schema: JsonObject, depth: number, references: readonly string[]): JsonObject {
    const kept: Record<string, JsonValue> = {};
    for (const keyword of plainKeywords) {
      const value = schema[keyword];
      if (value !== undefined)
        kept[keyword] = offeredKeywords.has(keyword) ? value : withNearestNumbers(value);
    }
    for (const keyword of nestedKeywords) {
      const value = schema[keyword];
      if (value === undefined) continue;
      kept[keyword] = isJsonArray(value)
        ? value.map((item) => copy(item, depth + 1, references))
        : copy(value, depth + 1, references);
    }
    const { properties } = schema;
    if (isJsonObject(properties)) {
      kept['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, copy(value, depth + 1, references)]),
      );
    }
    return kept;
  }

  const bounded = copy(root, 0, []);
  return isJsonObject(bounded) ? bounded : {};
}

/** Keywords whose schemas are all tried on the same value. */
const alternativeKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'contains']);
/** How many names or values can be compared in the time of one check. */
const entriesPerCheck = 50;

/** Returns the number of checks that one value of a document may cost at worst: alternatives, nested alternatives, and long lists. */
export function checksPerValue(schema: JsonValue, isAlternative = false): number {
  if (!isJsonObject(schema)) return 0;
  let checks = isAlternative ? 1 : 0;
  for (const keyword of ['enum', 'required']) {
    const entries = schema[keyword];
    if (entries !== undefined && isJsonArray(entries)) checks += Math.floor(entries.length / entriesPerCheck);
  }
  for (const keyword of nestedKeywords) {
    const value = schema[keyword] ?? [];
    for (const item of isJsonArray(value) ? value : [value])
      checks += checksPerValue(item, isAlternative || alternativeKeywords.has(keyword));
  }
  const { properties } = schema;
  for (const member of isJsonObject(properties) ? Object.values(properties) : [])
    checks += checksPerValue(member, isAlternative);
  return checks;
}

/** Returns the target of a reference "#/…" in the same schema; undefined for any other reference. */
function resolve(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
