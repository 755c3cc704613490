// Tests of workflows in the editor's own view, and in their files.
import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import type { App } from '../../ui/app.ts';
import { runContinuously } from './continuousRuns.ts';
import { registerTestCommands, debugLast, type TestCommandsDeps } from './testCommands.ts';
import { testNameOf } from '../../ui/testNames.ts';
import { TestItems } from './testItems.ts';
import { registerTestLenses } from './testLenses.ts';
import { TestedDefinitions } from './testedDefinitions.ts';
import { registerTestHelp } from './testHelp.ts';
import { registerTestMarks } from './testMarks.ts';
import { TestRuns } from './testRuns.ts';

export type TestsDeps = TestCommandsDeps & Pick<App, 'definitionTexts' | 'testHelp' | 'testLenses'>;

export function registerTests(deps: TestsDeps): Disposable {
  const items = new TestItems(deps);
  const definitions = new TestedDefinitions(deps);
  const runs = new TestRuns(deps, items, definitions);
  const run = async (
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    kind: TestRunKind,
  ): Promise<void> => {
    try {
      await withSignal(token, async (signal) => {
        if (request.continuous === true) {
          await runContinuously(deps, items, runs, request, kind, signal);
          return;
        }
        await runs.run(request, signal, kind);
        const [first] = request.include ?? [];
        if (kind === 'debug' && !signal.aborted)
          await debugLast(deps, items, runs, first === undefined ? { uri: undefined } : testNameOf(first.id));
      });
    } catch (error) {
      await deps.commands.present(error);
    }
  };
  return combine(
    items,
    deps.tests.attach({
      discover: items.discover,
      refresh: () => items.refresh(),
      run,
      detail: (coverage) => runs.coverage.detail(coverage),
    }),
    registerTestCommands(deps, items, runs),
    registerTestLenses(deps),
    registerTestMarks(deps, definitions),
    registerTestHelp(deps, definitions),
  );
}
