// Why: one command runs every kind of test and ends with one line that says how many passed and failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../vscode/paths.ts';
import { say } from '../vscode/say.ts';
import { countsVariable, readCounts } from './counts.ts';
import type { Counts } from './counts.ts';

interface Stage {
  readonly name: string;
  readonly args: readonly string[];
}

const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
const reporter = join('test', 'all', 'reporter.ts');

const stages: readonly Stage[] = [
  { name: 'Unit tests', args: [mocha, '--reporter', reporter] },
  { name: 'Tests in VS Code', args: [join('test', 'vscode', 'runTests.ts')] },
  {
    name: 'Test of npm start',
    args: [mocha, '--no-config', '--reporter', reporter, join('test', 'vscode', 'start.test.ts')],
  },
];

function runNode(args: readonly string[], environment: NodeJS.ProcessEnv): boolean {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  return status === 0;
}

/** Runs a stage; one that ends badly without a failed test counts as a failure of its own. */
function runStage({ name, args }: Stage, folder: string): Counts {
  say(`\n${name}`);
  const path = join(folder, `${name}.json`);
  const isPassed = runNode(args, { [countsVariable]: path });
  const counts = readCounts(path);
  return isPassed || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function runAll(): Counts {
  if (!runNode(['esbuild.mjs'], {})) return { passed: 0, failed: 1, skipped: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-tests-'));
  try {
    return stages
      .map((stage) => runStage(stage, folder))
      .reduce((sum, counts) => ({
        passed: sum.passed + counts.passed,
        failed: sum.failed + counts.failed,
        skipped: sum.skipped + counts.skipped,
      }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const total = runAll();
if (total.skipped > 0) say(`\nSkipped: ${total.skipped}`);
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
