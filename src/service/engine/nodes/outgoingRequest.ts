// What an HTTP request node sends, and which part of it may be shown.
import * as v from 'valibot';
import {
  type ExactNumber,
  isExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../base/json.ts';
import { hiddenValue } from '../../../domain/secret.ts';
import { isJsonType, mediaTypeOf } from '../../../protocol/body.ts';
import { members } from '../../../protocol/members.ts';
import { NodeError } from '../../errors.ts';
import { encodePiece } from '../../sandbox/addressText.ts';
import type { Rendered } from '../../sandbox/messages.ts';
import type { UsableSecret } from '../../secrets/secrets.ts';
import { readFields, textOfJson } from './formFields.ts';
import { type SentBody, writeSentBody } from './httpBodies.ts';
import { readUrl } from './httpCall.ts';
import { readConfig } from './nodeBehaviour.ts';

const mebibyte = 1024 * 1024;
const exactNumber = v.custom<ExactNumber>(isExactNumber);
const Config = v.object({
  method: v.optional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']), 'GET'),
  url: v.string(),
  query: v.optional(v.custom<JsonObject>(isJsonObject, 'must be an object'), {}),
  headers: v.optional(members(v.union([v.string(), v.number(), v.boolean(), exactNumber])), {}),
  body: v.optional(v.custom<JsonValue>((value) => value !== undefined)),
  timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(120_000)), 10_000),
  maximumBytes: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(mebibyte)), mebibyte),
  expectedStatus: v.optional(v.array(v.number())),
});
export type RequestConfig = v.InferOutput<typeof Config>;

/** The messages of a request. */
interface PreparedRequest {
  readonly url: URL;
  readonly method: string;
  /** With the names as the author wrote them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody | undefined;
}

export interface OutgoingRequest {
  readonly config: RequestConfig;
  readonly sent: PreparedRequest;
  /** The same, with `***` in place of what templates built from secrets. */
  readonly shown: PreparedRequest;
  /** Whether the address contains a part of a secret. */
  readonly hidesAddress: boolean;
  /** The names of the headers that contain a part of a secret, in lower case. */
  readonly hiddenHeaders: ReadonlySet<string>;
}

/** Whether the body of the config is text of type JSON, in which each value stays one value (contract section 10, "A text body"). */
export function isJsonText({ headers = {}, body }: JsonObject): boolean {
  if (typeof body !== 'string' || !isJsonObject(headers)) return false;
  const type = contentTypeOf(headers);
  return typeof type === 'string' && isJsonType(mediaTypeOf(type));
}

/** Throws a NodeError, whose message reveals nothing that templates built from secrets. */
export function readOutgoingRequest({ value, shown: shownValue }: Rendered): OutgoingRequest {
  if (shownValue === null) {
    const config = readConfig(Config, value);
    const sent = prepare(config);
    return { config, sent, shown: sent, hidesAddress: false, hiddenHeaders: new Set() };
  }
  const shown = prepare(readConfig(Config, withAddress(shownValue, value)));
  try {
    const config = readConfig(Config, value);
    const sent = prepare(config);
    const hidden = Object.keys(sent.headers).filter((name) => sent.headers[name] !== shown.headers[name]);
    const hiddenHeaders = new Set(hidden.map((name) => name.toLowerCase()));
    return { config, sent, shown, hidesAddress: sent.url.href !== shown.url.href, hiddenHeaders };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new NodeError(
      error.code,
      'Nothing was sent because the request is invalid where a template reads a secret. The reason is hidden.',
    );
  }
}

/** Throws a NodeError when one of the request's secrets may not be sent to its origin. */
export function refuseOrigin(
  { sent, shown }: OutgoingRequest,
  secrets: readonly Pick<UsableSecret, 'name' | 'origins'>[],
): void {
  const { origin } = sent.url;
  const refused = secrets.find(({ origins }) => origins.length > 0 && !origins.includes(origin));
  if (!refused) return;
  const where = origin === shown.url.origin ? origin : 'an address that a template builds from a secret';
  throw new NodeError(
    'secret_refused',
    `Nothing was sent: the secret "${refused.name}" may not go to ${where}. If it should, set it again with that origin.`,
  );
}

/**
 * Returns the shown config with an address and a query in the form of the filled one: if the address begins with a secret, only its
 * protocol can be shown, and one template can produce a whole query.
 */
function withAddress(shown: JsonValue, filled: JsonValue): JsonValue {
  if (!isJsonObject(shown) || !isJsonObject(filled)) return shown;
  const protocolOf = (config: JsonObject) => URL.parse(textOfJson(config['url'] ?? ''))?.protocol ?? '';
  const isAddress = /^https?:$/.test(protocolOf(shown));
  const protocol = protocolOf(filled) === 'http:' ? 'http:' : 'https:';
  return {
    ...shown,
    ...(!isAddress && { url: `${protocol}//${hiddenValue}/` }),
    ...(shown['query'] === hiddenValue && { query: { [hiddenValue]: hiddenValue } }),
  };
}

function prepare({ method, url, headers: authors, query, body }: RequestConfig): PreparedRequest {
  const headers = Object.fromEntries(
    Object.entries(authors).map(([name, value]) => [name, textOfJson(value)]),
  );
  refuseHeaders(headers);
  const sent = body === undefined ? undefined : writeSentBody(body, contentTypeOf(headers));
  return {
    url: addQuery(readUrl(url), query),
    method,
    headers: sent?.contentType === undefined ? headers : { ...headers, 'Content-Type': sent.contentType },
    body: sent,
  };
}

function contentTypeOf<T>(headers: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/** Throws a NodeError. */
function refuseHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers([[name, value]]);
    } catch {
      throw new NodeError(
        'header_invalid',
        `Nothing was sent because the name or the value of the header ${stringifyJson(name)} contains a character that a header can't have.`,
      );
    }
}

/** Adds the query to what the address has. */
function addQuery(url: URL, query: JsonObject): URL {
  const added = readFields(query, 'query').map(
    ([name, value]) => `${encodePiece(name)}=${encodePiece(value)}`,
  );
  if (added.length === 0) return url;
  const whole = new URL(url);
  whole.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...added].join('&');
  return whole;
}
