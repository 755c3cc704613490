// Runs tests again and again: when their file is saved, and when the definition that they test is.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import type { App } from '../../ui/app.ts';
import { isTestFile, tests } from '../../ui/testFiles.ts';
import type { ShownTest, TestItems } from './testItems.ts';
import type { TestRuns } from './testRuns.ts';

type ContinuousDeps = Pick<App, 'commands' | 'workflows'>;

/** Resolves when the token is cancelled. */
export async function runContinuously(
  deps: ContinuousDeps,
  items: TestItems,
  runs: TestRuns,
  {
    request,
    token,
    kind,
  }: {
    readonly request: vscode.TestRunRequest;
    readonly token: vscode.CancellationToken;
    readonly kind: TestRunKind;
  },
): Promise<void> {
  const owned = new DisposableStore();
  await items.discover();
  owned.add(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const wanted = items.list(request).filter((test) => isOf(deps, test, document.uri));
      if (wanted.length === 0) return;
      const include = wanted.map(({ item }) => item);
      const again = new vscode.TestRunRequest(include, request.exclude, request.profile, true);
      runs.run(again, token, kind).catch((error: unknown) => deps.commands.present(error));
    }),
  );
  await cancelled(token, owned);
}

function cancelled(token: vscode.CancellationToken, owned: Disposable): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      owned.dispose();
      resolve();
    };
    if (token.isCancellationRequested) end();
    else token.onCancellationRequested(end);
  });
}

/** Whether the saved document is the test's file, or the definition that it tests. */
function isOf(deps: ContinuousDeps, test: ShownTest, saved: vscode.Uri): boolean {
  return isTestFile(saved) ? saved.toString() === test.uri.toString() : tests(deps, test, saved);
}
