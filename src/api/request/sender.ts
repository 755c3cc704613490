import { abortReason } from '../../base/async.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { type Clock, Deadline } from '../../base/time.ts';
import type { Logger } from '../../base/logger.ts';
import type { Purpose } from '../../domain/budget.ts';
import { ServiceError } from '../../domain/errors.ts';
import { freeLease, type Lease, type RequestBudget } from '../budget/budget.ts';
import type { RateLimit } from '../budget/places.ts';
import type { CallContext } from '../errors/classify.ts';
import { timedOut, unreachable } from '../errors/network.ts';
import { readRetryAfter } from '../errors/rateLimitHeaders.ts';
import type { HttpPort, HttpResponse } from '../http/httpPort.ts';
import { type Answer, bodyLimits, discard, failureOf, readRateLimit, readText, toAnswer } from './answers.ts';
import {
  exchange,
  maximumRedirects,
  type Outgoing,
  type Redirect,
  redirectedInCircles,
  redirectOf,
} from './exchange.ts';
import { checkedBaseUrl, type ServiceRequest, toOutgoing } from './request.ts';

interface Identity {
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/**
 * Returns the caller's credentials, read again for each request, and passes the key to the budget. Rejects with a ServiceError when there
 * are no valid credentials.
 */
export type Authorize = () => Promise<Identity>;

export interface SenderDeps {
  /** Loads the port on first use. */
  readonly http: () => Promise<HttpPort>;
  readonly baseUrl: string;
  readonly authorize: Authorize;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds until the headers arrive, until the whole body arrives, and between two chunks of a stream. */
const timeLimits = { headers: 30_000, body: 120_000, idle: 60_000 } as const;

/** Maximum number of remembered permanent redirects. */
const maximumMoved = 100;

/** The result of one attempt: the response, or the error and what a retry needs. retryAfterMs: the wait that the response requested. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly error: ServiceError; readonly retryAfterMs: number | null };

/**
 * Chunks of a stream as they arrive. Throws a ServiceError when the connection drops or after the idle time. Returning the generator closes
 * the connection.
 */
export type StreamBody = AsyncGenerator<Uint8Array, void, void>;

type StreamOutcome = Outcome | { readonly kind: 'stream'; readonly body: StreamBody };

/** A request with its purpose and its caller's signal. */
interface Asked {
  readonly request: ServiceRequest;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** A response whose headers have arrived. */
interface Received extends Asked {
  readonly response: HttpResponse;
  /** The response's address, after redirects. */
  readonly url: string;
  readonly deadline: Deadline;
  readonly context: CallContext;
}

/** The result of a response, and its rate limit. */
interface Taken<T> {
  readonly result: T;
  readonly limit: RateLimit;
}

/** Makes one attempt of a call: gets a key, a lease and a time limit for each request, follows the redirects of reads, and checks the response. */
export class Sender {
  readonly #deps: SenderDeps;
  /** Permanent redirects of reads, which the next read uses directly. */
  readonly #moved = new BoundedMap<string, string>(maximumMoved);

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Rejects only when cancelled. */
  try(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<Outcome> {
    return this.#failing(request, () =>
      this.#send({ request, purpose, signal }, (received) => this.#finish(received)),
    );
  }

  /** Like `try`, but hands over an event stream while it's open. */
  tryStream(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<StreamOutcome> {
    return this.#failing(request, () =>
      this.#send<StreamOutcome>({ request, purpose, signal }, async (received) =>
        isEventStream(received.response) ? this.#handOver(received) : this.#finish(received),
      ),
    );
  }

  get #origin(): string {
    return new URL(this.#deps.baseUrl).origin;
  }

  async #failing<T>(request: ServiceRequest, send: () => Promise<T>): Promise<T | Outcome> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#log(request, error.message);
      return { kind: 'failure', error, retryAfterMs: null };
    }
  }

  /** Sends the request and follows redirects. Each redirect is a request of its own. */
  async #send<T>(asked: Asked, take: (received: Received) => Promise<Taken<T>>): Promise<T> {
    const outgoing = toOutgoing(asked.request, checkedBaseUrl(this.#deps.baseUrl));
    const moved = outgoing.method === 'GET' ? this.#moved.get(outgoing.url) : undefined;
    let url = moved ?? outgoing.url;
    let isMoved = true;
    for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
      const step = await this.#hop({ ...outgoing, url }, asked, (received) => {
        if (received.response.status >= 400) this.#moved.delete(outgoing.url);
        else if (isMoved && url !== outgoing.url) this.#moved.set(outgoing.url, url);
        return take(received);
      });
      if ('result' in step) return step.result;
      isMoved &&= step.isPermanent && new URL(step.url).origin === this.#origin;
      url = step.url;
    }
    throw redirectedInCircles();
  }

  /** Sends one request and processes its response unless it's a redirect. Acquires and releases the lease. */
  async #hop<T>(
    outgoing: Omit<Outgoing, 'credentials'>,
    asked: Asked,
    take: (received: Received) => Promise<Taken<T>>,
  ): Promise<Redirect | { readonly result: T }> {
    const { url } = outgoing;
    const { identity, http, lease } = await this.#enter(url, asked);
    const { clock } = this.#deps;
    const deadline = new Deadline(clock, asked.signal);
    let limit: RateLimit | null = null;
    try {
      deadline.restart(timeLimits.headers);
      const placed = { ...outgoing, credentials: { origin: this.#origin, headers: identity.headers } };
      const response = await exchange(http, placed, deadline.signal);
      const mayBeNotDeployed = asked.request.mayBeNotDeployed ?? false;
      const context = { now: clock.now(), mayBeNotDeployed, secrets: [identity.secret] };
      const redirect = redirectOf(placed, response);
      if (redirect === undefined) {
        const taken = await take({ ...asked, response, url, deadline, context });
        limit = taken.limit;
        return { result: taken.result };
      }
      limit = readRateLimit(toAnswer(response, url, ''), undefined, context.now);
      await discard(response);
      deadline.dispose();
      return redirect;
    } catch (error) {
      deadline.dispose();
      throw asServiceError(error, asked.signal, deadline);
    } finally {
      lease.release(limit);
    }
  }

  /**
   * Returns the credentials, the port and a lease for a request to this address. Only requests with the key need a lease: another origin's
   * rate limit isn't that of the key.
   */
  async #enter(
    url: string,
    { purpose, signal }: Asked,
  ): Promise<{ readonly identity: Identity; readonly http: HttpPort; readonly lease: Lease }> {
    const identity = await this.#deps.authorize();
    const http = await this.#deps.http();
    if (new URL(url).origin !== this.#origin) return { identity, http, lease: freeLease };
    return { http, ...(await this.#admit(identity, purpose, signal)) };
  }

  /** Waits for a lease of the request's key, which may be replaced in the meantime. */
  async #admit(
    identity: Identity,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<{ readonly identity: Identity; readonly lease: Lease }> {
    for (let current = identity; ;) {
      const lease = await this.#deps.budget.admit(purpose, signal);
      if (!lease.hasWaited) return { identity: current, lease };
      const now = await releasingOnFailure(lease, this.#deps.authorize);
      if (now.secret === current.secret) return { identity: now, lease };
      lease.release(null);
      current = now;
    }
  }

  /** Reads the whole body and checks it. */
  async #finish(received: Received): Promise<Taken<Outcome>> {
    const { request, response, url, deadline, context } = received;
    deadline.restart(timeLimits.body);
    const isOutput = request.isOutput ?? false;
    const text = await readText(response, isOutput ? bodyLimits.output : bodyLimits.other);
    deadline.dispose();
    const answer = toAnswer(response, url, text);
    const error = failureOf(answer, context, isOutput);
    const limit = readRateLimit(answer, error, context.now);
    this.#log(request, answer.status);
    if (!error) return { result: { kind: 'answer', answer }, limit };
    const retryAfterMs = readRetryAfter(answer, context.now);
    return { result: { kind: 'failure', error, retryAfterMs }, limit };
  }

  #handOver(received: Received): Taken<StreamOutcome> {
    const { request, response, url, context } = received;
    this.#log(request, 'stream');
    const limit = readRateLimit(toAnswer(response, url, ''), undefined, context.now);
    return { result: { kind: 'stream', body: pieces(received) }, limit };
  }

  #log({ operation }: ServiceRequest, end: string | number): void {
    this.#deps.logger.debug(`${operation.method} ${operation.path} → ${end}`);
  }
}

function isEventStream({ status, headers }: HttpResponse): boolean {
  return status === 200 && /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

async function releasingOnFailure<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    lease.release(null);
    throw error;
  }
}

/** Cancellation by the caller comes first, then the time limit, then the port's error. */
function asServiceError(error: unknown, signal: AbortSignal, deadline: Deadline): Error {
  if (signal.aborted) return abortReason(signal);
  if (deadline.isExpired) return timedOut();
  return error instanceof ServiceError ? error : unreachable(error);
}

/** Yields a stream's chunks. A connection that's silent for longer than the idle time is treated as dead. */
async function* pieces({ response, deadline, signal }: Received): StreamBody {
  try {
    deadline.restart(timeLimits.idle);
    for await (const piece of response.body ?? []) {
      deadline.signal.throwIfAborted();
      deadline.restart(timeLimits.idle);
      yield piece;
    }
  } catch (error) {
    throw asServiceError(error, signal, deadline);
  } finally {
    deadline.dispose();
  }
}
