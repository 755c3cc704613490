// Why: the closing line sums up runs that happen in different processes; each leaves its counts in a file.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '../../src/base/json.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Where a run leaves its counts, in the environment; without it the run leaves none. */
export const countsVariable = 'WORKFLOW_TEST_COUNTS';

/** Called at a run's end, by whatever runs it; runs of one stage, also side by side, leave a line each. */
export function writeCounts(stats: Mocha.Stats | undefined): void {
  const path = process.env[countsVariable];
  if (path === undefined || stats === undefined) return;
  const counts: Counts = { passed: stats.passes, failed: stats.failures, skipped: stats.pending };
  appendFileSync(path, `${JSON.stringify(counts)}\n`);
}

/** What the runs of a stage left together; a stage that left nothing broke down, which counts as one failure. */
export function readCounts(path: string): Counts {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const lines = readFileSync(path, 'utf8').trim().split('\n').map(parseJson).filter(isJsonObject);
  const sum = (name: keyof Counts): number => lines.reduce((total, line) => total + Number(line[name]), 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
