// Finds what is wrong with a value by a JSON Schema. The validator lists what each keyword finds; here it becomes what a person reads. In
// the service, this runs in a worker.
import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  stringifyJson,
  valueAt,
  withNearestNumbers,
  withWellFormedTexts,
} from '../base/json.ts';
import { type Fault, type Faults, firstFaults } from './faultList.ts';
import { nearestFaults, type SchemaFault } from './nearestAlternative.ts';
import { keywordWords, nameWords, unfitWords, wantedBy } from './schemaWords.ts';

/** Keywords that report what a nested schema finds; its faults follow theirs. */
const outer = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'dependencies',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
]);
/** While one of these has faults, it isn't known which members and items the rest of the schema applies to. */
const deciding = new Set(['$ref', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas']);

/** Where the validator keeps what a reference leads to. */
const addresses: Readonly<Record<string, string | undefined>> = {
  $ref: '__absolute_ref__',
  $recursiveRef: '__absolute_recursive_ref__',
};

/** The validator knows JavaScript's own numbers only, and makes addresses of names, in which no lone surrogate can be. */
export function readable(value: JsonValue): JsonValue {
  return withWellFormedTexts(withNearestNumbers(value));
}

/** Checks a value against a schema. Throws on an unusable schema. */
export function schemaFaults(schema: JsonObject, draft: SchemaDraft, given: JsonValue): Faults {
  const value = readable(given);
  const usable = readable(schema);
  const own = { ...(isJsonObject(usable) ? usable : schema) };
  const lookup = dereference(own);
  const check = (stopsAtFirst: boolean) =>
    report(validate(value, own, draft, lookup, stopsAtFirst).errors, new FaultDescriber(own, lookup, value));
  try {
    return check(false);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The validator passes all faults as the arguments of one call, which fails when there are too many; the second run stops at the first.
    return { ...check(true), more: null };
  }
}

/** Returns the distinct faults. */
function report(errors: readonly OutputUnit[], describer: FaultDescriber): Faults {
  const described = describer.describe(toTree(errors));
  const distinct = new Map<string, Fault>();
  for (const { path, message } of described) {
    const key = `${keyOf(path)} ${message}`;
    if (!distinct.has(key)) distinct.set(key, { path, message });
  }
  if (errors.length > 0 && distinct.size === 0) distinct.set('', { path: [], message: unfitWords() });
  return firstFaults([...distinct.values()]);
}

/** What a keyword found, with what is found inside. */
interface KeywordFinding {
  readonly keyword: string;
  /** Where the keyword is in the schema. */
  readonly location: string;
  /** Where the value is: a JSON pointer after `#`. */
  readonly pointer: string;
  readonly sentence: string;
  readonly inner: KeywordFinding[];
}

/** The validator's list has each outer keyword before what is found inside. */
function toTree(errors: readonly OutputUnit[]): readonly KeywordFinding[] {
  const top: KeywordFinding[] = [];
  const open: KeywordFinding[] = [];
  for (const { keyword, keywordLocation, instanceLocation, error } of errors) {
    const found: KeywordFinding = {
      keyword,
      location: keywordLocation,
      pointer: instanceLocation,
      sentence: error,
      inner: [],
    };
    // The schema `false` comes without its location, right after the keyword that contains it.
    while (keyword !== 'false' && open.length > 0 && !holds(open.at(-1), keywordLocation)) open.pop();
    (open.at(-1)?.inner ?? top).push(found);
    if (outer.has(keyword)) open.push(found);
  }
  return top;
}

function holds(found: KeywordFinding | undefined, location: string): boolean {
  if (found === undefined) return false;
  if (found.keyword !== 'if') return location.startsWith(`${found.location}/`);
  const schema = found.location.slice(0, -'if'.length);
  return location.startsWith(`${schema}then/`) || location.startsWith(`${schema}else/`);
}

type SchemaLookup = Readonly<Record<string, Schema | boolean>>;

class FaultDescriber {
  readonly #schema: JsonObject;
  readonly #lookup: SchemaLookup;
  readonly #value: JsonValue;
  readonly #isOfNames: boolean;
  /** What `#ownerOf` found, by location: the items of a list share it. */
  readonly #owners = new Map<string, JsonValue>();

  /** lookup: the schemas by their addresses. isOfNames: the fault is in the last name of a path, not in the value there. */
  constructor(schema: JsonObject, lookup: SchemaLookup, value: JsonValue, isOfNames = false) {
    this.#schema = schema;
    this.#lookup = lookup;
    this.#value = value;
    this.#isOfNames = isOfNames;
  }

  /** all: what one schema finds in one value. */
  describe(all: readonly KeywordFinding[]): readonly SchemaFault[] {
    const counted = all.filter(({ keyword }) => keyword === 'minContains').map(countedBy);
    const distinct = all
      .filter((found, index) => isNew(found, all[index - 1]))
      .filter(({ location }) => !counted.some((each) => location.startsWith(each)));
    const others = distinct
      .filter((found) => !isUnevaluated(found))
      .flatMap((found) => this.#describeEach(found));
    const unevaluated = distinct.filter(isUnevaluated);
    if (unevaluated.length === 0) return others;
    if (distinct.some(({ keyword }) => deciding.has(keyword))) return others;
    const places = new Set(
      others.flatMap(({ path }) => path.map((_, index) => keyOf(path.slice(0, index + 1)))),
    );
    const unknown = unevaluated.flatMap((found) => this.#describeEach(found));
    return [...others, ...unknown.filter(({ path }) => !places.has(keyOf(path)))];
  }

  #describeEach(found: KeywordFinding): readonly SchemaFault[] {
    const { keyword, inner, sentence } = found;
    if (keyword === 'propertyNames') return this.#describeNames(inner);
    const isUnfit = keyword === 'anyOf' || (keyword === 'oneOf' && sentence.includes('(0 matches)'));
    if (isUnfit) return this.#describeNearest(found);
    return inner.length > 0 && keyword !== 'oneOf' ? this.describe(inner) : this.#describeOwn(found);
  }

  #describeOwn({ keyword, location, pointer, sentence }: KeywordFinding): readonly SchemaFault[] {
    const path = readPointer(pointer);
    const value = this.#isOfNames ? (path.at(-1) ?? '') : (valueAt(this.#value, path) ?? null);
    const schema = keyword === 'false' ? undefined : this.#ownerOf(location);
    const wanted = wantedBy(keyword, schema);
    return keywordWords(keyword, schema, value, sentence).map((message) => ({
      path,
      keyword,
      message,
      wanted,
      value,
    }));
  }

  #describeNames(inner: readonly KeywordFinding[]): readonly SchemaFault[] {
    const names = new FaultDescriber(this.#schema, this.#lookup, this.#value, true);
    return names.describe(inner).map((fault) => ({ ...fault, message: nameWords(fault.message) }));
  }

  #describeNearest({ location, pointer, inner }: KeywordFinding): readonly SchemaFault[] {
    const path = readPointer(pointer);
    const byIndex = Map.groupBy(inner, (found) =>
      found.keyword === 'false' ? '' : found.location.slice(location.length + 1).split('/', 1)[0],
    );
    // What is never allowed isn't an alternative.
    if (byIndex.size > 1) byIndex.delete('');
    const faults = [...byIndex.values()].map((each) => this.describe(each)).filter((each) => each.length > 0);
    const schemas = this.#schemaAt(readPointer(location));
    const discriminators = this.#discriminatorsOf(isJsonArray(schemas) ? schemas : []);
    return nearestFaults({ path, value: valueAt(this.#value, path) ?? null, faults, discriminators });
  }

  /** The members for which at least two alternatives name their values. */
  #discriminatorsOf(alternatives: readonly JsonValue[]): ReadonlySet<string> {
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const alternative of alternatives) {
      const { properties = null } = this.#follow(alternative);
      for (const [name, member] of isJsonObject(properties) ? Object.entries(properties) : []) {
        const { const: value, enum: values } = this.#follow(member);
        if (value === undefined && values === undefined) continue;
        (seen.has(name) ? repeated : seen).add(name);
      }
    }
    return repeated;
  }

  /** The schema that a reference leads to, at most ten references away. */
  #follow(schema: JsonValue): JsonObject {
    let place: JsonValue | undefined = schema;
    for (let count = 0; count < 10 && isJsonObject(place) && '$ref' in place; count++)
      place = this.#schemaAt(['$ref'], place);
    return isJsonObject(place) ? place : {};
  }

  /** The schema that has the keyword. */
  #ownerOf(location: string): JsonValue | undefined {
    const known = this.#owners.get(location);
    if (known !== undefined) return known;
    const owner = this.#schemaAt(readPointer(location).slice(0, -1));
    if (owner !== undefined) this.#owners.set(location, owner);
    return owner;
  }

  #schemaAt(path: readonly string[], from: JsonValue = this.#schema): JsonValue | undefined {
    let place: JsonValue | undefined = from;
    for (const name of path) place = this.#step(place, name);
    return place;
  }

  #step(place: JsonValue | undefined, name: string): JsonValue | undefined {
    const member = memberOf(place, name);
    // The validator goes through it twice.
    if (name === '$recursiveRef' && member === undefined) return place;
    const absolute = addresses[name];
    if (absolute === undefined || typeof member !== 'string') return member;
    const address = memberOf(place, absolute);
    const target: unknown = typeof address === 'string' ? this.#lookup[address] : undefined;
    return isJsonObject(target) ? target : undefined;
  }
}

/** Of several faults of one keyword in a row, only the first one is reported. */
function isNew({ inner, location, pointer }: KeywordFinding, before: KeywordFinding | undefined): boolean {
  return inner.length > 0 || location !== before?.location || pointer !== before.pointer;
}

/** Where the validator reports what is wrong with the items that `minContains` doesn't count. */
function countedBy({ location }: KeywordFinding): string {
  return `${location.slice(0, -'minContains'.length)}contains`;
}

function isUnevaluated({ keyword }: KeywordFinding): boolean {
  return keyword === 'unevaluatedProperties' || keyword === 'unevaluatedItems';
}

/** Converts `#/nodes/0/id` to its segments. */
function readPointer(pointer: string): readonly string[] {
  const [, ...parts] = pointer.split('/');
  return parts.map((part) =>
    /[%~]/.test(part) ? decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~') : part,
  );
}

function keyOf(path: readonly string[]): string {
  return stringifyJson(path);
}
