import type { JsonObject } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import { fillPath, type Operation } from '../../protocol/operations.ts';
import type { Outgoing } from './exchange.ts';
import type { Repeats } from './retry.ts';
import { isLoopback } from '../../domain/connection.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function refused(message: string): ServiceError {
  return new ServiceError({ kind: 'unreachable', cause: 'other' }, message);
}

/** Returns the base URL without trailing slashes. Throws for an invalid address, and where a key would be sent unencrypted. */
export function checkedBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url) throw refused('The base URL is not a web address.');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) throw refused('The base URL must begin with https: unless it is on this machine.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refused('The base URL must hold nothing but host and path.');
  return baseUrl.replace(/\/+$/, '');
}

/** Concatenates base and path, because resolving would drop the version segment. */
export function joinUrl(baseUrl: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the address of the page behind a cursor from readNextCursor. Throws for another origin. */
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

/** An alternative form of a body. whole: the complete object instead of its changes. bare: the object without its envelope. */
export type BodyForm = 'whole' | 'bare';

/** One call of an operation. */
export interface ServiceRequest {
  readonly operation: Operation;
  /** Values for the path's placeholders. */
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** A cursor from readNextCursor. */
  readonly cursor?: string | undefined;
  readonly body?: JsonObject;
  /** Called only when an endpoint needs the body in this form. */
  readonly forms?: Readonly<Partial<Record<BodyForm, () => Promise<JsonObject>>>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests an event stream. */
  readonly isStream?: boolean;
  /** How long a rate limit may delay the request, in milliseconds. Default: the patience of its priority. */
  readonly patienceMs?: number;
  /** True when a refusal may mean "not deployed". */
  readonly mayBeNotDeployed?: boolean;
  /** The response's body is the user's own data: it may have any type, may be larger, and isn't checked for errors. */
  readonly isOutput?: boolean;
}

/** Throws "notFound" for an id that can't be part of an address. */
function pathOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  try {
    return fillPath(path, values);
  } catch (cause) {
    throw new ServiceError({ kind: 'notFound' }, 'There is no address for this id.', { cause });
  }
}

/** Returns method, address, headers and body, without credentials. */
export function toOutgoing(request: ServiceRequest, baseUrl: string): Omit<Outgoing, 'credentials'> {
  const { operation, values = {}, query = {}, cursor, body } = request;
  const headers = {
    Accept: request.isOutput === true ? '*/*' : 'application/json',
    'Accept-Encoding': 'identity',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  const url = pageUrl(baseUrl.replace(/\/+$/, ''), pathOf(operation, values), query, cursor);
  return {
    method: operation.method,
    url,
    headers,
    isStream: request.isStream ?? false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Returns the retry rule for the request. */
export function repeatsOf(request: ServiceRequest): Repeats {
  return request.operation.method === 'GET' ? 'read' : 'write';
}
