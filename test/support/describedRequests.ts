// Requests as the service's description allows them, and as it doesn't.
import fc from 'fast-check';
import description from '../../media/openapi.json' with { type: 'json' };
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { hostileJsonText } from './hostileJson.ts';

export interface DescribedRequest {
  readonly method: string;
  /** Ends in the query; begins behind the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const document = parseJson(JSON.stringify(description));

function member(value: JsonValue | undefined, ...names: readonly string[]): JsonObject {
  let current = value;
  for (const name of names) current = isJsonObject(current) ? current[name] : undefined;
  const reference = isJsonObject(current) ? current['$ref'] : undefined;
  if (typeof reference === 'string') return member(document, ...reference.split('/').slice(1));
  return isJsonObject(current) ? current : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');
const numberOf = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** Nodes and edges as definitions have them, so that some pass the checks of deploying. */
const someObject: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom(
    'id',
    'type',
    'name',
    'config',
    'source',
    'target',
    'branch',
    'nodes',
    'edges',
    'retry',
    '__proto__',
  ),
  fc.constantFrom<JsonValue>(
    'a',
    'b',
    'trigger',
    'output',
    'log',
    'forEach',
    '{{ input.x }}',
    '$sum(',
    null,
    3,
    {},
    [],
  ),
  { maxKeys: 5 },
);

/** A value that the schema takes. */
function valueOf(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const { $ref, anyOf, enum: words, type } = schema;
  if ($ref !== undefined) return valueOf(member(schema));
  if (anyOf !== undefined) return fc.oneof(...list(anyOf).map((one) => valueOf(member(one))));
  if (words !== undefined) return fc.constantFrom(...list(words));
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(valueOf(member(schema, 'items')), {
      maxLength: Math.min(4, numberOf(schema['maxItems'], 4)),
    });
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: numberOf(schema['minimum'], 0), max: numberOf(schema['maximum'], 1000) });
  if (type === 'object') return objectOf(schema);
  if (schema['format'] === 'date-time') return fc.constantFrom('2026-01-05T10:00:00.000Z', '2026-01-05');
  return fc.string({ unit: 'binary', minLength: numberOf(schema['minLength'], 0), maxLength: 12 });
}

function objectOf(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const properties = Object.entries(member(schema, 'properties'));
  if (properties.length === 0) return someObject;
  const required = list(schema['required']).filter((name) => typeof name === 'string');
  const values = Object.fromEntries(properties.map(([name, value]) => [name, valueOf(member(value))]));
  return fc.record(values, { requiredKeys: required });
}

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1.5',
    '1e999',
    '101',
    'null',
    '[]',
    '../..',
    '%00',
    '%',
    '\u0000',
    '\ud800',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constant('x'.repeat(5000)),
);

/** An id or a query's value: mostly one that fits. */
function parameterText(schema: JsonObject): fc.Arbitrary<string> {
  return fc.oneof({ weight: 4, arbitrary: valueOf(schema).map(String) }, { weight: 1, arbitrary: oddText });
}

/** What can be sent: a lone surrogate can't. */
const sendable = (text: string): string => Buffer.from(text).toString();
const encode = (text: string): string => encodeURIComponent(sendable(text));
/** What a header can hold. */
const headerText = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 200)
    .trim();

/** The requests of one operation. ids: names that exist, by the parameter that takes them. */
function requestsOf(
  path: string,
  method: string,
  operation: JsonObject,
  ids: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<DescribedRequest> {
  const parameters = list(operation['parameters']).map((one) => member(one));
  const named = (where: string): readonly JsonObject[] => parameters.filter((one) => one['in'] === where);
  const textOf = (one: JsonObject): fc.Arbitrary<string> => {
    const known = ids[nameOf(one)] ?? [];
    const text = parameterText(member(one, 'schema'));
    return known.length === 0 ? text : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text);
  };
  const texts = (where: string, keysNeeded: boolean): fc.Arbitrary<Partial<Record<string, string>>> =>
    fc.record(
      Object.fromEntries(named(where).map((one) => [nameOf(one), textOf(one)])),
      keysNeeded ? {} : { requiredKeys: [] },
    );
  const schema = member(operation, 'requestBody', 'content', 'application/json', 'schema');
  const body = fc.oneof(
    { weight: 5, arbitrary: valueOf(schema).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: hostileJsonText },
    { weight: 1, arbitrary: oddText },
  );
  const hasBody = method !== 'get' && method !== 'delete';
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constant('application/json') },
    fc.constantFrom('text/plain', ''),
  );
  return fc
    .tuple(
      texts('path', true),
      texts('query', false),
      texts('header', false),
      hasBody ? fc.option(body, { nil: undefined, freq: 8 }) : fc.constant(undefined),
      type,
      fc.oneof(
        { weight: 12, arbitrary: fc.constant(method) },
        fc.constantFrom('head', 'options', 'patch', 'delete', 'purge'),
      ),
    )
    .map(([inPath, inQuery, inHeader, sent, contentType, used]) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encode(inPath[name] ?? 'x'));
      const query = Object.entries(inQuery).map(([name, text = '']) => `${name}=${encode(text)}`);
      const headers = Object.entries(inHeader).map(([name, text = '']) => [name, headerText(text)] as const);
      return {
        method: used.toUpperCase(),
        path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
        headers: {
          ...Object.fromEntries<string>(headers),
          ...(contentType !== '' && { 'Content-Type': contentType }),
        },
        body: used === 'head' || sent === undefined ? undefined : sendable(sent),
      };
    });
}

/** Any request to any operation of the description. */
export function describedRequests(
  ids: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<DescribedRequest> {
  const operations = Object.entries(member(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(member(methods)).map(([method, operation]) =>
      requestsOf(path, method, member(operation), ids),
    ),
  );
  return fc.oneof(...operations);
}
