// How an input document becomes the call of a webhook, and what n8n recorded of a call becomes an input again.
import { isJsonObject, type JsonObject, type JsonValue, numberText, stringifyJson } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { HttpMethod } from '../../protocol/operations.ts';
import type { Webhook } from './triggers.ts';

export interface WebhookCall {
  /** With the parameters filled in, each segment encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** undefined for a method without one. */
  readonly body: JsonValue | undefined;
}

/**
 * The input is the body as it is; for GET, its members are the query. Where a call has more than that, the input is
 * `{"body", "query", "params"}`: `body` with one of the others, or for GET `query` with `params`. Throws "invalid" where the path needs parameters
 * that aren't there.
 */
export function toWebhookCall({ path, method, parameters }: Webhook, input: JsonObject): WebhookCall {
  const isRead = method === 'GET';
  const { body, query, params } = isWhole(input, isRead)
    ? input
    : isRead
      ? { query: input }
      : { body: input };
  const given = isJsonObject(params) ? params : {};
  const filled = path.split('/').map((segment) => {
    const name =
      segment.startsWith(':') && parameters.includes(segment.slice(1)) ? segment.slice(1) : undefined;
    if (name === undefined) return encodeURIComponent(segment);
    const value = textOf(given[name] ?? null);
    if (value === '' || value === '.' || value === '..') throw missing(name, isRead);
    return encodeURIComponent(value);
  });
  return {
    path: filled.join('/'),
    query: isJsonObject(query) ? toQuery(query) : {},
    body: isRead ? undefined : body,
  };
}

function isWhole(input: JsonObject, isRead: boolean): boolean {
  const names = Object.keys(input);
  const isRequest = names.every((name) => ['body', 'query', 'params'].includes(name));
  const others = [input['query'], input['params']].filter((part) => part !== undefined && isJsonObject(part));
  return isRequest && (isRead ? others.length === 2 : names.includes('body') && others.length > 0);
}

/** A list is a parameter several times; what else has no text of its own is JSON. */
function toQuery(query: JsonObject): WebhookCall['query'] {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(textOf) : textOf(value),
    ]),
  );
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : (numberText(value) ?? stringifyJson(value));
}

function missing(name: string, isRead: boolean): ServiceError {
  const example = isRead ? { query: {}, params: { [name]: '…' } } : { body: {}, params: { [name]: '…' } };
  const message = `The address of the webhook needs "${name}". Write the input as ${stringifyJson(example)}.`;
  return new ServiceError({ kind: 'invalid', details: [{ path: `params.${name}`, message }] }, message);
}

/** Returns the input of a recorded call, which leads to the same call again. `method`: of the node, if it's known. */
export function fromWebhookCall(
  { body = null, query = null, params = null }: JsonObject,
  method: HttpMethod | undefined,
): JsonValue {
  const beside = {
    ...(isFilled(query) ? { query } : {}),
    ...(isFilled(params) ? { params } : {}),
  };
  if (method === 'GET') return isFilled(params) ? { query, params } : query;
  return Object.keys(beside).length === 0 ? body : { body, ...beside };
}

const isFilled = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).length > 0;
