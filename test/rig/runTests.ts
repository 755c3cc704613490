// Runs the host tests, each group in a real VS Code of its own, several at a time where they don't disturb one another.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DesktopVsCode, findDesktopForTests } from './desktop.ts';
import { testGroups } from './hostGroups.ts';
import { runInVsCode } from './hostRun.ts';
import { hostTests } from './paths.ts';
import { say } from './say.ts';
import { surroundingsOf } from './surroundings.ts';
import { createTurns } from './turns.ts';
import { installWeb } from './web/install.ts';

/** How many run at once: windows of the desktop share its focus and its clipboard, browsers without a window share nothing. */
const widthOn = (desktop: DesktopVsCode): number =>
  'executable' in desktop ? 1 : Math.min(availableParallelism(), 4);

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    browser: { type: 'boolean', default: false },
    grep: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const desktop = values.browser ? { reason: 'it was asked for' } : await findDesktopForTests();
if ('executable' in desktop) {
  say('Testing in the desktop VS Code.');
} else {
  say(`Testing in the VS Code for the browser: ${desktop.reason}.`);
  await installWeb();
}

const words = values.files.flatMap((each) => each.split(','));
const groups = testGroups(words);
if (groups.length === 0) throw new Error(`No host test file has a name with ${words.join(' or ')} in it.`);
const turns = createTurns((text) => process.stdout.write(text));
const waiting = groups.map((group) => ({ ...group, turn: turns.next() }));
const failed: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-ended-'));

async function runWaiting(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const { name, files, turn } = group;
    turn.print(`\n${name}\n`);
    const startedAt = performance.now();
    const ended = join(folder, name.replaceAll('/', '-'));
    const isGroupPassed = await runInVsCode({
      testsPath: hostTests,
      surroundings: surroundingsOf(files),
      desktop,
      isVerbose: values.verbose,
      print: turn.print,
      environment: {
        WORKFLOW_TEST_FILES: files.join(','),
        WORKFLOW_TEST_ENDED: ended,
        // Who names files wants to look at them.
        ...(words.length === 0 ? {} : { WORKFLOW_TEST_PICTURES: 'yes' }),
        ...(values.grep === undefined ? {} : { WORKFLOW_TEST_GREP: values.grep }),
      },
    });
    const isEnded = existsSync(ended);
    if (isGroupPassed && !isEnded) turn.print('The extension host ended before its tests did.\n');
    if (!isGroupPassed || !isEnded) failed.push(name);
    turn.print(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
    turn.end();
  }
}

await Promise.all(Array.from({ length: widthOn(desktop) }, runWaiting));
rmSync(folder, { recursive: true });
if (failed.length > 0) say(`\nFailed in ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
