/** The most arrivals in any sixty seconds; times in milliseconds. */
export function densest(arrivals: readonly number[]): number {
  const sorted = [...arrivals].sort((one, other) => one - other);
  let first = 0;
  return Math.max(
    ...sorted.map((arrival, index) => {
      while (arrival - (sorted[first] ?? 0) >= 60_000) first += 1;
      return index - first + 1;
    }),
  );
}
