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
 * everything is closed and forgotten. Each row begins with what needs a window of its own: one in which nothing of ours was used, or
 * another workspace. What reloads the window comes last. The rows that take longest begin first. A name that isn't listed has a VS Code
 * of its own.
 */
const together: readonly (readonly string[])[] = [
  ['startOnOpen', 'firstMinute', 'executions', 'logChannel'],
  ['keyGuardAlone', 'definitions', 'leftLogs', 'graphReload'],
  ['presetsUntrusted', 'threeWays', 'presets', 'keyGuard', 'debugging'],
  ['welcome', 'errors/errors', 'inputs', 'rowButtons', 'localService', 'setDataAside', 'crash', 'hotExit'],
  ['loading', 'extension', 'budget', 'connections', 'keys', 'n8n'],
  ['presetsVirtual', 'testsVirtual', 'linkedVirtual', 'services', 'portalEvents', 'shared', 'secrets'],
  ['presetsInFolders', 'graph', 'links', 'limitWait', 'digits'],
  ['workflowTests', 'tasks', 'linkedFiles'],
];

const nameOf = (file: string): string => file.split('.')[0] ?? file;

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
    .filter((group) => group.files.length > 0);
}
