// Finds what answers wrap around records: envelopes, lists, the next page's cursor, and a failure in a 2xx body.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Names, pick, pickNumber, pickText } from './fields.ts';

const envelopes: Names = ['data', 'result', 'workflow', 'execution', 'item', 'payload'];
const maximumLayers = 3;

/** Unwraps a record from at most three envelopes; returns undefined when the body contains no object. */
export function unwrapRecord(body: JsonValue | undefined, known: Names): JsonObject | undefined {
  let record = body;
  for (let layer = 0; layer < maximumLayers && isJsonObject(record); layer += 1) {
    if (pick(record, known) !== undefined) return record;
    const outer: JsonObject = record;
    const inner = envelopes.map((name) => outer[name]).find((value) => isJsonObject(value));
    if (inner === undefined) return record;
    record = inner;
  }
  return isJsonObject(record) ? record : undefined;
}

const lists: Names = ['data', 'items', 'results', 'records', 'list'];

/** Each resource's own names for its list, in addition to the usual ones. */
export const listNames = {
  workflows: ['workflows'],
  executions: ['executions', 'runs', 'workflowRuns', 'dagRuns'],
  logs: ['logs', 'nodeLogs'],
  portalEvents: ['events', 'portalEvents'],
  keys: ['keys', 'apiKeys'],
} as const satisfies Record<string, Names>;

function arrayIn(record: JsonObject, names: Names): readonly JsonValue[] | undefined {
  for (const name of names) {
    const value = pick(record, [name]);
    if (isJsonArray(value)) return value;
  }
  return undefined;
}

/** Returns the rows of a list body; undefined when it contains none. */
export function unwrapList(body: JsonValue | undefined, own: Names): readonly JsonValue[] | undefined {
  if (isJsonArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  const names = [...lists, ...own];
  const direct = arrayIn(body, names);
  if (direct) return direct;
  const inside = body['data'];
  const nested = isJsonObject(inside) ? arrayIn(inside, names) : undefined;
  if (nested) return nested;
  const arrays = Object.values(body).filter(isJsonArray);
  return arrays.length === 1 ? arrays[0] : undefined;
}

/** True when a 2xx body says that the call failed. A record with an id reports its own success instead of the call's. */
export function saysFailed(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body)) return false;
  if (pick(body, ['id', 'executionId', 'runId', 'workflowId']) !== undefined) return false;
  return body['success'] === false || body['ok'] === false;
}

/** The request that returned a page. */
export interface PageOrigin {
  /** The page's address. */
  readonly url: string;
  /** The requested cursor, if any. */
  readonly cursor: string | undefined;
  readonly linkHeader: string | null;
}

/** Maximum number of pages read in one go. */
export const maximumPages = 50;

/**
 * A cursor for the next page: the service's own token, query parameters (beginning with "?"), or an absolute address on the same origin.
 * null on the last page.
 */
export type NextCursor = string | null;

function asUrl(text: string, base: string): string | null {
  if (!/^(https?:\/\/|\/|\?)/i.test(text) || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return url.origin === new URL(base).origin ? url.href : null;
}

/** Returns a token as a query parameter when it could be mistaken for another kind of cursor. */
function asToken(text: string, parameter: string): string {
  const isAmbiguous = /^(https?:\/\/|\?)/i.test(text) || parameter !== 'cursor';
  return isAmbiguous ? `?${new URLSearchParams({ [parameter]: text }).toString()}` : text;
}

function isNext(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'rel') return false;
  const relations = parameter.slice(equals + 1).replaceAll('"', '');
  return relations.toLowerCase().split(/\s+/).includes('next');
}

/** Each link extends from its "<" to the next one. Searches by position, so that the time stays linear in the header's length. */
function fromLinkHeader(header: string | null, base: string): NextCursor {
  for (const link of (header ?? '').split('<').slice(1)) {
    const end = link.indexOf('>');
    if (
      end >= 0 &&
      link
        .slice(end + 1)
        .split(/[;,]/)
        .some(isNext)
    )
      return asUrl(link.slice(0, end), base);
  }
  return null;
}

/** Members that may contain a token, in order, and the query parameter that it's sent back in. */
const tokenPlaces: readonly { readonly name: string; readonly parameter: string }[] = [
  { name: 'nextCursor', parameter: 'cursor' },
  { name: 'pagination.nextCursor', parameter: 'cursor' },
  { name: 'pagination.next', parameter: 'cursor' },
  { name: 'page.cursor', parameter: 'cursor' },
  { name: 'pageInfo.endCursor', parameter: 'cursor' },
  { name: 'meta.nextCursor', parameter: 'cursor' },
  { name: 'nextPageToken', parameter: 'pageToken' },
  { name: 'next', parameter: 'cursor' },
];

function isExhausted(body: JsonObject, place: string): boolean {
  if (place === 'page.cursor') return pick(body, ['page.hasMore']) === false;
  if (place === 'pageInfo.endCursor') return pick(body, ['pageInfo.hasNextPage']) === false;
  return false;
}

/** Returns undefined when the body has no token. */
function fromTokens(body: JsonObject, base: string): NextCursor | undefined {
  for (const { name, parameter } of tokenPlaces) {
    const value = pickText(body, [name]);
    if (value === null || isExhausted(body, name)) continue;
    if (name.endsWith('next') && /^(https?:\/\/|\/|\?)/i.test(value)) return asUrl(value, base);
    return asToken(value, parameter);
  }
  return undefined;
}

const inside = (name: string): readonly string[] => [
  name,
  `pagination.${name}`,
  `meta.${name}`,
  `page_info.${name}`,
];

function fromNumbers(body: JsonObject, count: number, asked: URLSearchParams): NextCursor {
  const page = pickNumber(body, [...inside('page'), ...inside('currentPage')]);
  const totalPages = pickNumber(body, inside('totalPages'));
  const offset = pickNumber(body, inside('offset'));
  const total = pickNumber(body, inside('total'));
  const hasMore = pick(body, inside('hasMore')) === true;
  if (page !== null && (totalPages === null ? hasMore : page < totalPages)) return `?page=${page + 1}`;
  if (page !== null && totalPages !== null) return null;
  if (offset !== null && (total === null ? hasMore : offset + count < total))
    return `?offset=${offset + count}`;
  if (!hasMore || page !== null || offset !== null) return null;
  return `?offset=${Number(asked.get('offset') ?? '0') + count}`;
}

/** Returns the cursor of the next page; null after an empty page, for a repeated cursor, and for another origin. */
export function readNextCursor(body: JsonValue | undefined, count: number, origin: PageOrigin): NextCursor {
  if (count === 0) return null;
  const next = nextOf(body, count, origin);
  return next === origin.cursor || next === origin.url ? null : next;
}

function nextOf(body: JsonValue | undefined, count: number, origin: PageOrigin): NextCursor {
  const record = isJsonObject(body) ? body : {};
  const inner = record['data'];
  const token =
    fromTokens(record, origin.url) ?? (isJsonObject(inner) ? fromTokens(inner, origin.url) : undefined);
  if (token !== undefined) return token;
  const link = fromLinkHeader(origin.linkHeader, origin.url);
  return link ?? fromNumbers(record, count, new URL(origin.url).searchParams);
}
