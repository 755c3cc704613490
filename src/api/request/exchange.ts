// One request and its answer, and where a redirect may lead: the only place where credentials are put on a request.
import { ServiceError } from '../../domain/serviceError.ts';
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

/** Where an answer sends us instead. */
export interface Redirect {
  readonly url: string;
  /** It lies there from now on. */
  readonly isPermanent: boolean;
}

/** Hops that a read follows, at most. */
export const maximumRedirects = 5;
const permanentStatuses = new Set([301, 308]);
const redirectStatuses = new Set([...permanentStatuses, 302, 303, 307]);

function notFollowed(message: string, status: number): ServiceError {
  return new ServiceError({ kind: 'unreadable', cause: 'redirect' }, message, { status });
}

/** Where the answer to a request leads, or undefined when it is no redirect. Throws where it must not be followed. */
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
  // A service elsewhere must not make us ask this machine.
  const isAllowed = isLoopback(target.hostname) ? isLoopback(own.hostname) : target.protocol === 'https:';
  if (target.origin !== own.origin && !isAllowed)
    throw notFollowed('The service redirected to an address that is not safe to follow.', response.status);
  return { url: target.href, isPermanent: permanentStatuses.has(response.status) };
}

/** The error for a read that was redirected too often. */
export function redirectedInCircles(): ServiceError {
  return notFollowed('The service redirects in circles.', 310);
}

/** Sends one request and follows no redirect. Rejects with the port's own error. */
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
