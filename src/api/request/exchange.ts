// Sends a request and checks where a redirect leads. Credentials are added to requests only here.
import { ServiceError } from '../../domain/errors.ts';
import type { HttpPort, HttpResponse } from '../http/httpPort.ts';
import { isLoopback } from '../../domain/connection.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isStream: boolean;
  /** Sent to this origin only. */
  readonly credentials: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
}

/** Where a response redirects to. */
export interface Redirect {
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

/** Returns where a response redirects to; undefined when it isn't a redirect. Throws when the redirect must not be followed. */
export function redirectOf(outgoing: Outgoing, response: HttpResponse): Redirect | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  if (outgoing.method !== 'GET')
    throw notFollowed(
      'The service redirected a change to another address; it was not sent there.',
      response.status,
    );
  const target = URL.parse(location, outgoing.url);
  if (!target) throw notFollowed('The service redirected to something that is no address.', response.status);
  const own = new URL(outgoing.credentials.origin);
  // A remote service must not redirect requests to this machine.
  const isAllowed = isLoopback(target.hostname) ? isLoopback(own.hostname) : target.protocol === 'https:';
  if (target.origin !== own.origin && !isAllowed)
    throw notFollowed('The service redirected to an address that is not safe to follow.', response.status);
  return { url: target.href, isPermanent: permanentStatuses.has(response.status) };
}

/** The error for a read that was redirected too often. */
export function redirectedInCircles(): ServiceError {
  return notFollowed('The service redirects in circles.', 310);
}

/** Sends one request without following redirects. Rejects with the port's own error. */
export function exchange(http: HttpPort, outgoing: Outgoing, signal: AbortSignal): Promise<HttpResponse> {
  const { method, url, headers, body, isStream, credentials } = outgoing;
  const isOwn = new URL(url).origin === credentials.origin;
  return http(url, {
    method,
    headers: { ...headers, ...(isOwn ? credentials.headers : {}) },
    ...(body === undefined ? {} : { body }),
    signal,
    isStream,
  });
}
