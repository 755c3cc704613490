// Runs tests again and again: when their file is saved, and when the definition that they test is.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import { definitionTarget, isTheirs } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { isTestFile } from '../../ui/testFiles.ts';
import { resolvePath } from './testPorts.ts';
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
function isOf({ workflows }: ContinuousDeps, { uri, file }: ShownTest, saved: vscode.Uri): boolean {
  if (isTestFile(saved)) return saved.toString() === uri.toString();
  const { workflow = '' } = file;
  const target = isTheirs(saved) ? undefined : definitionTarget(saved);
  if (target === undefined) return resolvePath(uri, workflow).toString() === saved.toString();
  return workflow === target.workflowId || workflow === workflows.find(target)?.name;
}
