/** Milliseconds between two polls, by how many in a row brought nothing; the last one goes on. */
export const pollPaces = {
  /** What someone follows or looks at. */
  watched: [2000, 3000, 5000, 8000, 15_000],
  /** What is kept up to date out of sight. */
  hidden: [15_000, 30_000, 60_000],
} as const;

/** Milliseconds until the next poll. idlePolls: how many in a row brought nothing. */
export function pollDelay(pace: keyof typeof pollPaces, idlePolls: number): number {
  const delays: readonly number[] = pollPaces[pace];
  return delays[Math.min(idlePolls, delays.length - 1)] ?? 15_000;
}
