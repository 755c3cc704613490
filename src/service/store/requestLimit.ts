// The rate limit of each key (contract section 6): a number of requests in any 60 seconds.
import type { Now } from '../../base/time.ts';
import { limits } from '../../protocol/operations.ts';

export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** The time until the oldest request leaves the window, in milliseconds. */
  readonly resetInMs: number;
}

export interface RequestLimit {
  readonly requestsPerMinute: number;
  /** Counts one request of the key; a refused request isn't counted. Rejects with a StorageError when it can't be counted. */
  take(keyId: string): Promise<Allowance>;
}

/** Counts for one process, by a monotonic clock: setting back the system's clock would lock keys out for that time. */
export class MemoryRequestLimit implements RequestLimit {
  readonly requestsPerMinute: number;
  readonly #steadyNow: Now;
  /** The times of the counted requests, by key id. */
  readonly #windows = new Map<string, number[]>();

  constructor(requestsPerMinute: number, steadyNow: Now) {
    this.requestsPerMinute = requestsPerMinute;
    this.#steadyNow = steadyNow;
  }

  take(keyId: string): Promise<Allowance> {
    const now = this.#steadyNow();
    const taken = (this.#windows.get(keyId) ?? []).filter((time) => time > now - limits.windowMs);
    const isAllowed = taken.length < this.requestsPerMinute;
    if (isAllowed) taken.push(now);
    this.#windows.set(keyId, taken);
    return Promise.resolve({
      isAllowed,
      remaining: this.requestsPerMinute - taken.length,
      resetInMs: (taken[0] ?? now) + limits.windowMs - now,
    });
  }
}
