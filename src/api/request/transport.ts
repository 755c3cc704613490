import type { Disposable } from '../../base/disposable.ts';
import { wait } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../protocol/operations.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { maximumWaitMs, priorityOf, type RequestBudget, type RequestPermit } from '../budget/budget.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { ClientOwner } from '../servicePort.ts';
import { type ServiceRequest, toOutgoing, type Outgoing } from './request.ts';
import { Sender, type SenderDeps, type StreamBody } from './sender.ts';
import { SharedReads } from './sharedReads.ts';

export type OpenedStream =
  | { readonly kind: 'stream'; readonly body: StreamBody }
  | { readonly kind: 'response'; readonly response: CompleteResponse };

/** Unlike a call, a stream always needs a purpose and a signal. */
export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
}

/** A call whose purpose and signal are settled. */
interface Call extends Pick<CallOptions, 'isOnce'> {
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

export interface Transport extends Disposable {
  readonly budget: RequestBudget;
  /** Resolves with a 2xx response; rejects with a ServiceError or the signal's reason. */
  call(request: ServiceRequest, options?: CallOptions): Promise<CompleteResponse>;
  /** Tries once to open an event stream. A response that isn't a stream is returned whole. */
  open(request: ServiceRequest, options: StreamOptions): Promise<OpenedStream>;
  /** Returns the request as it's sent, without sending it and without credentials. */
  describe(request: ServiceRequest): Outgoing;
}

/** Shows the user the requests that wait for the limit. */
export interface Waits {
  /** True while the user waits for what such requests do, sees what it waits for, and can end it. */
  isAttended(purpose: Purpose): boolean;
  /** until: epoch milliseconds. Disposed of when the wait is over. */
  begin(until: number, cancel: () => void): Disposable;
}

export interface TransportDeps extends SenderDeps {
  /** Owned by the transport. */
  readonly budget: RequestBudget;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly owner?: ClientOwner | undefined;
  readonly waits?: Waits | undefined;
}

/** read: a GET. write: retried only when the service certainly did nothing. */
export type RequestKind = 'read' | 'write';

function kindOf({ operation, isChange = false }: ServiceRequest): RequestKind {
  return operation.method === 'GET' && !isChange ? 'read' : 'write';
}

export interface FailedAttempt {
  readonly error: ServiceError;
  readonly kind: RequestKind;
  /** Number of retries so far. */
  readonly retries: number;
  /** The wait that a 503 requested, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** The wait that a refusal for the request limit leads to, in milliseconds; 0 for another failure. */
  readonly refusedForMs: number;
  /** How long the budget would delay a retry, and the longest delay allowed, in milliseconds. */
  readonly budgetWaitMs: number;
  readonly maximumWaitMs: number;
}

/** How long the limit may delay a request whose wait the user sees, in milliseconds: a whole minute, and a little more. */
const attendedPatienceMs = limits.windowMs + 5000;
/** Shorter waits aren't shown, in milliseconds. */
const shownWaitMs = 1000;

const maximumRetries = 3;
const firstDelayMs = 250;
const busyStatuses = new Set([502, 503, 504]);
/** These don't recover within a second, and a timeout has already taken its time. */
const lastingCauses = new Set(['tls', 'proxy', 'timeout']);

/** Milliseconds to wait before the next attempt; null to give up. random: from 0 to below 1. */
export function retryDelay(attempt: FailedAttempt, random: () => number): number | null {
  const { error, kind, retries } = attempt;
  if (retries >= maximumRetries) return null;
  const backOff = Math.round(firstDelayMs * 2 ** retries * (0.5 + random() / 2));
  const { reason } = error;
  if (reason.kind === 'rateLimited') {
    const { budgetWaitMs, refusedForMs, maximumWaitMs: longestMs } = attempt;
    if (reason.isQuota || Math.max(budgetWaitMs, refusedForMs) > longestMs) return null;
    // A budget that counts lets the retry wait itself.
    return budgetWaitMs > 0 ? 0 : refusedForMs;
  }
  if (kind !== 'read') return null;
  if (reason.kind === 'unreachable') {
    // Without a cause, the client itself refused to send or timed out.
    const isLasting = error.cause === undefined || lastingCauses.has(reason.cause);
    return isLasting ? null : backOff;
  }
  if (reason.kind !== 'unavailable' || !busyStatuses.has(error.status)) return null;
  const delay = Math.max(backOff, attempt.retryAfterMs ?? 0);
  return delay > attempt.maximumWaitMs ? null : delay;
}

/** Sends all requests: shares equal reads, retries where that's safe, and cancels everything when disposed of. */
export class RequestTransport implements Transport {
  readonly #deps: TransportDeps;
  readonly #sender: Sender;
  readonly #reads = new SharedReads<CompleteResponse>();
  readonly #life = new AbortController();

  constructor(deps: TransportDeps) {
    this.#deps = deps;
    this.#sender = new Sender(deps);
  }

  get budget(): RequestBudget {
    return this.#deps.budget;
  }

  call(request: ServiceRequest, options: CallOptions = {}): Promise<CompleteResponse> {
    const purpose = options.purpose ?? 'asked';
    const signal = this.#within(options.signal);
    return this.#reporting(() =>
      kindOf(request) === 'read'
        ? this.#read(request, purpose, signal)
        : this.#write(request, { ...options, purpose, signal }),
    );
  }

  open(request: ServiceRequest, { purpose, signal }: StreamOptions): Promise<OpenedStream> {
    const headers = { ...request.headers, Accept: 'text/event-stream', 'Cache-Control': 'no-cache' };
    const asked = { ...request, headers, isStream: true };
    return this.#reporting(async () => {
      const opened = await this.#sender.tryStream(
        asked,
        (within) => this.budget.admit(purpose, within),
        this.#within(signal),
      );
      if (opened.kind === 'failure') throw opened.error;
      return opened.kind === 'response'
        ? { ...opened, response: this.#ownedResponse(opened.response) }
        : opened;
    });
  }

  describe(request: ServiceRequest): Outgoing {
    return toOutgoing(request, this.#deps.baseUrl);
  }

  dispose(): void {
    this.#life.abort(new DOMException('Cancelled', 'AbortError'));
    this.budget.dispose();
  }

  #within(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#life.signal]) : this.#life.signal;
  }

  /** Every outcome passes through here. */
  async #reporting<T>(work: () => Promise<T>): Promise<T> {
    const { owner } = this.#deps;
    try {
      const result = await work();
      owner?.onResponse?.();
      return result;
    } catch (error) {
      if (owner === undefined || !(error instanceof ServiceError)) throw error;
      const owned = error.ofConnection(owner.connectionId);
      owner.onFailure(owned);
      throw owned;
    }
  }

  #ownedResponse(response: CompleteResponse): CompleteResponse {
    const { owner } = this.#deps;
    return owner === undefined ? response : { ...response, connectionId: owner.connectionId };
  }

  async #read(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<CompleteResponse> {
    const { url, headers } = toOutgoing(request, this.#deps.baseUrl);
    const key = `${url} ${headers['Accept'] ?? ''}`;
    const urgency = this.#isAttended(purpose) ? 'attended' : priorityOf[purpose];
    return this.#reads.read(key, urgency, signal, (shared) =>
      this.#sendWithRetries(request, { purpose, signal: shared }),
    );
  }

  async #write(request: ServiceRequest, call: Call): Promise<CompleteResponse> {
    try {
      return await this.#sendWithRetries(request, call);
    } finally {
      this.#reads.detach();
    }
  }

  async #sendWithRetries(
    request: ServiceRequest,
    { purpose, signal, isOnce = false }: Call,
  ): Promise<CompleteResponse> {
    const { budget, clock, random } = this.#deps;
    const kind = kindOf(request);
    const isAttended = this.#isAttended(purpose);
    const usualPatienceMs = maximumWaitMs[priorityOf[purpose]];
    const ownPatienceMs = isAttended
      ? Math.max(attendedPatienceMs, usualPatienceMs)
      : (request.maximumWaitMs ?? usualPatienceMs);
    const admit = (within: AbortSignal): Promise<RequestPermit> =>
      isAttended
        ? this.#admitInSight(purpose, ownPatienceMs, within)
        : budget.admit(purpose, within, { patienceMs: Math.max(ownPatienceMs, usualPatienceMs) });
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#sender.try(request, admit, signal);
      if (outcome.kind === 'response') return this.#ownedResponse(outcome.response);
      const { error, retryAfterMs } = outcome;
      const { reason } = error;
      const waits = {
        retryAfterMs,
        refusedForMs: reason.kind === 'rateLimited' ? Math.max(0, reason.retryAt - clock.now()) : 0,
        budgetWaitMs: budget.waitMs(purpose),
        maximumWaitMs: ownPatienceMs,
      };
      const delay = isOnce ? null : retryDelay({ error, kind, retries, ...waits }, random);
      if (delay === null) throw error;
      await wait(clock, delay, signal);
    }
  }

  /** Whether a command of the user waits for the request. */
  #isAttended(purpose: Purpose): boolean {
    return this.#deps.waits?.isAttended(purpose) === true;
  }

  /** Shows the user how long the request has to wait for the limit. */
  async #admitInSight(purpose: Purpose, patienceMs: number, signal: AbortSignal): Promise<RequestPermit> {
    const { budget, clock, waits } = this.#deps;
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new DOMException('Cancelled', 'AbortError'));
    let shown: Disposable | undefined;
    let shownUntil = -Infinity;
    const onWait = (until: number): void => {
      const isLonger = shown === undefined ? until - clock.now() >= shownWaitMs : until > shownUntil;
      if (!isLonger) return;
      const before = shown;
      shown = waits?.begin(until, cancel);
      shownUntil = until;
      before?.dispose();
    };
    try {
      return await budget.admit(purpose, AbortSignal.any([signal, controller.signal]), {
        patienceMs,
        onWait,
      });
    } finally {
      shown?.dispose();
    }
  }
}
