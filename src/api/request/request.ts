// Builds requests, and checks every address that one is sent to: the base URL, the next page's and a redirect's.
import { type JsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import { isLoopback } from '../../domain/connection.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Capability, fillPath, type Operation } from '../../protocol/operations.ts';
import type { HttpRequest, HttpResponse } from '../http/httpPort.ts';

/** A list is a parameter several times. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

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
    throw refused('The base URL may contain only a host and a path.');
  return baseUrl.replace(/\/+$/, '');
}

/** Concatenates base and path, because resolving would drop the version segment. */
export function joinUrl(baseUrl: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object') for (const each of value) parameters.append(name, each);
    else if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the address of the page behind a cursor from readNextCursor. Throws for another origin. */
export function pageUrl(baseUrl: string, path: string, query: Query, cursor: string | undefined): string {
  if (cursor === undefined) return joinUrl(baseUrl, path, query);
  if (cursor.startsWith('?'))
    return joinUrl(baseUrl, path, {
      ...query,
      ...Object.fromEntries(new URLSearchParams(cursor.replace(/#.*/, ''))),
    });
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
  readonly body?: JsonValue;
  /** What the service must offer beyond the operation: one that doesn't know it would ignore it. */
  readonly capability?: Capability | undefined;
  /** Called only when an endpoint needs the body in this form. */
  readonly forms?: Readonly<Partial<Record<BodyForm, () => Promise<JsonObject>>>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests an event stream. */
  readonly isStream?: boolean;
  /** How long a rate limit may delay the request, in milliseconds. Default: the patience of its priority. */
  readonly maximumWaitMs?: number;
  /** True for a GET that changes something, so that it's neither shared nor retried as a read. */
  readonly isChange?: boolean;
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
    throw new ServiceError({ kind: 'notFound' }, "This ID can't be part of a URL.", { cause });
  }
}

/** A request as it's sent, without credentials. */
export interface Outgoing extends Omit<HttpRequest, 'signal'> {
  readonly url: string;
}

export function toOutgoing(request: ServiceRequest, baseUrl: string): Outgoing {
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
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
  };
}

/** Where a response redirects to. */
export interface RedirectTarget {
  readonly url: string;
  /** True when the address has moved permanently. */
  readonly isPermanent: boolean;
}

/** Maximum number of redirects that a read follows. */
export const maximumRedirects = 5;
const permanentStatuses = new Set([301, 308]);
const redirectStatuses = new Set([...permanentStatuses, 302, 303, 307]);

function notFollowed(message: string, status: number): ServiceError {
  return new ServiceError({ kind: 'unreadable', cause: 'redirect' }, message, { status });
}

/** Returns where a response redirects to; undefined when it isn't a redirect. Throws when the redirect must not be followed. ownOrigin: the service's. */
export function redirectOf(
  outgoing: Outgoing,
  response: HttpResponse,
  ownOrigin: string,
): RedirectTarget | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  if (outgoing.method !== 'GET')
    throw notFollowed(
      'The service redirected a change to another address; it was not sent there.',
      response.status,
    );
  const target = URL.parse(location, outgoing.url);
  if (!target) throw notFollowed('The service redirected to an invalid URL.', response.status);
  const own = new URL(ownOrigin);
  // A remote service must not redirect requests to this machine.
  const isAllowed = isLoopback(target.hostname) ? isLoopback(own.hostname) : target.protocol === 'https:';
  if (target.origin !== own.origin && !isAllowed)
    throw notFollowed('The service redirected to an address that is not safe to follow.', response.status);
  return { url: target.href, isPermanent: permanentStatuses.has(response.status) };
}

/** The error for a read that was redirected where none is followed. */
export function redirectRefused(status: number): ServiceError {
  return notFollowed('The service redirected to another address; the key was not sent there.', status);
}

/** The error for a read that was redirected too often. */
export function redirectedInCircles(): ServiceError {
  return notFollowed('The service redirects in a loop.', 310);
}
