// How an input document becomes the call of a webhook, and what n8n recorded of a call becomes an input again.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberText,
  stringifyJson,
} from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { HttpMethod } from '../../protocol/operations.ts';
import type { Query } from '../request/request.ts';
import type { Webhook } from './triggers.ts';

export interface WebhookCall {
  /** With the parameters filled in, each segment encoded. */
  readonly path: string;
  readonly query: JsonObject;
  /** undefined for a method without one. */
  readonly body: JsonValue | undefined;
}

/**
 * The input is the body as it is; for GET, its members are the query. Where a call has more than that, the input is
 * `{"body", "query", "params"}`: `body` with one of the others, or for GET `query` with `params`. Throws "invalid" where the path needs parameters
 * that aren't there, and for a body of GET.
 */
export function toWebhookCall({ path, method, parameters }: Webhook, input: JsonObject): WebhookCall {
  const isRead = method === 'GET';
  const { body, query, params: given } = partsOf(input, method);
  if (isRead && isFilled(body)) throw refused('body', 'A webhook that takes GET gets no body.');
  const filled = path.split('/').map((segment) => {
    const name =
      segment.startsWith(':') && parameters.includes(segment.slice(1)) ? segment.slice(1) : undefined;
    if (name === undefined) return encodeURIComponent(segment);
    const value = textOf(given[name] ?? null) ?? '';
    // n8n takes an encoded slash for one that separates. Half a character has no encoding.
    if (/^\.{0,2}$|\//.test(value) || !value.isWellFormed()) throw missing(name, isRead);
    return encodeURIComponent(value);
  });
  return {
    path: filled.join('/'),
    query,
    body: isRead ? undefined : body,
  };
}

interface Parts {
  readonly body: JsonValue | undefined;
  readonly query: JsonObject;
  readonly params: JsonObject;
}

/** What an input is for a webhook. */
export function partsOf(input: JsonObject, method: HttpMethod): Parts {
  const isRead = method === 'GET';
  if (!isWhole(input, isRead))
    return isRead ? { body: undefined, query: input, params: {} } : { body: input, query: {}, params: {} };
  const { body, query, params } = input;
  return { body, query: isJsonObject(query) ? query : {}, params: isJsonObject(params) ? params : {} };
}

function isWhole(input: JsonObject, isRead: boolean): boolean {
  const names = Object.keys(input);
  const isRequest = names.every((name) => ['body', 'query', 'params'].includes(name));
  const others = [input['query'], input['params']].filter((part) => part !== undefined && isJsonObject(part));
  return isRequest && (isRead ? others.length === 2 : names.includes('body') && others.length > 0);
}

/** The query of an address, by names such as `a[b]` and `a[]`, of which n8n makes objects and lists again. */
export function toNestedQuery(query: JsonObject): Query {
  return Object.fromEntries(Object.entries(query).flatMap(([name, value]) => parametersOf(name, value)));
}

type Parameter = readonly [name: string, text: string | readonly string[]];

function parametersOf(name: string, value: JsonValue): readonly Parameter[] {
  const text = textOf(value);
  if (text !== undefined) return [[name, text]];
  const items = isJsonArray(value) ? value.map(textOf) : [];
  const texts = items.filter((item) => item !== undefined);
  if (items.length > 0 && texts.length === items.length) return [[`${name}[]`, texts]];
  const members = isJsonArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return members.flatMap(([key, member]) => parametersOf(`${name}[${key}]`, member));
}

/** The query where each of its members has a text; undefined where one is a list or an object. */
export function toTexts(query: JsonObject): Readonly<Record<string, string>> | undefined {
  const texts = Object.entries(query).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return texts.length === Object.keys(query).length ? Object.fromEntries(texts) : undefined;
}

/** undefined for a list or an object. */
function textOf(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : numberText(value);
}

function missing(name: string, isRead: boolean): ServiceError {
  const example = isRead ? { query: {}, params: { [name]: '…' } } : { body: {}, params: { [name]: '…' } };
  const message = `The address of the webhook needs "${name}". Write the input as ${stringifyJson(example)}.`;
  return refused(`params.${name}`, message);
}

function refused(path: string, message: string): ServiceError {
  return new ServiceError({ kind: 'invalid', details: [{ path, message }] }, message);
}

/** Returns the input of a recorded call, which leads to the same call again. `method`: of the node, if it's known. */
export function fromWebhookCall(
  { body = null, query = null, params = null }: JsonObject,
  method: HttpMethod | undefined,
): JsonObject {
  const isRead = method === 'GET';
  const beside = {
    ...(isFilled(query) ? { query } : {}),
    ...(isFilled(params) ? { params } : {}),
  };
  const hasMore = isRead ? isFilled(body) || isFilled(params) : Object.keys(beside).length > 0;
  const plain = isRead ? query : body;
  if (!hasMore && isJsonObject(plain) && !isWhole(plain, isRead)) return plain;
  if (isRead) return { ...(isFilled(body) ? { body } : {}), query: query ?? {}, params: params ?? {} };
  // What distinguishes it from a body.
  return { body, ...(hasMore ? beside : { query: {} }) };
}

/** False for what n8n records where nothing came. */
function isFilled(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}
