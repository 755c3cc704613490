// The stored form of the messages of an HTTP request node: without the headers that authorize.
import { type JsonObject, type JsonValue, stringifyJson } from '../../../base/json.ts';
import { isTooDeep, maximumJsonDepth } from '../../../base/jsonScan.ts';
import { hiddenValue } from '../../../domain/secret.ts';
import type { HttpMessage } from '../../store/exchanges.ts';

const hiddenHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'private-token',
  'x-access-token',
  'x-amz-security-token',
  'x-auth-token',
  'x-goog-api-key',
]);
/** A stored message is nested in other values, which can't be deeper than any value. */
const maximumBodyDepth = maximumJsonDepth - 10;

/** `body`: undefined for none. A body that would be nested too deep is stored as text. */
export function toMessage(
  head: Readonly<Record<string, JsonValue>>,
  headers: JsonObject,
  body: JsonValue | undefined,
): HttpMessage {
  const text = stringifyJson(body ?? null);
  return {
    head: { ...head, headers: hideHeaders(headers) },
    body: isTooDeep(text, maximumBodyDepth) ? stringifyJson(text) : text,
  };
}

function hideHeaders(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      hiddenHeaders.has(name.toLowerCase()) ? hiddenValue : value,
    ]),
  );
}
