// Time is handed in, so that expiry and the sliding window can be tested without waiting.

/** Epoch milliseconds. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds since some moment, by a clock that nobody can set. */
export type SteadyClock = () => number;

export const systemSteadyClock: SteadyClock = () => performance.now();

/** ISO 8601 in UTC with milliseconds (contract section 1). */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
