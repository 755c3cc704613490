// The host tests, each group in a real VS Code of its own, several at a time where they do not disturb one another.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type DesktopVsCode, findDesktopForTests } from './desktop.ts';
import { runInVsCode } from './hostRun.ts';
import { hostTests, root } from './paths.ts';
import { say } from './say.ts';
import { surroundingsOf } from './surroundings.ts';
import { createTurns } from './turns.ts';
import { installWeb } from './web/install.ts';

interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
}

/** The test files whose path holds one of the words, by the VS Code that they need: one of its own for each name, so that no test meets what another left, nor shares its minute's requests. The groups in folders come first: they take longest. */
function testGroups(words: readonly string[]): readonly TestGroup[] {
  const files = readdirSync(dirname(hostTests), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.cjs'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  const nameOf = (file: string): string => file.split('.')[0] ?? file;
  const inFolderFirst = (one: string, other: string): number =>
    Number(/[\\/]/.test(other)) - Number(/[\\/]/.test(one));
  return [...new Set(files.map(nameOf))].sort(inFolderFirst).map((name) => ({
    name,
    files: files.filter((file) => nameOf(file) === name),
  }));
}

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

async function runWaiting(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const { name, files, turn } = group;
    turn.print(`\n${name}\n`);
    const isGroupPassed = await runInVsCode({
      developmentPath: root,
      testsPath: hostTests,
      surroundings: surroundingsOf(name),
      desktop,
      isVerbose: values.verbose,
      print: turn.print,
      environment: {
        WORKFLOW_TEST_FILES: files.join(','),
        // Who names files wants to look at them.
        ...(words.length === 0 ? {} : { WORKFLOW_TEST_PICTURES: 'yes' }),
        ...(values.grep === undefined ? {} : { WORKFLOW_TEST_GREP: values.grep }),
      },
    });
    if (!isGroupPassed) failed.push(name);
    turn.end();
  }
}

await Promise.all(Array.from({ length: widthOn(desktop) }, runWaiting));
if (failed.length > 0) say(`\nFailed in ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
