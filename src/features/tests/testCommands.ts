// The commands on tests: run, debug, update what is expected, and what leads from a failure to its execution.
import * as vscode from 'vscode';
import { oneAtATime } from '../../base/async.ts';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { CommandArgument } from '../../editor/commands/types.ts';
import { PlainError } from '../../editor/plainError.ts';
import { debugType } from '../../editor/ids.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import type { App } from '../../ui/app.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { createTestFrom, type CreateTestDeps, showTest } from './createTest.ts';
import { isTestFile } from '../../ui/testFiles.ts';
import { idOf, type TestName } from '../../ui/testNames.ts';
import type { TestItems } from './testItems.ts';
import { outcomeOf, type TestRuns, type TestRunsDeps } from './testRuns.ts';
import { updateTests } from './updateExpected.ts';

export type TestCommandsDeps = TestRunsDeps & CreateTestDeps;

type TestArgument = CommandArgument<'test.run'>;

/** All tests of the workspace. */
const everything = (): Promise<TestArgument> => Promise.resolve({});

export function registerTestCommands(deps: TestCommandsDeps, items: TestItems, runs: TestRuns): Disposable {
  const { commands } = deps;
  const run = async (wanted: TestArgument, kind: TestRunKind) =>
    (await runs.run(await requestOf(deps, items, wanted, kind), undefined, kind)).map(outcomeOf);
  return combine(
    commands.register('test.run', { ask: everything, run: (wanted) => run(wanted, 'run') }),
    commands.register('test.debug', {
      ask: everything,
      run: async (wanted) => {
        const outcomes = await run(wanted, 'debug');
        await debugLast(deps, items, runs, wanted);
        return outcomes;
      },
    }),
    commands.register('test.updateExpected', {
      ask: everything,
      run: async (wanted, { isInteractive }) => {
        await items.discover();
        return { updated: await updateTests(items, runs, wanted, isInteractive) };
      },
    }),
    commands.register('test.openFailedNode', {
      ask: everything,
      run: async (wanted) => commands.run('execution.openFailedNode', requireExecution(runs, wanted)),
    }),
    commands.register('test.debugExecution', {
      ask: everything,
      run: async (wanted) => commands.run('execution.debug', requireExecution(runs, wanted)),
    }),
    registerCreateTest(deps),
  );
}

async function requestOf(
  { testFiles, tests }: TestCommandsDeps,
  items: TestItems,
  { uri, ...name }: TestArgument,
  kind: TestRunKind,
): Promise<vscode.TestRunRequest> {
  await items.discover();
  if (uri === undefined) return new vscode.TestRunRequest(undefined, undefined, tests.profiles[kind]);
  const file = vscode.Uri.parse(uri, true);
  // Code may have written the file just now, which the editor tells a little later.
  if (isTestFile(file)) await testFiles.reread(file);
  const item = items.find({ uri: file.toString(), ...name });
  if (item === undefined) throw new PlainError(vscode.l10n.t("There's no such test."));
  return new vscode.TestRunRequest([item], undefined, tests.profiles[kind]);
}

function lastExecution(runs: TestRuns, { uri = '', ...name }: TestArgument): ExecutionTarget | undefined {
  return runs.last(idOf({ uri, ...name }))?.result.execution;
}

function requireExecution(runs: TestRuns, wanted: TestArgument): ExecutionTarget {
  const execution = lastExecution(runs, wanted);
  if (execution === undefined) throw new PlainError(vscode.l10n.t("The test hasn't executed anything yet."));
  return execution;
}

/** Debugs the execution of the first of the tests that has one: at its failure, or else at the first breakpoint. */
export async function debugLast(
  { commands }: Pick<App, 'commands'>,
  items: TestItems,
  runs: TestRuns,
  { uri, ...name }: TestArgument | TestName,
): Promise<void> {
  const item = uri === undefined ? undefined : items.find({ uri, ...name });
  const last = items
    .list({ include: item && [item], exclude: undefined })
    .map((test) => runs.last(test.item.id))
    .find((each) => each?.result.execution !== undefined);
  const execution = last?.result.execution;
  if (last === undefined || execution === undefined) return;
  const stopAt = last.hasFailedNode ? 'failure' : 'breakpoint';
  await commands.run('execution.debug', { ...execution, stopAt });
}

function registerCreateTest(deps: TestCommandsDeps): Disposable {
  // Two at once would both take the file for theirs to create, and the second lose the first one's test.
  const inTurn = oneAtATime();
  return deps.commands.register('execution.createTest', {
    ask: async () => debuggedExecution() ?? pickExecution(deps, vscode.l10n.t('Select an execution')),
    run: async ({ connectionId, executionId }, { isInteractive }) => {
      const created = await inTurn(() => createTestFrom(deps, { connectionId, executionId }));
      if (isInteractive) await showTest(created);
      return { uri: created.uri.toString(), name: created.name };
    },
  });
}

/** The execution that is debugged, if one is. */
function debuggedExecution(): ExecutionTarget | undefined {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== debugType) return undefined;
  const { connectionId, executionId }: Readonly<Record<string, unknown>> = session.configuration;
  return typeof connectionId === 'string' && typeof executionId === 'string'
    ? { connectionId, executionId }
    : undefined;
}
