// What a benchmark is: a name and something that measures and returns figures. They are printed, never asserted.

export interface Figure {
  readonly name: string;
  /** What was measured; the median when there are several. */
  readonly values: readonly number[];
  readonly unit: 'ms' | 'bytes' | 'kB' | 'MB' | 'lines' | 'writes' | 'calls' | 'executions' | 'statements' | 'a second';
  /** The name of an earlier figure of the same benchmark that this one is divided by. */
  readonly comparedTo?: string;
  /** What is hoped for, in words. */
  readonly aim?: string;
}

export interface Benchmark {
  readonly name: string;
  measure(): Promise<readonly Figure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
