// Runs tests again and again: when their file is saved, and when the definition that they test is.
import * as vscode from 'vscode';
import { aborted } from '../../base/async.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import type { App } from '../../ui/app.ts';
import { isTestFile, tests } from '../../ui/testFiles.ts';
import { Reruns } from '../../workflowTests/reruns.ts';
import type { ShownTest, TestItems } from './testItems.ts';
import type { TestRuns } from './testRuns.ts';

type ContinuousDeps = Pick<App, 'commands' | 'definitionTargets' | 'testFiles' | 'workflows'>;

/** Resolves when the signal is aborted. A save during a run ends that run: see `Reruns`. */
export async function runContinuously(
  deps: ContinuousDeps,
  items: TestItems,
  runs: TestRuns,
  request: vscode.TestRunRequest,
  kind: TestRunKind,
  signal: AbortSignal,
): Promise<void> {
  const owned = new DisposableStore();
  await items.discover();
  const reruns = owned.add(
    new Reruns<vscode.TestItem>(async (include, ended) => {
      const again = new vscode.TestRunRequest([...include], request.exclude, request.profile, true);
      return (await runs.run(again, ended, kind)).map(({ test }) => test.item);
    }),
  );
  owned.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      deps.testFiles.catchUp();
      const due = items.list(request).filter((test) => isOf(deps, test, uri));
      reruns.add(due.map(({ item }) => item)).catch((error: unknown) => deps.commands.present(error));
    }),
  );
  await aborted(signal);
  owned.dispose();
}

/** Whether the saved document is the test's file, or the definition that it tests. */
function isOf(deps: ContinuousDeps, test: ShownTest, saved: vscode.Uri): boolean {
  return isTestFile(saved) ? saved.toString() === test.uri.toString() : tests(deps, test, saved);
}
