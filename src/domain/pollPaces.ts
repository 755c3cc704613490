/** Milliseconds between two polls, indexed by how many polls in a row found nothing new. The last value repeats. */
export const pollPaces = {
  /** For followed executions and visible views. */
  watched: [2000, 3000, 5000, 8000, 15_000],
  /** For data that's kept up to date while it isn't visible. */
  hidden: [15_000, 30_000, 60_000],
} as const;

/** Milliseconds until the next poll. idlePolls: how many polls in a row found nothing new. */
export function pollDelay(pace: keyof typeof pollPaces, idlePolls: number): number {
  const delays: readonly number[] = pollPaces[pace];
  return delays[Math.min(idlePolls, delays.length - 1)] ?? 15_000;
}
