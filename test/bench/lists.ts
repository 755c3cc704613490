// Why: whoever has ten thousand workflows and executions must not wait longer for the first of them than whoever has ten.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { findDesktopForTests } from '../vscode/desktop.ts';
import { runInVsCode } from '../vscode/hostRun.ts';
import { root } from '../vscode/paths.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const Rounds = v.array(v.tuple([v.number(), v.number()]));
const Result = v.object({ few: Rounds, many: Rounds });

export const lists: Benchmark = {
  name: 'First rows after switching to a connection, on screen',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-bench-'));
    try {
      const result = join(folder, 'times.json');
      const isDone = await runInVsCode({
        developmentPath: root,
        installedPaths: [],
        testsPath: join(root, 'dist', 'test', 'bench', 'listsProbe.cjs'),
        environment: { WORKFLOW_BENCH_RESULT: result },
        desktop: await findDesktopForTests(),
        isVerbose: false,
      });
      if (!isDone) throw new Error('The rows never stood there.');
      const { few, many } = v.parse(Result, JSON.parse(readFileSync(result, 'utf8')));
      return ['workflows', 'executions'].flatMap((what, index): readonly Figure[] => [
        { name: `10 ${what}`, values: few.map((round) => round[index] ?? Number.NaN), unit: 'ms' },
        {
          name: `10,000 ${what}`,
          values: many.map((round) => round[index] ?? Number.NaN),
          unit: 'ms',
          comparedTo: `10 ${what}`,
          aim: 'as fast as 10',
        },
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
