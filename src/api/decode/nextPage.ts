// Finds the next page of a list: by a token, an address or a header, else by numbers.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { anyOf, pick, pickText } from './fields.ts';
import { guessedPage, type PageReading, type PageRows } from './guessedPage.ts';

export interface PageOrigin extends PageReading {
  readonly linkHeader: string | null;
}

/** Maximum number of pages read in one go. */
export const maximumPages = 50;

/**
 * A cursor for the next page: the service's own token, query parameters (beginning with "?", with a guess behind "#"), or an absolute
 * address on the same origin. null on the last page.
 */
export type NextCursor = string | null;

function asUrl(text: string, base: string): string | null {
  if (!/^(https?:\/\/|\/|\?)/i.test(text) || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  const own = new URL(base);
  if (url.origin === own.origin) return url.href;
  // A service behind a proxy may not know that it's reached by https.
  const isBehindProxy =
    url.protocol === 'http:' && own.protocol === 'https:' && url.hostname === own.hostname;
  return isBehindProxy ? `${own.origin}${url.pathname}${url.search}` : null;
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
  if (place === 'page.cursor') return pick(body, anyOf('page.hasMore')) === false;
  if (place === 'pageInfo.endCursor') return pick(body, anyOf('pageInfo.hasNextPage')) === false;
  return false;
}

/** A token may begin with a slash, too, as base64 does: then it has no query, and isn't below the page's path. */
function isAddress(text: string, base: string): boolean {
  return /^(https?:\/\/|\?|\/[^?]*\?)/i.test(text) || text.startsWith(new URL(base).pathname);
}

/** Returns undefined when the body has no token. */
function fromTokens(body: JsonObject, base: string): NextCursor | undefined {
  for (const { name, parameter } of tokenPlaces) {
    const value = pickText(body, anyOf(name));
    if (value === null || isExhausted(body, name)) continue;
    if (name.endsWith('next') && isAddress(value, base)) return asUrl(value, base);
    return asToken(value, parameter);
  }
  return undefined;
}

/**
 * Returns the cursor of the next page; null after an empty page, for a repeated cursor, and for another origin. `marks` identify the page's
 * rows, first row first.
 */
export function readNextCursor(
  body: JsonValue | undefined,
  count: number,
  origin: PageOrigin,
  marks: readonly string[] = [],
): NextCursor {
  if (count === 0) return null;
  const next = nextOf(body, { count, marks }, origin);
  return next === origin.cursor || next === origin.url ? null : next;
}

function nextOf(body: JsonValue | undefined, rows: PageRows, origin: PageOrigin): NextCursor {
  const record = isJsonObject(body) ? body : {};
  const inner = isJsonObject(record['data']) ? record['data'] : {};
  const token = fromTokens(record, origin.url) ?? fromTokens(inner, origin.url);
  if (token !== undefined) return token;
  const link = fromLinkHeader(origin.linkHeader, origin.url);
  return link ?? guessedPage([record, inner], rows, origin);
}
