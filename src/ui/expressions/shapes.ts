// What is known of the values at a place: from a JSON Schema, from the execution that's shown, or from both.
import { type BoundedJson, writeTruncatedJson } from '../../base/boundedJson.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, typeOfJson } from '../../base/json.ts';
import { plainLine } from '../../base/format.ts';

export interface Shape {
  readonly schemas: readonly JsonObject[];
  /** Values of the execution that's shown; several where a path goes through a list. */
  readonly samples: readonly JsonValue[];
  /** There are more values than the samples. */
  readonly isPart?: boolean;
  /** The members, where they're neither in a schema nor in a sample. */
  readonly members?: ReadonlyMap<string, Shape>;
  /** What a list of completions says beside the name instead of a value. */
  readonly note?: string;
  /** Shapes with a lower rank are offered first. Default: 0. */
  readonly rank?: number;
}

export const unknownShape: Shape = { schemas: [], samples: [] };

const maximumMembers = 200;
const maximumItems = 50;
const maximumAlternatives = 100;

/** Returns the members of the value, or of the items of a list, as a path in JSONata does. */
export function shapeMembers(shape: Shape): ReadonlyMap<string, Shape> {
  if (shape.members !== undefined) return shape.members;
  const found = new Map<
    string,
    { readonly schemas: JsonObject[]; readonly samples: JsonValue[]; readonly isPart?: boolean }
  >();
  const at = (name: string) => {
    const known = found.get(name) ?? { schemas: [], samples: [], ...(isPart && { isPart }) };
    if (found.size < maximumMembers) found.set(name, known);
    return known;
  };
  const { schemas, samples, isPart = false } = itemsOf(shape);
  for (const { properties } of schemas)
    if (isJsonObject(properties))
      for (const [name, schema] of Object.entries(properties))
        at(name).schemas.push(isJsonObject(schema) ? schema : {});
  for (const sample of samples)
    if (isJsonObject(sample))
      for (const [name, value] of Object.entries(sample)) at(name).samples.push(value);
  return found;
}

/** Returns the shape of each item of a list; a value that's no list is its own item. */
export function itemsOf(shape: Shape): Shape {
  const { schemas, samples, members } = shape;
  if (members !== undefined) return shape;
  const items = samples.flatMap((sample) => (isJsonArray(sample) ? sample : [sample]));
  const isPart = shape.isPart === true || items.length > maximumItems;
  return {
    schemas: alternativesOf(schemas).flatMap((schema) => {
      const { items } = schema;
      return isJsonObject(items) ? alternativesOf([items]) : [schema];
    }),
    samples: items.slice(0, maximumItems),
    ...(isPart && { isPart }),
  };
}

/** The schemas with those inside their allOf, anyOf and oneOf. */
function alternativesOf(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const all = new Set(schemas);
  for (const schema of all)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const alternatives = schema[keyword];
      if (!isJsonArray(alternatives)) continue;
      for (const each of alternatives)
        if (isJsonObject(each) && all.size < maximumAlternatives) all.add(each);
    }
  return [...all];
}

/** The types in the words of JSON, such as "string or null"; '' when none is known. */
export function shapeWords({ schemas, samples, members }: Shape): string {
  if (members !== undefined) return 'object';
  const declared = alternativesOf(schemas).flatMap(({ type, enum: values }) => {
    if (typeof type === 'string') return [type];
    if (isJsonArray(type)) return type.filter((each) => typeof each === 'string');
    return isJsonArray(values) ? values.map(typeOfJson) : [];
  });
  const types = new Set(declared.length > 0 ? declared : samples.map(typeOfJson));
  return plainLine([...types].join(' | '), 80);
}

/** What the author of a schema says about the value. */
export function describeSchema({ schemas }: Shape): string {
  const texts = alternativesOf(schemas).map(({ description, title }) => description ?? title);
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** The value in the execution that's shown as JSON; undefined without one. A list where a path goes through a list. */
export function sampleText({ samples }: Shape, maximum: number, indent = ''): BoundedJson | undefined {
  const [first] = samples;
  return first === undefined
    ? undefined
    : writeTruncatedJson(samples.length === 1 ? first : samples, maximum, indent);
}
