// One try of one call: for each request key, budget and time, redirects of reads followed, and the answer judged.
import { abortReason } from '../../base/cancellation.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { ServiceError } from '../../domain/serviceError.ts';
import { freeLease, type Lease, type RequestBudget } from '../budget/budget.ts';
import type { CallContext } from '../errors/classify.ts';
import { timedOut, unreachable } from '../errors/network.ts';
import { readRetryAfter } from '../errors/rateLimitHeaders.ts';
import type { HttpPort, HttpResponse } from '../http/httpPort.ts';
import { checkedBaseUrl } from './addresses.ts';
import { type Answer, failureOf, readRateLimit, toAnswer } from './answers.ts';
import { bodyLimits, discard, readText } from './body.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import {
  exchange,
  maximumRedirects,
  type Outgoing,
  type Redirect,
  redirectedInCircles,
  redirectOf,
} from './exchange.ts';
import { createMovedAddresses } from './movedAddresses.ts';
import { type ServiceRequest, toOutgoing } from './request.ts';
import type { Purpose } from '../../domain/budget.ts';

interface Identity {
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** What identifies the caller, read anew for each request; the budget knows its key from then on. Throws a ServiceError when there is nothing fit to send. */
export type Authorize = () => Promise<Identity>;

export interface TransportDeps {
  /** Loads the port on first use. */
  readonly http: () => Promise<HttpPort>;
  readonly baseUrl: string;
  readonly authorize: Authorize;
  /** Owned by the transport from now on. */
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Milliseconds: until the headers are there, until the whole body is, and between two pieces of a stream. */
export const timeLimits = { headers: 30_000, body: 120_000, idle: 60_000 } as const;

/** What is left of one try: the answer, or the error with what a repetition has to know. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly error: ServiceError; readonly toldWaitMs: number | null };

/** Pieces of a stream as they come. Throws a ServiceError on a drop or after the idle time; returning it closes the connection. */
export type StreamBody = AsyncGenerator<Uint8Array, void, void>;

export interface Sender {
  /** Rejects only when cancelled. */
  try(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<Outcome>;
  /** The same, but an event stream is handed over while it is open. */
  tryStream(
    request: ServiceRequest,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<Outcome | { readonly kind: 'stream'; readonly body: StreamBody }>;
}

interface Entered {
  readonly identity: Identity;
  readonly lease: Lease;
}

/** What is asked for, by whom. */
interface Asked {
  readonly request: ServiceRequest;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

interface Sent extends Asked {
  readonly response: HttpResponse;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly deadline: Deadline;
  readonly context: CallContext;
  readonly lease: Lease;
}

export function createSender(deps: TransportDeps): Sender {
  const { budget, clock, logger } = deps;
  const moved = createMovedAddresses();
  const ownOrigin = (): string => new URL(deps.baseUrl).origin;

  /** Waits for a place of the key that the request will carry, which may be replaced meanwhile. */
  async function enter(identity: Identity, purpose: Purpose, signal: AbortSignal): Promise<Entered> {
    const lease = await budget.admit(purpose, signal);
    if (!lease.hasWaited) return { identity, lease };
    try {
      const now = await deps.authorize();
      if (now.secret === identity.secret) return { identity: now, lease };
      lease.release(null);
      return await enter(now, purpose, signal);
    } catch (error) {
      lease.release(null);
      throw error;
    }
  }

  /** Sends one request, and hands the answer on as soon as its headers are there, unless it leads elsewhere. */
  async function hop<T>(
    outgoing: Omit<Outgoing, 'credentials'>,
    asked: Asked,
    use: (sent: Sent) => Promise<T>,
  ): Promise<Redirect | { readonly result: T }> {
    const { request, purpose, signal } = asked;
    const first = await deps.authorize();
    const http = await deps.http();
    // Only what carries the key is counted.
    const isOwn = new URL(outgoing.url).origin === ownOrigin();
    const { identity, lease } = isOwn
      ? await enter(first, purpose, signal)
      : { identity: first, lease: freeLease };
    const deadline = createDeadline(clock, signal);
    try {
      deadline.restart(timeLimits.headers);
      const credentials = { origin: ownOrigin(), headers: identity.headers };
      const placed = { ...outgoing, credentials };
      const response = await exchange(http, placed, deadline.signal);
      const mayBeNotDeployed = request.mayBeNotDeployed ?? false;
      const context = { now: clock.now(), mayBeNotDeployed, secrets: [identity.secret] };
      const sent = { ...asked, response, url: outgoing.url, deadline, context, lease };
      const redirect = redirectOf(placed, response);
      if (redirect === undefined) return { result: await use(sent) };
      settle(sent, toAnswer(response, outgoing.url, ''));
      await discard(response);
      deadline.dispose();
      return redirect;
    } catch (error) {
      deadline.dispose();
      throw asServiceError(error, signal, deadline);
    } finally {
      lease.release(null);
    }
  }

  /** Sends, and follows redirects: each hop is a request like any other. */
  async function send<T>(asked: Asked, use: (sent: Sent) => Promise<T>): Promise<T> {
    const outgoing = toOutgoing(asked.request, checkedBaseUrl(deps.baseUrl));
    let url = outgoing.method === 'GET' ? moved.targetOf(outgoing.url) : outgoing.url;
    let isMoved = true;
    for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
      const step = await hop({ ...outgoing, url }, asked, (sent) => {
        if (sent.response.status >= 400) moved.forget(outgoing.url);
        else if (isMoved && url !== outgoing.url) moved.record(outgoing.url, url);
        return use(sent);
      });
      if ('result' in step) return step.result;
      isMoved &&= step.isPermanent && new URL(step.url).origin === ownOrigin();
      url = step.url;
    }
    throw redirectedInCircles();
  }

  /** Another origin's limit says nothing of this key's. */
  function settle({ lease, url, context }: Sent, answer: Answer, error?: ServiceError): void {
    if (new URL(url).origin === ownOrigin()) lease.release(readRateLimit(answer, error, context.now));
  }

  /** Reads the whole body and judges it. */
  async function finish(sent: Sent): Promise<Outcome> {
    const { request, response, url, deadline, context } = sent;
    deadline.restart(timeLimits.body);
    const isOutput = request.isOutput ?? false;
    const text = await readText(response, isOutput ? bodyLimits.output : bodyLimits.other);
    deadline.dispose();
    const answer = toAnswer(response, url, text);
    const error = failureOf(answer, context, isOutput);
    settle(sent, answer, error);
    logger.debug(`${request.operation.method} ${request.operation.path} → ${answer.status}`);
    if (!error) return { kind: 'answer', answer };
    return { kind: 'failure', error, toldWaitMs: readRetryAfter(answer, context.now) };
  }

  function handOver(sent: Sent): { readonly kind: 'stream'; readonly body: StreamBody } {
    const { request, response, url } = sent;
    settle(sent, toAnswer(response, url, ''));
    logger.debug(`${request.operation.method} ${request.operation.path} → stream`);
    return { kind: 'stream', body: pieces(sent) };
  }

  async function failing<T>(request: ServiceRequest, sending: Promise<T>): Promise<T | Outcome> {
    try {
      return await sending;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      logger.debug(`${request.operation.method} ${request.operation.path} → ${error.message}`);
      return { kind: 'failure', error, toldWaitMs: null };
    }
  }

  return {
    try: (request, purpose, signal) => failing(request, send({ request, purpose, signal }, finish)),
    tryStream: (request, purpose, signal) =>
      failing(
        request,
        send({ request, purpose, signal }, async (sent) => {
          const type = sent.response.headers.get('content-type') ?? '';
          const isStream = sent.response.status === 200 && /^\s*text\/event-stream\b/i.test(type);
          return isStream ? handOver(sent) : finish(sent);
        }),
      ),
  };
}

/** Cancelled by the caller before all else, then our own clock, then what the port said. */
function asServiceError(error: unknown, signal: AbortSignal, deadline: Deadline): Error {
  if (signal.aborted) return abortReason(signal);
  if (deadline.isExpired) return timedOut();
  return error instanceof ServiceError ? error : unreachable(error);
}

/** A stream's pieces; a silence longer than the idle time is a dead connection. */
async function* pieces({ response, deadline, signal }: Sent): StreamBody {
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
