// What is measured on the screen is measured by a probe inside VS Code, which leaves its figures in a file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { findDesktopForTests } from '../rig/desktop.ts';
import { runInVsCode } from '../rig/hostRun.ts';
import { root } from '../rig/paths.ts';

/** Runs test/bench/NAMEProbe.ts in a fresh VS Code and decodes what it wrote. `more`: further variables for it. Rejects when it failed. */
export async function runProbe<T>(
  name: string,
  schema: v.GenericSchema<unknown, T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-bench-'));
  try {
    const result = join(folder, 'times.json');
    const isDone = await runInVsCode({
      developmentPath: root,
      testsPath: join(root, 'dist', 'test', 'bench', `${name}Probe.cjs`),
      environment: { ...more, WORKFLOW_BENCH_RESULT: result },
      desktop: await findDesktopForTests(),
      isVerbose: false,
    });
    if (!isDone) throw new Error(`The probe "${name}" measured nothing.`);
    return v.parse(schema, JSON.parse(readFileSync(result, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
