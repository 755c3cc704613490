// Runs every kind of test, or with words those whose files have one in their path, and ends with one line that says how many passed and failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledSources, root } from '../paths.ts';
import { say } from '../say.ts';
import { createTurns, type Turn } from '../turns.ts';
import { canInstallWeb, installWeb } from '../web/install.ts';
import { readResults, type Results, resultsVariable, sumResults } from './results.ts';
import { allStages, type Row, type Stage, stagesFor } from './stages.ts';

const words = process.argv.slice(2);
const rows: readonly Row[] = words.length === 0 ? allStages : stagesFor(words);
if (rows.flat(2).length === 0) throw new Error(`No test file has ${words.join(' or ')} in its path.`);

const times = new Map<string, number>();

/** Notes the seconds that the work takes, for the closing lines. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    times.set(name, Math.round((performance.now() - startedAt) / 1000));
  }
}

/** Returns true when it ended well. */
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
  const environment = {
    [resultsVariable]: path,
    // Tests start the same programs again and again; each is compiled once.
    NODE_COMPILE_CACHE: compiledSources,
  };
  const isPassed = await timed(name, () => runNode(args, environment, print));
  end();
  return readResults(path, name, isPassed);
}

async function runStages(folder: string, nextTurn: () => Turn): Promise<Results> {
  const needsWeb = rows.flat(2).some((stage) => stage.needsWeb === true);
  const installing =
    needsWeb && canInstallWeb ? timed('Installation of VS Code', installWeb) : Promise.resolve(undefined);
  // A failure is told by the stages that wait for it, which try again.
  const installed = installing.catch(() => undefined);
  const run = async (stage: Stage): Promise<Results> => {
    const turn = nextTurn();
    if (stage.needsWeb === true) await installed;
    return runStage(stage, folder, turn);
  };
  const results: Results[] = [];
  const runLane = async (stages: readonly Stage[]): Promise<void> => {
    for (const stage of stages) results.push(await run(stage));
  };
  for (const row of rows) await Promise.all(row.map(runLane));
  return sumResults(results);
}

async function runAll(): Promise<Results> {
  const turns = createTurns((text) => process.stdout.write(text));
  const building = turns.next();
  const isBuilt = await timed('Build', () => runNode(['esbuild.mjs'], {}, building.print));
  building.end();
  if (!isBuilt) return readResults('', 'Build', isBuilt);
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-tests-'));
  try {
    return await runStages(folder, turns.next);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const { passed, failed, skipped, failures } = await timed('All', runAll);
if (skipped > 0) say(`\nSkipped: ${skipped}`);
for (const { title, reason } of failures) say(`\nFailed: ${title}\n${reason.replaceAll(/^/gm, '  ')}`);
say(`\n${[...times].map(([name, seconds]) => `${name}: ${seconds} s`).join(' · ')}`);
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
