// The closing lines sum up runs that happen in different processes; each leaves its results in a file.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseJson } from '../../../src/base/json.ts';

const Failure = v.object({ title: v.string(), reason: v.string() });
const Results = v.object({
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  /** What failed, said again at the end: what was printed when it happened stands thousands of lines above. */
  failures: v.array(Failure),
});
export type Results = Readonly<v.InferOutput<typeof Results>>;

/** Where a run leaves its results, in the environment; without it the run leaves none. */
export const resultsVariable = 'WORKFLOW_TEST_RESULTS';

/** What another process found comes as an object that is no Error. */
const ErrorLike = v.object({ message: v.optional(v.string()), stack: v.optional(v.string()) });

function reasonOf(error: unknown): string {
  const { success, output } = v.safeParse(ErrorLike, error);
  return (success ? (output.stack ?? output.message) : undefined) ?? String(error);
}

/** Leaves the results of a run when it ends; runs of one stage, also side by side, leave a line each. */
export function recordResults(runner: Mocha.Runner): void {
  const path = process.env[resultsVariable];
  if (path === undefined) return;
  const failures: Results['failures'] = [];
  runner.on('fail', (test, error: unknown) => {
    failures.push({ title: test.fullTitle(), reason: reasonOf(error) });
  });
  runner.once('end', () => {
    const { passes = 0, failures: failed = 0, pending = 0 } = runner.stats ?? {};
    const results: Results = { passed: passes, failed, skipped: pending, failures };
    appendFileSync(path, `${JSON.stringify(results)}\n`);
  });
}

/** What several runs found together. */
export const sumResults = (all: readonly Results[]): Results => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  failures: all.flatMap(({ failures }) => failures),
});

/** What the runs of a stage left; a stage that left nothing, or ended badly without a failed test, broke down, which counts as one failure. */
export function readResults(path: string, stage: string, isPassed: boolean): Results {
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const lines = text === '' ? [] : text.split('\n').map((line) => v.parse(Results, parseJson(line)));
  const results = sumResults(lines);
  const isBroken = lines.length === 0 || (!isPassed && results.failed === 0);
  if (!isBroken) return results;
  const failure = { title: stage, reason: 'It broke down; what it printed says why.' };
  return { ...results, failed: 1, failures: [failure] };
}
