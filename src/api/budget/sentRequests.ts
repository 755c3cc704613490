// This process's requests that still count, kept so that a lost count can be restored.
import { limits } from '../../protocol/operations.ts';
import type { Purpose } from '../../domain/budget.ts';

export interface SentRequest {
  readonly id: string;
  readonly purpose: Purpose;
  readonly leftAt: number;
  /** When it ended; null while it's in progress. */
  readonly settledAt: number | null;
  /** When it stops counting. */
  readonly expiresAt: number;
}

/** The longest time until the service counts a request, in milliseconds. The client gives up then. */
const longestWayMs = 30_000;

/** Returns a request sent at `now`. Until its response arrives, it's unknown when the service counted it. */
export function leaving(id: string, purpose: Purpose, now: number): SentRequest {
  const expiresAt = now + limits.windowMs + longestWayMs;
  return { id, purpose, leftAt: now, settledAt: null, expiresAt };
}

/** Returns the request after its end, when the service has certainly counted it. */
function ended(request: SentRequest, now: number): SentRequest {
  return { ...request, settledAt: now, expiresAt: now + limits.windowMs };
}

export class SentRequests {
  readonly #requests = new Map<string, SentRequest>();

  add(id: string, purpose: Purpose, now: number): void {
    this.#requests.set(id, leaving(id, purpose, now));
  }

  settle(id: string, now: number): void {
    const request = this.#requests.get(id);
    if (request !== undefined) this.#requests.set(id, ended(request, now));
  }

  /** Returns the requests that count, in the order they were sent. */
  counting(now: number): readonly SentRequest[] {
    for (const [id, { expiresAt }] of this.#requests) {
      if (expiresAt <= now) this.#requests.delete(id);
    }
    return [...this.#requests.values()];
  }
}

export function countPurposes(
  requests: readonly Pick<SentRequest, 'purpose'>[],
): Readonly<Partial<Record<Purpose, number>>> {
  const counts: Partial<Record<Purpose, number>> = {};
  for (const { purpose } of requests) counts[purpose] = (counts[purpose] ?? 0) + 1;
  return counts;
}
