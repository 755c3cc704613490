// The stages of "npm test": all tests, or those whose files have a word in their path.
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../../src/base/json.ts';
import { root } from '../paths.ts';

export interface Stage {
  readonly name: string;
  readonly args: readonly string[];
  /** Waits until the VS Code for the browser is installed; the stages that do without it begin at once. */
  readonly needsWeb?: boolean;
}

const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
const reporter = ['--reporter', join('test', 'rig', 'suite', 'reporter.ts')];
const standIn = ['--require', './test/support/registerVscode.ts'];
const byRealClock = join('test', 'api', 'budget', 'ledger', 'fourProcesses.test.ts');
const pageTests = globSync('test/page/*.test.ts', { cwd: root }).sort();

// One more than there are cores, since some wait for processes that they started.
const sideBySide = ['--parallel', '--jobs', String(availableParallelism() + 1)];

const fourProcesses: Stage = {
  name: 'Test of four processes on one key',
  args: [mocha, '--no-config', '--timeout', '120000', ...reporter, byRealClock],
};

const plain: Stage = {
  name: 'Unit tests',
  args: [mocha, ...sideBySide, ...reporter],
};

const system: Stage = {
  name: 'Tests of processes, crowds and properties',
  args: [mocha, '--config', '.mocharc.system.json', ...sideBySide, ...reporter],
};

const postgres: Stage = {
  name: 'Tests on PostgreSQL',
  args: [mocha, '--config', '.mocharc.postgres.json', ...sideBySide, ...reporter],
};

const page: Stage = {
  name: 'Tests of the page in a browser',
  args: [mocha, '--no-config', ...standIn, ...reporter, ...pageTests],
  needsWeb: true,
};

const packaging: Stage = {
  // One after the other: npm start builds anew what the package is made of.
  name: 'Tests of the package and of npm start',
  args: [
    ...[mocha, '--no-config', ...reporter],
    ...['package', 'start'].map((name) => join('test', 'package', `${name}.test.ts`)),
  ],
  needsWeb: true,
};

const host: Stage = {
  name: 'Tests in VS Code',
  args: [join('test', 'rig', 'runTests.ts')],
  needsWeb: true,
};

/** Stages that run one after the other. */
type Lane = readonly Stage[];
/** Lanes that run at once: what one leaves of the cores another takes. */
export type Row = readonly Lane[];

const web: Row = [[packaging], [page], [host]];

/**
 * The test of four processes mostly waits, so it's beside all that needs no VS Code. What does need one comes last: beside several VS Codes
 * deadlines of the local service would pass, and two cores have enough to do with the browsers.
 */
export const allStages: readonly Row[] =
  availableParallelism() < 4
    ? [[[plain, system, postgres], [fourProcesses]], web]
    : [
        [[plain, system], [fourProcesses]],
        [[postgres], ...web],
      ];

const Config = v.object({ spec: v.array(v.string()), ignore: v.optional(v.array(v.string()), []) });

function readConfig(config: string): v.InferOutput<typeof Config> {
  return v.parse(Config, parseJson(readFileSync(join(root, config), 'utf8')));
}

export function patternsOf(config: string): readonly string[] {
  const { spec, ignore } = readConfig(config);
  return [...spec, ...ignore];
}

export function filesOf(config: string, words: readonly string[]): readonly string[] {
  const { spec, ignore } = readConfig(config);
  return globSync(spec, { cwd: root, exclude: ignore }).filter((file) => hasWord(file, words));
}

/** Also where the word has another case, such as "pins" in a name in camel case. */
function hasWord(path: string, words: readonly string[]): boolean {
  return words.some((word) => path.toLowerCase().includes(word.toLowerCase()));
}

function plainStage(words: readonly string[]): readonly Stage[] {
  const files = ['.mocharc.json', '.mocharc.system.json'].flatMap((config) => filesOf(config, words));
  if (files.length === 0) return [];
  const args = [mocha, '--no-config', '--parallel', '--timeout', '120000', ...standIn, ...reporter, ...files];
  return [{ name: 'Unit tests', args }];
}

/** Only the files that are there for PostgreSQL alone: the others are among the plain ones. */
function postgresFiles(words: readonly string[]): readonly Stage[] {
  const files = globSync('test/service/postgres/*.test.ts', { cwd: root }).filter((file) =>
    hasWord(file, words),
  );
  if (files.length === 0) return [];
  const requires = [...standIn, '--require', './test/support/postgresForAll.ts'];
  const args = [mocha, '--no-config', '--timeout', '120000', ...requires, ...reporter, ...files];
  return [{ name: 'Tests on PostgreSQL', args }];
}

function hostStage(words: readonly string[]): readonly Stage[] {
  const files = globSync('test/host/**/*.test.ts', { cwd: root });
  if (!files.some((file) => hasWord(file.slice('test/host/'.length), words))) return [];
  const args = [join('test', 'rig', 'runTests.ts'), ...words.flatMap((word) => ['--files', word])];
  return [{ name: 'Tests in VS Code', args, needsWeb: true }];
}

/** The tests of every layer whose file has one of the words in its path. */
export function stagesFor(words: readonly string[]): readonly Row[] {
  const alone = [
    ...(hasWord(byRealClock, words) ? [fourProcesses] : []),
    ...(pageTests.some((file) => hasWord(file, words)) ? [page] : []),
  ];
  return [[plainStage(words), ...alone.map((stage) => [stage])], [postgresFiles(words)], [hostStage(words)]];
}
