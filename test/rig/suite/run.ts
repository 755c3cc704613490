// One command runs every kind of test and ends with one line that says how many passed and failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { say } from '../say.ts';
import { createTurns, type Turn } from '../turns.ts';
import { readResults, type Results, resultsVariable, sumResults } from './results.ts';

interface Stage {
  readonly name: string;
  readonly args: readonly string[];
}

const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
const reporter = join('test', 'rig', 'suite', 'reporter.ts');

/** What does not use all cores by itself runs at once. */
const stages: readonly (readonly Stage[])[] = [
  [
    { name: 'Unit tests', args: [mocha, '--reporter', reporter] },
    {
      // One after the other: npm start builds anew what the package is made of.
      name: 'Tests of the package and of npm start',
      args: [
        ...[mocha, '--no-config', '--reporter', reporter],
        ...['package', 'start'].map((name) => join('test', 'package', `${name}.test.ts`)),
      ],
    },
    {
      name: 'Test of four processes on one key',
      args: [
        ...[mocha, '--no-config', '--timeout', '120000', '--reporter', reporter],
        join('test', 'api', 'budget', 'ledger', 'fourProcesses.test.ts'),
      ],
    },
  ],
  [{ name: 'Tests in VS Code', args: [join('test', 'rig', 'runTests.ts')] }],
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

async function runStage({ name, args }: Stage, folder: string, { print, end }: Turn): Promise<Results> {
  print(`\n${name}\n`);
  const path = join(folder, `${name}.json`);
  const isPassed = await runNode(args, { [resultsVariable]: path }, print);
  end();
  return readResults(path, name, isPassed);
}

async function runAll(): Promise<Results> {
  const turns = createTurns((text) => process.stdout.write(text));
  const building = turns.next();
  const build: Stage = { name: 'Build', args: ['esbuild.mjs'] };
  const isBuilt = await runNode(build.args, {}, building.print);
  building.end();
  if (!isBuilt) return readResults('', build.name, isBuilt);
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-tests-'));
  const results: Results[] = [];
  try {
    for (const together of stages) {
      results.push(...(await Promise.all(together.map((stage) => runStage(stage, folder, turns.next())))));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return sumResults(results);
}

const { passed, failed, skipped, failures } = await runAll();
if (skipped > 0) say(`\nSkipped: ${skipped}`);
for (const { title, reason } of failures) say(`\nFailed: ${title}\n${reason.replaceAll(/^/gm, '  ')}`);
say(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
