import { abortReason } from '../../base/async.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import type { Logger } from '../../base/logger.ts';
import { type Clock, Deadline } from '../../base/time.ts';
import { ServiceError } from '../../domain/errors.ts';
import { freePermit, type RequestPermit, type RequestBudget } from '../budget/budget.ts';
import type { RateLimit } from '../budget/slots.ts';
import { type CallContext, failureOf, timedOut, unreachable, wasNeverSent } from '../errors/classify.ts';
import { readRateLimit, readRetryAfter } from '../errors/rateLimitHeaders.ts';
import type { HttpPort, HttpResponse } from '../http/httpPort.ts';
import {
  type CompleteResponse,
  bodyLimits,
  discard,
  readBodyText,
  toCompleteResponse,
} from '../http/completeResponse.ts';
import {
  checkedBaseUrl,
  maximumRedirects,
  type Outgoing,
  type RedirectTarget,
  redirectedInCircles,
  redirectOf,
  redirectRefused,
  type ServiceRequest,
  toOutgoing,
} from './request.ts';

interface Identity {
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** Returns the caller's credentials, read again for each request. Rejects with a ServiceError when there are no valid ones. */
export type Authorize = () => Promise<Identity>;

export interface SenderDeps {
  /** Loads the port on first use. */
  readonly http: () => Promise<HttpPort>;
  readonly baseUrl: string;
  readonly authorize: Authorize;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly logger: Logger;
  /** False to refuse the redirects of reads too. Default: true. */
  readonly followsRedirects?: boolean;
  /** Called for each response of the service itself, also for refusals. */
  readonly onHeaders?: ((headers: HttpResponse['headers']) => void) | undefined;
  /** Whether it's what a service says that isn't ready yet, in place of a response. Default: never. */
  readonly isStarting?: ((response: CompleteResponse) => boolean) | undefined;
}

/** Milliseconds until the headers arrive, until the whole body arrives, and between two chunks of a stream. */
const timeLimits = { headers: 30_000, body: 120_000, idle: 60_000 } as const;

/** Maximum number of remembered permanent redirects. */
const maximumMoved = 100;

/** The result of one attempt: the response, or the error and what a retry needs. retryAfterMs: the wait that the response requested. */
type Outcome =
  | { readonly kind: 'response'; readonly response: CompleteResponse }
  | { readonly kind: 'failure'; readonly error: ServiceError; readonly retryAfterMs: number | null };

/**
 * Pieces of a stream as they arrive, each of 16 KB at most. Throws a ServiceError when the connection drops or after the idle time. Returning the generator closes
 * the connection, also before anything was read.
 */
export type StreamBody = AsyncGenerator<Uint8Array, void, void>;

type StreamOutcome = Outcome | { readonly kind: 'stream'; readonly body: StreamBody };

/** Waits for the permit of one request, with the key that the budget has. Rejects as the budget does. */
type Admit = (signal: AbortSignal) => Promise<RequestPermit>;

/** A request with its caller's signal. */
interface Asked {
  readonly request: ServiceRequest;
  readonly admit: Admit;
  readonly signal: AbortSignal;
}

/** A response whose headers have arrived. Whoever takes it releases its permit: `#finish` or `#handOver`. */
interface Received extends Asked {
  readonly response: HttpResponse;
  /** The response's address, after redirects. */
  readonly url: string;
  readonly deadline: Deadline;
  readonly permit: RequestPermit;
  readonly context: CallContext;
}

/** Makes one attempt of a call: gets a key, a permit and a time limit for each request, follows the redirects of reads, and checks the response. */
export class Sender {
  readonly #deps: SenderDeps;
  /** Permanent redirects of reads, which the next read uses directly. */
  readonly #moved = new BoundedMap<string, string>(maximumMoved);

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Rejects only when cancelled. */
  try(request: ServiceRequest, admit: Admit, signal: AbortSignal): Promise<Outcome> {
    return this.#failing(request, async () => this.#finish(await this.#receive({ request, admit, signal })));
  }

  /** Like `try`, but hands over an event stream while it's open. */
  tryStream(request: ServiceRequest, admit: Admit, signal: AbortSignal): Promise<StreamOutcome> {
    return this.#failing<StreamOutcome>(request, async () => {
      const received = await this.#receive({ request, admit, signal });
      return isEventStream(received.response) ? this.#handOver(received) : this.#finish(received);
    });
  }

  get #origin(): string {
    return new URL(this.#deps.baseUrl).origin;
  }

  #isOwn(url: string): boolean {
    return new URL(url).origin === this.#origin;
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
  async #receive(asked: Asked): Promise<Received> {
    const outgoing = toOutgoing(asked.request, checkedBaseUrl(this.#deps.baseUrl));
    const moved = outgoing.method === 'GET' ? this.#moved.get(outgoing.url) : undefined;
    let url = moved ?? outgoing.url;
    let isMoved = true;
    for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
      const step = await this.#hop({ ...outgoing, url }, asked);
      if ('response' in step) {
        if (step.response.status >= 400) this.#moved.delete(outgoing.url);
        else if (isMoved && url !== outgoing.url) this.#moved.set(outgoing.url, url);
        return step;
      }
      isMoved &&= step.isPermanent && this.#isOwn(step.url);
      url = step.url;
    }
    throw redirectedInCircles();
  }

  /** Sends one request. Releases its permit unless it returns a response. */
  async #hop(outgoing: Outgoing, asked: Asked): Promise<RedirectTarget | Received> {
    const { url, ...sent } = outgoing;
    const { signal, request } = asked;
    const { identity, http, permit } = await this.#admit(url, asked);
    const { clock } = this.#deps;
    const deadline = new Deadline(clock, signal);
    let limit: RateLimit | null = null;
    try {
      deadline.restart(timeLimits.headers);
      // Another origin gets no credentials.
      const headers = this.#isOwn(url) ? { ...sent.headers, ...identity.headers } : sent.headers;
      const response = await http(url, { ...sent, headers, signal: deadline.signal });
      if (this.#isOwn(url)) this.#deps.onHeaders?.(response.headers);
      const mayBeNotDeployed = request.mayBeNotDeployed ?? false;
      const context = { now: clock.now(), mayBeNotDeployed, secrets: [identity.secret] };
      const redirect = redirectOf(outgoing, response, this.#origin);
      if (redirect === undefined) return { ...asked, response, url, deadline, permit, context };
      if (this.#deps.followsRedirects === false) throw redirectRefused(response.status);
      limit = readRateLimit(toCompleteResponse(response, url, ''), undefined, context.now);
      await discard(response);
      deadline.dispose();
      permit.release(limit);
      return redirect;
    } catch (error) {
      deadline.dispose();
      permit.release(wasNeverSent(error) ? 'unsent' : limit);
      throw asServiceError(error, signal, deadline);
    }
  }

  /**
   * Returns the credentials, the port and a permit for a request to this address. Only requests with the key need a permit: another origin's
   * rate limit isn't that of the key.
   */
  async #admit(
    url: string,
    { admit, signal }: Asked,
  ): Promise<{ readonly identity: Identity; readonly http: HttpPort; readonly permit: RequestPermit }> {
    let identity = await this.#identify();
    let http = await this.#deps.http();
    if (!this.#isOwn(url)) return { identity, http, permit: freePermit };
    for (;;) {
      const permit = await admit(signal);
      if (!permit.hasWaited) return { identity, http, permit };
      // If the key was replaced in the meantime, the next request needs a permit of the new one.
      const { secret } = identity;
      try {
        identity = await this.#identify();
        // The settings may have changed too, which closes the port that was loaded before.
        http = await this.#deps.http();
      } catch (error) {
        permit.release('unsent');
        throw error;
      }
      if (identity.secret === secret) return { identity, http, permit };
      permit.release('unsent');
    }
  }

  /** From now on, the budget is that of the key. */
  async #identify(): Promise<Identity> {
    const identity = await this.#deps.authorize();
    this.#deps.budget.useKey(identity.secret);
    return identity;
  }

  /** Reads the whole body, checks it, and releases the permit. */
  async #finish({ request, signal, response, url, deadline, permit, context }: Received): Promise<Outcome> {
    let limit: RateLimit | null = null;
    try {
      deadline.restart(timeLimits.body);
      const isOutput = request.isOutput ?? false;
      const isWanted = request.operation.method === 'GET' && response.status >= 200 && response.status < 300;
      const text = await readBodyText(response, isOutput ? bodyLimits.output : bodyLimits.other, isWanted);
      deadline.dispose();
      const complete = toCompleteResponse(response, url, text);
      const error = this.#deps.isStarting?.(complete)
        ? new ServiceError({ kind: 'unavailable' }, 'The service is starting.', { status: response.status })
        : failureOf(complete, context, isOutput);
      limit = readRateLimit(complete, error, context.now);
      this.#log(request, response.status);
      if (!error) return { kind: 'response', response: complete };
      return { kind: 'failure', error, retryAfterMs: readRetryAfter(complete, context.now) };
    } catch (error) {
      deadline.dispose();
      throw asServiceError(error, signal, deadline);
    } finally {
      permit.release(limit);
    }
  }

  /** Releases the permit at once: a stream counts as one request, however long it stays open. */
  async #handOver(received: Received): Promise<StreamOutcome> {
    const { request, response, url, deadline, permit, context } = received;
    let limit: RateLimit | null = null;
    try {
      limit = readRateLimit(toCompleteResponse(response, url, ''), undefined, context.now);
      this.#log(request, 'stream');
      const body = pieces(received);
      // Returning a generator that wasn't begun would close nothing.
      await body.next();
      return { kind: 'stream', body };
    } catch (error) {
      deadline.dispose();
      throw error;
    } finally {
      permit.release(limit);
    }
  }

  #log({ operation }: ServiceRequest, end: string | number): void {
    this.#deps.logger.debug(`${operation.method} ${operation.path} → ${end}`);
  }
}

function isEventStream({ status, headers }: HttpResponse): boolean {
  return status === 200 && /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Cancellation by the caller comes first, then the time limit, then the port's error. */
function asServiceError(error: unknown, signal: AbortSignal, deadline: Deadline): Error {
  if (signal.aborted) return abortReason(signal);
  if (deadline.isExpired) return timedOut();
  return error instanceof ServiceError ? error : unreachable(error);
}

/**
 * In bytes. What is made of a piece lives while it's taken in: of larger ones so much that V8's young generation grows by 60 MB in a long log.
 */
const maximumPiece = 16 * 1024;

/** Yields an empty piece, then a stream's pieces. A connection that's silent for longer than the idle time is treated as dead. */
async function* pieces({ response, deadline, signal }: Received): StreamBody {
  try {
    deadline.restart(timeLimits.idle);
    yield new Uint8Array();
    for await (const chunk of response.body ?? []) {
      deadline.signal.throwIfAborted();
      deadline.restart(timeLimits.idle);
      for (let at = 0; at < chunk.length; at += maximumPiece) yield chunk.subarray(at, at + maximumPiece);
    }
  } catch (error) {
    throw asServiceError(error, signal, deadline);
  } finally {
    deadline.dispose();
  }
}
