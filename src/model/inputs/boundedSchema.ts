// Limits a schema from outside: its size for whoever checks with it, and its parts for an editor, in which nothing may loop, fetch or hang.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nearestNumber,
  withNearestNumbers,
} from '../../base/json.ts';

const maximumSchemas = 2000;
const maximumDepth = 30;
/** How often a definition may be nested in itself. */
const maximumNesting = 2;

type Form = (value: JsonValue) => boolean;

const isAny: Form = () => true;
const isText: Form = (value) => typeof value === 'string';
const isNumber: Form = (value) => nearestNumber(value) !== undefined;
const isTexts: Form = (value) => isJsonArray(value) && value.every(isText);

/**
 * Keywords that are copied as they are, where their values have the form that a check relies on. Not copied: patterns and uniqueItems, whose
 * checks may never end, and Markdown.
 */
const plainKeywords: Readonly<Record<string, Form>> = {
  type: (value) => isText(value) || isTexts(value),
  title: isText,
  description: isText,
  default: isAny,
  examples: isAny,
  enum: isJsonArray,
  const: isAny,
  required: isTexts,
  // The check of this format may never end.
  format: (value) => isText(value) && value !== 'url',
  deprecated: isAny,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minContains: isNumber,
  maxContains: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
};
/** Keywords whose values an editor offers. Others it compares with what it reads of a document, which are numbers of JavaScript's own. */
const offeredKeywords = new Set(['default', 'examples']);
/** Keywords that limit, too. Without them a copy allows more. */
const leftOut = [
  'pattern',
  'patternProperties',
  'uniqueItems',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
];
/** Keywords that refuse more where their schemas allow more. */
const reversed = new Set(['not', 'if', 'oneOf']);
/** Keywords that hold a schema, a list of schemas, or either. */
const nestedKeywords = {
  items: 'either',
  prefixItems: 'list',
  additionalItems: 'schema',
  contains: 'schema',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
} as const;

/** A schema with more objects and lists isn't looked at. */
const maximumParts = 20_000;

/** Returns the schema itself, or one that allows everything for one that is too large. */
export function boundSchema(root: JsonObject): JsonObject {
  const open: JsonValue[] = [root];
  // The list grows meanwhile.
  for (const part of open) {
    if (isJsonArray(part)) open.push(...part.filter(isNested));
    else if (isJsonObject(part)) open.push(...Object.values(part).filter(isNested));
    if (open.length > maximumParts) return {};
  }
  return root;
}

function isNested(value: JsonValue): boolean {
  return isJsonArray(value) || isJsonObject(value);
}

/**
 * Returns a copy from which an editor can offer: with at most 2,000 schemas, with references to its own definitions resolved. Schemas beyond
 * the limits allow everything.
 */
export function offeredSchema(root: JsonObject): JsonObject {
  let count = 0;
  /** How often a copy allows more than what it's a copy of. */
  let looser = 0;

  function copy(schema: JsonValue, depth: number, references: readonly string[]): JsonValue {
    count += 1;
    if (!isJsonObject(schema)) return schema !== false;
    if (count > maximumSchemas || depth > maximumDepth) {
      looser += 1;
      return {};
    }
    if (leftOut.some((keyword) => schema[keyword] !== undefined)) looser += 1;
    return { ...referred(schema, depth, references), ...own(schema, depth, references) };
  }

  function referred(schema: JsonObject, depth: number, references: readonly string[]): JsonObject {
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return {};
    const isNested = references.filter((earlier) => earlier === reference).length >= maximumNesting;
    const target = isNested ? undefined : resolve(root, reference);
    const copied = target === undefined ? {} : copy(target, depth + 1, [...references, reference]);
    if (target === undefined || !isJsonObject(copied)) looser += 1;
    return isJsonObject(copied) ? copied : {};
  }

  function own(schema: JsonObject, depth: number, references: readonly string[]): JsonObject {
    const kept: Record<string, JsonValue> = {};
    for (const [keyword, isUsable] of Object.entries(plainKeywords)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      if (!isUsable(value)) looser += 1;
      else kept[keyword] = offeredKeywords.has(keyword) ? value : withNearestNumbers(value);
    }
    for (const [keyword, form] of Object.entries(nestedKeywords)) {
      const value = schema[keyword];
      // What its patterns allow would be refused, as they aren't copied.
      if (keyword === 'additionalProperties' && schema['patternProperties'] !== undefined) continue;
      if (value === undefined || form === (isJsonArray(value) ? 'schema' : 'list')) continue;
      const before = looser;
      const copied = isJsonArray(value)
        ? value.map((item) => copy(item, depth + 1, references))
        : copy(value, depth + 1, references);
      if (looser === before || !reversed.has(keyword)) kept[keyword] = copied;
      // What may fit several now must fit one.
      else if (keyword === 'oneOf' && schema['anyOf'] === undefined) kept['anyOf'] = copied;
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
  for (const keyword of Object.keys(nestedKeywords)) {
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
  for (const part of decoded(reference.slice(2)).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** A reference is an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
