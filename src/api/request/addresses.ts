// Where requests may go, and where a key may go with them (contract sections 1 and 7.6.6).
import { ServiceError } from '../../domain/serviceError.ts';
import { isLoopback } from '../../domain/connection.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function refused(message: string): ServiceError {
  return new ServiceError({ kind: 'unreachable', cause: 'other' }, message);
}

/** The base URL without trailing slashes. Throws where a key would travel readable, and for what is no web address. */
export function checkedBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url) throw refused('The base URL is not a web address.');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) throw refused('The base URL must begin with https: unless it is on this machine.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refused('The base URL must hold nothing but host and path.');
  return baseUrl.replace(/\/+$/, '');
}

/** Base and path by concatenation, since resolving would drop the version segment. */
export function joinUrl(baseUrl: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** The address of a page behind a cursor of ours (see readNextCursor). Throws for another origin. */
export function pageUrl(baseUrl: string, path: string, query: Query, cursor: string | undefined): string {
  if (cursor === undefined) return joinUrl(baseUrl, path, query);
  if (cursor.startsWith('?'))
    return joinUrl(baseUrl, path, { ...query, ...Object.fromEntries(new URLSearchParams(cursor)) });
  if (!/^https?:\/\//i.test(cursor)) return joinUrl(baseUrl, path, { ...query, cursor });
  if (new URL(cursor).origin !== new URL(baseUrl).origin)
    throw new ServiceError(
      { kind: 'unreadable', cause: 'redirect' },
      'The next page lies on another origin.',
    );
  return cursor;
}
