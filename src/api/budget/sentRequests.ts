// What this process has sent and what still counts of it, so that a count that is lost can be made again.
import { limits } from '../../protocol/operations.ts';
import type { Purpose } from '../../domain/budget.ts';

export interface SentRequest {
  readonly id: string;
  readonly purpose: Purpose;
  readonly leftAt: number;
  /** When it had ended; null while it is under way. */
  readonly settledAt: number | null;
  /** From then on it does not count. */
  readonly expiresAt: number;
}

/** The longest that a request is on its way before the service counts it; the client gives up then. */
const longestWayMs = 30_000;

/** A request that leaves now. Until its answer is there nobody knows when the service began to count it. */
export function leaving(id: string, purpose: Purpose, now: number): SentRequest {
  const expiresAt = now + limits.windowMs + longestWayMs;
  return { id, purpose, leftAt: now, settledAt: null, expiresAt };
}

/** The same once it has ended: by now the service has counted it. */
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

  /** Those that count, in the order in which they left. */
  counting(now: number): readonly SentRequest[] {
    for (const [id, { expiresAt }] of this.#requests) {
      if (expiresAt <= now) this.#requests.delete(id);
    }
    return [...this.#requests.values()];
  }
}

/** How many requests were for what. */
export function countPurposes(
  requests: readonly Pick<SentRequest, 'purpose'>[],
): Readonly<Partial<Record<Purpose, number>>> {
  const counts: Partial<Record<Purpose, number>> = {};
  for (const { purpose } of requests) counts[purpose] = (counts[purpose] ?? 0) + 1;
  return counts;
}
