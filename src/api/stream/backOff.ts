// How long to wait before trying again, as pure functions (contract sections 7.4 and 7.5).

const longestMs = 30_000;
/** A service's own `retry` is kept to, within reason. */
const longestFloorMs = 5 * 60_000;

/** Milliseconds before reconnecting: 1 s·2ⁿ and jitter, at most 30 s, at least what the service asked for. failures: from 0. random: from 0 to below 1. */
export function reconnectDelay(failures: number, floorMs: number, random: () => number): number {
  const backOff = 1000 * 2 ** Math.min(failures, 5);
  const delay = Math.min(longestMs, Math.round(backOff * (1 + random() / 2)));
  return Math.max(delay, Math.min(floorMs, longestFloorMs));
}

const pollSteps = [2000, 3000, 5000, 8000, 15_000];

/** Milliseconds between two polls; the more of them brought nothing, the longer. */
export function pollDelay(idlePolls: number, random: () => number): number {
  const base = pollSteps[Math.min(idlePolls, pollSteps.length - 1)] ?? 15_000;
  return Math.round(base * (0.9 + random() / 5));
}
