// Which host tests share a VS Code: each start of one costs as much as many tests.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hostTests } from './paths.ts';

/** The host tests of one VS Code. */
export interface TestGroup {
  readonly name: string;
  /** Paths below the bundled host tests, in the order in which they run. */
  readonly files: readonly string[];
}

/**
 * Names of test files, up to their first dot, that run one after the other in the same VS Code; between two files
 * everything is closed and forgotten. The first of a row may rely on a window in which nothing of ours was used.
 * A name that isn't listed has a VS Code of its own.
 */
const together: readonly (readonly string[])[] = [
  ['firstMinute', 'executions'],
  ['keyGuardAlone', 'definitions'],
  ['loading', 'extension', 'budget', 'connections', 'keys'],
  ['welcome', 'inputs', 'rowButtons', 'localService', 'setDataAside'],
  ['services', 'portalEvents', 'presets', 'shared', 'keyGuard'],
  ['graph', 'links', 'limitWait'],
  ['threeWays/connectionWays', 'threeWays/executionWays', 'threeWays/workflowWays'],
];

/** Groups that take long begin first. */
const longest = ['threeWays', 'errors', ...together.map(([first]) => first)];

const nameOf = (file: string): string => file.split('.')[0] ?? file;

function rank({ name }: TestGroup): number {
  const index = longest.findIndex((begin) => begin !== undefined && name.startsWith(begin));
  return index === -1 ? longest.length : index;
}

/** The bundled test files whose path holds one of the words, all without words, by the VS Code that they run in. */
export function testGroups(words: readonly string[]): readonly TestGroup[] {
  const files = readdirSync(dirname(hostTests), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.cjs'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
  const names = [...new Set(files.map(nameOf))];
  const alone = names.filter((name) => !together.some((row) => row.includes(name))).map((name) => [name]);
  return [...together, ...alone]
    .map((row) => {
      const present = row.filter((name) => names.includes(name));
      return {
        name: present.join(', '),
        files: present.flatMap((name) => files.filter((file) => nameOf(file) === name)),
      };
    })
    .filter((group) => group.files.length > 0)
    .sort((one, other) => rank(one) - rank(other));
}
