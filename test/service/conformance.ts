// Every response of the service in any test must match its description.
import assert from 'node:assert/strict';
import { Validator } from '@cfworker/json-schema';
import description from '../../media/openapi.json' with { type: 'json' };
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';

const document: JsonValue | undefined = parseJson(JSON.stringify(description));
const validators = new Map<string, Validator>();

function member(value: JsonValue | undefined, ...names: readonly string[]): JsonObject | undefined {
  let current = value;
  for (const name of names) current = isJsonObject(current) ? current[name] : undefined;
  if (!isJsonObject(current)) return undefined;
  const reference = current['$ref'];
  return typeof reference === 'string' ? member(document, ...reference.split('/').slice(1)) : current;
}

/** The described operation behind a request; a path without placeholders goes before one with. */
function findOperation(method: string, path: string): JsonObject | undefined {
  const templates = Object.keys(member(document, 'paths') ?? {}).sort(
    (left, right) => left.split('{').length - right.split('{').length,
  );
  for (const template of templates) {
    const operation = member(document, 'paths', template, method.toLowerCase());
    if (!operation) continue;
    // What names servers of its own lies beside the base URL.
    const base = 'servers' in operation ? '' : '/v1';
    if (new RegExp(`^${base}${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)) return operation;
  }
  return undefined;
}

function validatorFor(schema: JsonObject): Validator {
  const key = JSON.stringify(schema);
  const existing = validators.get(key);
  if (existing) return existing;
  const components = isJsonObject(document) ? (document['components'] ?? {}) : {};
  const created = new Validator({ ...schema, components }, '2020-12', false);
  validators.set(key, created);
  return created;
}

/** Fails when the status, a header or the body is not described. What no operation is behind is not judged. */
export function assertDescribed(method: string, address: string, response: Response, text: string): void {
  const operation = findOperation(method, address.replace(/\?.*$/s, ''));
  if (!operation) return;
  const what = `${method} ${address} → ${response.status}`;
  const answer = member(operation, 'responses', String(response.status));
  assert.ok(answer, `${what} is not described.`);
  for (const name of Object.keys(member(answer, 'headers') ?? {}))
    assert.ok(response.headers.has(name), `${what} has no ${name}.`);
  const type = response.headers.get('Content-Type')?.split(';')[0];
  if (type === undefined) {
    assert.deepEqual([text, answer['content']], ['', undefined], what);
    return;
  }
  const described = member(answer, 'content', type);
  const schema = described?.['schema'];
  assert.ok(isJsonObject(schema), `${what} is not described as ${type}.`);
  if (type !== 'application/json') return;
  const { valid, errors } = validatorFor(schema).validate(parseJson(text));
  assert.ok(
    valid,
    `${what}: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('; ')}`,
  );
}
