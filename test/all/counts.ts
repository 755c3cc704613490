// Why: the closing line sums up runs that happen in different processes; each leaves its counts in a file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '../../src/base/json.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Where a run leaves its counts, in the environment; without it the run leaves none. */
export const countsVariable = 'WORKFLOW_TEST_COUNTS';

/** Called at a run's end, by whatever runs it; several runs of one stage add up. */
export function writeCounts(stats: Mocha.Stats | undefined): void {
  const path = process.env[countsVariable];
  if (path === undefined || stats === undefined) return;
  const before = existsSync(path) ? readCounts(path) : { passed: 0, failed: 0, skipped: 0 };
  const counts: Counts = {
    passed: before.passed + stats.passes,
    failed: before.failed + stats.failures,
    skipped: before.skipped + stats.pending,
  };
  writeFileSync(path, JSON.stringify(counts));
}

/** What a run left; one that left nothing broke down, which counts as one failure. */
export function readCounts(path: string): Counts {
  const value = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  if (!isJsonObject(value)) return { passed: 0, failed: 1, skipped: 0 };
  return {
    passed: Number(value['passed']),
    failed: Number(value['failed']),
    skipped: Number(value['skipped']),
  };
}
