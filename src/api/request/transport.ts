// The way of every call: equal reads shared, tries repeated where that is safe, everything ended with the client.
import type { Disposable } from '../../base/disposable.ts';
import { wait } from '../../base/time.ts';
import { patienceMs, priorityOf, type RequestBudget } from '../budget/budget.ts';
import type { CallOptions } from '../client.ts';
import type { Answer } from './answers.ts';
import { repeatsOf, type ServiceRequest, toOutgoing } from './request.ts';
import { repeatDelay } from './retry.ts';
import { createSender, type StreamBody, type TransportDeps } from './sender.ts';
import { createSharedReads } from './sharedReads.ts';
import type { Purpose } from '../../domain/budget.ts';

type Opened =
  | { readonly kind: 'stream'; readonly body: StreamBody }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** A stream is somebody's: it has a purpose and an end of its own. */
type StreamOptions = Required<CallOptions>;

export interface Transport extends Disposable {
  readonly budget: RequestBudget;
  /** Resolves with a 2xx answer; rejects with a ServiceError or the signal's reason. */
  call(request: ServiceRequest, options?: CallOptions): Promise<Answer>;
  /** One try to open an event stream. An answer that is no stream comes back whole. */
  open(request: ServiceRequest, options: StreamOptions): Promise<Opened>;
}

export function createTransport(deps: TransportDeps): Transport {
  const { budget, clock } = deps;
  const sender = createSender(deps);
  const reads = createSharedReads<Answer>();
  const life = new AbortController();
  const within = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, life.signal]) : life.signal;

  /** What has more patience than its priority waits here until the budget takes it in. */
  async function untilNear(purpose: Purpose, ownPatienceMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = budget.waitMs(purpose);
    const beyondMs = waitMs - patienceMs[priorityOf[purpose]];
    if (beyondMs > 0 && waitMs <= ownPatienceMs) await wait(clock, beyondMs, signal);
  }

  async function repeatedly(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<Answer> {
    const repeats = repeatsOf(request);
    const ownPatienceMs = request.patienceMs ?? patienceMs[priorityOf[purpose]];
    for (let repeated = 0; ; repeated += 1) {
      await untilNear(purpose, ownPatienceMs, signal);
      const outcome = await sender.try(request, purpose, signal);
      if (outcome.kind === 'answer') return outcome.answer;
      const { error, toldWaitMs } = outcome;
      const waits = { toldWaitMs, budgetWaitMs: budget.waitMs(purpose), patienceMs: ownPatienceMs };
      const delay = repeatDelay({ error, repeats, repeated, ...waits }, deps.random);
      if (delay === null) throw error;
      await wait(clock, delay, signal);
    }
  }

  async function write(request: ServiceRequest, purpose: Purpose, signal: AbortSignal): Promise<Answer> {
    try {
      return await repeatedly(request, purpose, signal);
    } finally {
      reads.detach();
    }
  }

  return Object.freeze({
    budget,
    async call(request: ServiceRequest, options: CallOptions = {}): Promise<Answer> {
      const purpose = options.purpose ?? 'asked';
      const signal = within(options.signal);
      if (request.operation.method !== 'GET') return write(request, purpose, signal);
      const { url, headers } = toOutgoing(request, deps.baseUrl);
      const key = `${url} ${headers['Accept'] ?? ''}`;
      return reads.read(key, priorityOf[purpose], signal, (shared) => repeatedly(request, purpose, shared));
    },
    async open(request: ServiceRequest, { purpose, signal }: StreamOptions): Promise<Opened> {
      const headers = { ...request.headers, Accept: 'text/event-stream', 'Cache-Control': 'no-cache' };
      const opened = await sender.tryStream({ ...request, headers, isStream: true }, purpose, within(signal));
      if (opened.kind === 'failure') throw opened.error;
      return opened;
    },
    dispose() {
      life.abort(new DOMException('Cancelled', 'AbortError'));
      budget.dispose();
    },
  });
}
