// Why: one request and its answer, redirects included; the only place where credentials are put on a request.
import { ServiceError } from '../../base/serviceError.ts';
import type { HttpPort, HttpResponse } from '../httpPort.ts';
import { isLoopback } from '../../base/loopback.ts';
import { discard } from './body.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isStream: boolean;
  /** Sent to this origin only. */
  readonly credentials: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
}

export interface Exchanged {
  readonly response: HttpResponse;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

const maximumRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

function notFollowed(message: string, status: number): ServiceError {
  return new ServiceError({ kind: 'unreadable', cause: 'redirect' }, message, { status });
}

/** Where a redirect leads, or undefined when the answer is none. Throws where it must not be followed. */
function redirectTarget(outgoing: Outgoing, from: string, response: HttpResponse): string | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  if (outgoing.method !== 'GET')
    throw notFollowed(
      'The service redirected a change to another address; it was not sent there.',
      response.status,
    );
  const target = URL.parse(location, from);
  if (!target) throw notFollowed('The service redirected to something that is no address.', response.status);
  const own = new URL(outgoing.credentials.origin);
  // A service elsewhere must not make us ask this machine.
  const isAllowed = isLoopback(target.hostname) ? isLoopback(own.hostname) : target.protocol === 'https:';
  if (target.origin !== own.origin && !isAllowed)
    throw notFollowed('The service redirected to an address that is not safe to follow.', response.status);
  return target.href;
}

/** Sends and follows redirects of reads. Rejects with the port's own error, or a ServiceError for a redirect that is refused. */
export async function exchange(http: HttpPort, outgoing: Outgoing, signal: AbortSignal): Promise<Exchanged> {
  const { method, headers, body, isStream, credentials } = outgoing;
  let url = outgoing.url;
  for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
    const isOwn = new URL(url).origin === credentials.origin;
    const response = await http(url, {
      method,
      headers: { ...headers, ...(isOwn ? credentials.headers : {}) },
      ...(body === undefined ? {} : { body }),
      signal,
      isStream,
    });
    const target = redirectTarget(outgoing, url, response);
    if (target === undefined) return { response, url };
    await discard(response);
    url = target;
  }
  throw notFollowed('The service redirects in circles.', 310);
}
