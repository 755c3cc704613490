// Runs tests of workflows, and reports what came of each.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { messageOf } from '../../../base/reason.ts';
import { WordedError } from '../../../domain/errors.ts';
import { describeTypedError } from '../../../words/describeTypedError.ts';
import { presetEnding } from '../../../model/inputs/presetChoices.ts';
import { patternTestBy } from '../../../workflowTests/compareTest.ts';
import { WorkflowCoverage } from '../../../workflowTests/coverage.ts';
import type { TestResult } from '../../../workflowTests/runTest.ts';
import { rowsOf, runTests, type TestListener, type WantedTest } from '../../../workflowTests/runTests.ts';
import { TestFile, testFileEnding } from '../../../workflowTests/testFile.ts';
import type { TestPorts } from '../../../workflowTests/testPorts.ts';
import { isInside } from '../../nodeFolder.ts';
import type { OpenService } from '../../openService.ts';
import { type Checker, exitCodes, type Run } from '../command.ts';
import { UsageError } from '../given.ts';
import { describeFailure, readText, readTextIfThere } from '../readFiles.ts';
import { type EndedTest, renderCoverage, reporterNames, reporters } from '../testReporters.ts';

const notSearched = new Set(['node_modules', '.git']);

const notEnded: TestResult = { outcome: 'errored', message: 'The run was ended before this test was.' };

interface ListedTest extends WantedTest {
  /** The file's address and the test's name, with its row's. */
  readonly uri: string;
  readonly path: string;
  readonly title: string;
}

/** The files below a folder whose names have the ending, sorted. A folder that can't be read is passed over. */
async function findFiles(
  folder: string,
  ending: string,
  onUnreadable: (folder: string, error: unknown) => void = () => undefined,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    onUnreadable(folder, error);
    return [];
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return notSearched.has(entry.name) ? [] : findFiles(path, ending, onUnreadable);
      return entry.isFile() && entry.name.endsWith(ending) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

async function listTests(paths: readonly string[], signal: AbortSignal): Promise<readonly ListedTest[]> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, file: new TestFile(await readText(path, signal)) })),
  );
  return files.flatMap(({ path, file }) => {
    if (file.tests.length === 0)
      throw new UsageError(`${path}: ${file.problems[0]?.message ?? 'It has no tests.'}`);
    const uri = pathToFileURL(path).href;
    return file.tests.flatMap((test) =>
      rowsOf(test).map((row): ListedTest => {
        const title = row === undefined ? test.name : `${test.name} / ${test.rows[row]?.name ?? row}`;
        return { uri, path, title, place: resolve(path), file, test, row };
      }),
    );
  });
}

/**
 * The path of a file that a test names. Throws a WordedError for one that isn't in the workspace, which is the folder of the command here, or
 * the test's own where that is elsewhere.
 */
function insidePath(from: string, path: string): string {
  const folder = resolve('.');
  const named = resolve(dirname(from), path);
  if (isInside(isInside(folder, from) ? folder : dirname(from), named)) return named;
  throw new WordedError(l10n.t('A test uses only files of the workspace.'));
}

function createPorts(
  { actions, clock, executions, following, services, workflows }: OpenService,
  checker: Checker,
  signal: AbortSignal,
): TestPorts {
  const readIfThere = (path: string) => readTextIfThere(path, signal);
  return {
    actions,
    clock,
    executions,
    following,
    services,
    workflows,
    testPattern: patternTestBy(checker),
    openText: () => undefined,
    readFile: async (from, path) => readIfThere(insidePath(from, path)),
    readPreset: async (from, preset) => {
      if (preset.endsWith(presetEnding)) return readIfThere(insidePath(from, preset));
      const files = await findFiles('.', presetEnding);
      const found = files.find((file) => basename(file, presetEnding) === preset);
      return found === undefined ? undefined : readIfThere(found);
    },
    describe: (error) => describeTypedError(error, clock.now())?.message ?? messageOf(error),
  };
}

export const testWorkflows: Run = async ({ given, openChecker, openService, signal, terminal }) => {
  const reporter = given.oneOf('reporter', reporterNames) ?? (terminal.isJson ? 'json' : 'spec');
  const paths =
    given.positionals.length > 0
      ? given.positionals
      : await findFiles('.', testFileEnding, (folder, error) =>
          terminal.log(`Can't read ${folder}: ${describeFailure(error)}.`),
        );
  if (paths.length === 0) throw new UsageError(`There's no *${testFileEnding} below this folder.`);
  const wanted = await listTests(paths, signal);
  const service = openService();
  const ports = createPorts(service, await openChecker(), signal);
  const ended = new Map<ListedTest, TestResult>();
  const coverages = new Map<string, WorkflowCoverage>();
  const listener: TestListener<ListedTest> = {
    onStart: (test) => {
      terminal.note(test.title);
      return {};
    },
    onEnd: (test, result, planned) => {
      ended.set(test, result);
      if (planned === undefined || !given.has('coverage')) return;
      const { text } = planned.workflow;
      const coverage = coverages.get(text.text) ?? new WorkflowCoverage(text);
      coverages.set(text.text, coverage);
      coverage.add(result.nodeRuns ?? []);
    },
  };
  try {
    await runTests(ports, service.connectionId, wanted, listener, signal);
  } finally {
    // Also where the time is up or a person ends the run: what is known by then.
    const results = wanted.map((test): EndedTest => ({ ...test, result: ended.get(test) ?? notEnded }));
    reporters[reporter](terminal, results);
    if (given.has('coverage')) {
      const table = renderCoverage([...coverages.values()]);
      if (reporter === 'spec') terminal.write(table);
      else terminal.log(table);
    }
  }
  const hasFailed = [...ended.values()].some(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  return hasFailed ? exitCodes.no : exitCodes.done;
};
