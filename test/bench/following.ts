// Why: what a person waits for: the first node of an execution, and each log line, in a real VS Code on the local service.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { findDesktopForTests } from '../vscode/desktop.ts';
import { root } from '../vscode/paths.ts';
import { runInVsCode } from '../vscode/hostRun.ts';
import type { Benchmark } from './benchmark.ts';

const Result = v.object({ starts: v.array(v.number()), lines: v.array(v.number()) });

export const following: Benchmark = {
  name: 'Following an execution, loopback, on screen',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-bench-'));
    try {
      const result = join(folder, 'times.json');
      const isDone = await runInVsCode({
        developmentPath: root,
        installedPaths: [],
        testsPath: join(root, 'dist', 'test', 'bench', 'followingProbe.cjs'),
        environment: { WORKFLOW_BENCH_RESULT: result },
        desktop: await findDesktopForTests(),
        isVerbose: false,
      });
      if (!isDone) throw new Error('The execution could not be followed.');
      const { starts, lines } = v.parse(Result, JSON.parse(readFileSync(result, 'utf8')));
      return [
        { name: 'execute call to first node run', values: starts, unit: 'ms', aim: 'under 100' },
        { name: 'log line said to log line seen', values: lines, unit: 'ms', aim: 'under 300' },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
