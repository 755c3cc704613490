// Why: one try of one call: key, budget, request, and the answer judged.
import { abortReason } from '../../base/cancellation.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { ServiceError } from '../../base/serviceError.ts';
import type { Permit, RequestBudget } from '../budget.ts';
import type { Purpose } from '../client.ts';
import type { CallContext } from '../failures/classify.ts';
import { timedOut, unreachable } from '../failures/network.ts';
import { toldWait } from '../failures/waitTime.ts';
import type { HttpPort } from '../httpPort.ts';
import { checkedBaseUrl } from './addresses.ts';
import { failureOf, limitReading, toAnswer } from './answers.ts';
import type { Answer } from './answers.ts';
import { bodyLimits, readText } from './body.ts';
import { createDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import type { Exchanged } from './exchange.ts';
import { toOutgoing } from './request.ts';
import type { ServiceRequest } from './request.ts';

interface Identity {
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** What identifies the caller, read anew for each request; the budget knows its key from then on. Throws a ServiceError when there is nothing fit to send. */
export type Authorize = () => Promise<Identity>;

export interface TransportParts {
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
  readonly permit: Permit;
}

interface Sent extends Exchanged {
  readonly request: ServiceRequest;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly context: CallContext;
  readonly permit: Permit;
}

export function createSender(parts: TransportParts): Sender {
  const { budget, clock, logger } = parts;

  /** Waits for a place of the key that the request will carry, which may be replaced meanwhile. */
  async function enter(identity: Identity, purpose: Purpose, signal: AbortSignal): Promise<Entered> {
    const permit = await budget.admit(purpose, signal);
    if (!permit.hasWaited) return { identity, permit };
    try {
      const now = await parts.authorize();
      if (now.secret === identity.secret) return { identity: now, permit };
      permit.settle(null);
      return await enter(now, purpose, signal);
    } catch (error) {
      permit.settle(null);
      throw error;
    }
  }

  /** Sends, and hands the answer on as soon as its headers are there. */
  async function send<T>(
    request: ServiceRequest,
    purpose: Purpose,
    signal: AbortSignal,
    use: (sent: Sent) => Promise<T>,
  ): Promise<T> {
    const baseUrl = checkedBaseUrl(parts.baseUrl);
    const outgoing = toOutgoing(request, baseUrl);
    const first = await parts.authorize();
    const http = await parts.http();
    const { identity, permit } = await enter(first, purpose, signal);
    const deadline = createDeadline(clock, signal);
    try {
      deadline.restart(timeLimits.headers);
      const credentials = { origin: new URL(baseUrl).origin, headers: identity.headers };
      const exchanged = await exchange(http, { ...outgoing, credentials }, deadline.signal);
      const mayBeNotDeployed = request.mayBeNotDeployed ?? false;
      const context = { now: clock.now(), mayBeNotDeployed, secrets: [identity.secret] };
      return await use({ ...exchanged, request, signal, deadline, context, permit });
    } catch (error) {
      deadline.dispose();
      throw asServiceError(error, signal, deadline);
    } finally {
      permit.settle(null);
    }
  }

  /** Reads the whole body and judges it. */
  async function finish({ request, response, url, deadline, context, permit }: Sent): Promise<Outcome> {
    deadline.restart(timeLimits.body);
    const isOutput = request.isOutput ?? false;
    const text = await readText(response, isOutput ? bodyLimits.output : bodyLimits.other);
    deadline.dispose();
    const answer = toAnswer(response, url, text);
    const error = failureOf(answer, context, isOutput);
    // Another origin's limit says nothing of this key's.
    if (new URL(url).origin === new URL(parts.baseUrl).origin)
      permit.settle(limitReading(answer, error, context.now));
    logger.debug(`${request.operation.method} ${request.operation.path} → ${answer.status}`);
    if (!error) return { kind: 'answer', answer };
    return { kind: 'failure', error, toldWaitMs: toldWait(answer, context.now) };
  }

  function handOver(sent: Sent): { readonly kind: 'stream'; readonly body: StreamBody } {
    const { request, response, url, context, permit } = sent;
    permit.settle(limitReading(toAnswer(response, url, ''), undefined, context.now));
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
    try: (request, purpose, signal) => failing(request, send(request, purpose, signal, finish)),
    tryStream: (request, purpose, signal) =>
      failing(
        request,
        send(request, purpose, signal, async (sent) => {
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
