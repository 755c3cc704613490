// Why: the way of every call: equal reads shared, tries repeated where that is safe, everything ended with the client.
import { wait } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { patienceMs } from '../budget.ts';
import type { RequestBudget } from '../budget.ts';
import type { CallOptions, Priority } from '../client.ts';
import type { Answer } from './answers.ts';
import { repeatsOf, toOutgoing } from './request.ts';
import type { ServiceRequest } from './request.ts';
import { repeatDelay } from './retry.ts';
import { createSender } from './sender.ts';
import type { StreamBody, TransportParts } from './sender.ts';
import { createSharedReads } from './sharedReads.ts';

type Opened =
  | { readonly kind: 'stream'; readonly body: StreamBody }
  | { readonly kind: 'answer'; readonly answer: Answer };

export interface Transport extends Disposable {
  readonly budget: RequestBudget;
  /** Resolves with a 2xx answer; rejects with a ServiceError or the signal's reason. */
  call(request: ServiceRequest, options?: CallOptions): Promise<Answer>;
  /** One try to open an event stream, at the priority of following. An answer that is no stream comes back whole. */
  open(request: ServiceRequest, signal: AbortSignal): Promise<Opened>;
}

export function createTransport(parts: TransportParts): Transport {
  const { budget, clock } = parts;
  const sender = createSender(parts);
  const reads = createSharedReads<Answer>();
  const life = new AbortController();
  const within = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, life.signal]) : life.signal;

  /** What has more patience than its priority waits here until the budget takes it in. */
  async function untilNear(priority: Priority, ownPatienceMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = budget.waitMs(priority);
    const beyondMs = waitMs - patienceMs[priority];
    if (beyondMs > 0 && waitMs <= ownPatienceMs) await wait(clock, beyondMs, signal);
  }

  async function repeatedly(
    request: ServiceRequest,
    priority: Priority,
    signal: AbortSignal,
  ): Promise<Answer> {
    const repeats = repeatsOf(request);
    const ownPatienceMs = request.patienceMs ?? patienceMs[priority];
    for (let repeated = 0; ; repeated += 1) {
      await untilNear(priority, ownPatienceMs, signal);
      const outcome = await sender.try(request, priority, signal);
      if (outcome.kind === 'answer') return outcome.answer;
      const { error, toldWaitMs } = outcome;
      const waits = { toldWaitMs, budgetWaitMs: budget.waitMs(priority), patienceMs: ownPatienceMs };
      const delay = repeatDelay({ error, repeats, repeated, ...waits }, parts.random);
      if (delay === null) throw error;
      await wait(clock, delay, signal);
    }
  }

  async function write(request: ServiceRequest, priority: Priority, signal: AbortSignal): Promise<Answer> {
    try {
      return await repeatedly(request, priority, signal);
    } finally {
      reads.detach();
    }
  }

  return Object.freeze({
    budget,
    async call(request: ServiceRequest, options: CallOptions = {}): Promise<Answer> {
      const priority = options.priority ?? 'user';
      const signal = within(options.signal);
      if (request.operation.method !== 'GET') return write(request, priority, signal);
      const { url, headers } = toOutgoing(request, parts.baseUrl);
      const key = `${url} ${headers['Accept'] ?? ''}`;
      return reads.read(key, priority, signal, (shared) => repeatedly(request, priority, shared));
    },
    async open(request: ServiceRequest, signal: AbortSignal): Promise<Opened> {
      const headers = { ...request.headers, Accept: 'text/event-stream', 'Cache-Control': 'no-cache' };
      const opened = await sender.tryStream({ ...request, headers, isStream: true }, within(signal));
      if (opened.kind === 'failure') throw opened.error;
      return opened;
    },
    dispose() {
      life.abort(new DOMException('Cancelled', 'AbortError'));
      budget.dispose();
    },
  });
}
