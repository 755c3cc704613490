/** In milliseconds. */
export interface DurationStatistics {
  readonly median: number;
  /** 95 of 100 took no longer: the smallest such duration. */
  readonly p95: number;
  readonly longest: number;
}

/** durations: in milliseconds. Returns null without any. */
export function measureDurations(durations: readonly number[]): DurationStatistics | null {
  const sorted = Float64Array.from(durations).sort();
  const longest = sorted.at(-1);
  if (longest === undefined) return null;
  const at = (index: number): number => sorted[index] ?? longest;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    p95: at(Math.ceil(sorted.length * 0.95) - 1),
    longest,
  };
}
