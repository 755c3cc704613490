// Why: one command runs every kind of test and ends with one line that says how many passed and failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../vscode/paths.ts';
import { say } from '../vscode/say.ts';
import { createTurns } from '../vscode/turns.ts';
import type { Turn } from '../vscode/turns.ts';
import { countsVariable, readCounts } from './counts.ts';
import type { Counts } from './counts.ts';

interface Stage {
  readonly name: string;
  readonly args: readonly string[];
}

const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
const reporter = join('test', 'all', 'reporter.ts');

/** What does not use all cores by itself runs at once. */
const stages: readonly (readonly Stage[])[] = [
  [
    { name: 'Unit tests', args: [mocha, '--reporter', reporter] },
    {
      name: 'Test of npm start',
      args: [mocha, '--no-config', '--reporter', reporter, join('test', 'vscode', 'start.test.ts')],
    },
  ],
  [{ name: 'Tests in VS Code', args: [join('test', 'vscode', 'runTests.ts')] }],
];

/** True when it ended well. */
async function runNode(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  const ended: readonly unknown[] = await once(child, 'close');
  return ended[0] === 0;
}

/** Runs a stage; one that ends badly without a failed test counts as a failure of its own. */
async function runStage({ name, args }: Stage, folder: string, { print, end }: Turn): Promise<Counts> {
  print(`\n${name}\n`);
  const path = join(folder, `${name}.json`);
  const isPassed = await runNode(args, { [countsVariable]: path }, print);
  end();
  const counts = readCounts(path);
  return isPassed || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

async function runAll(): Promise<Counts> {
  const turns = createTurns((text) => process.stdout.write(text));
  const building = turns.next();
  if (!(await runNode(['esbuild.mjs'], {}, building.print))) return { passed: 0, failed: 1, skipped: 0 };
  building.end();
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-tests-'));
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const together of stages) {
      const running = together.map((stage) => runStage(stage, folder, turns.next()));
      for (const { passed, failed, skipped } of await Promise.all(running)) {
        total.passed += passed;
        total.failed += failed;
        total.skipped += skipped;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return total;
}

const total = await runAll();
if (total.skipped > 0) say(`\nSkipped: ${total.skipped}`);
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
