// Tells menus what can be done with the execution whose document is in front.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Execution } from '../../../domain/execution.ts';
import { activeDocument } from '../../../editor/documents/documents.ts';
import { joined } from '../../../base/format.ts';
import { isAbout } from '../../../model/executions/connectionExecutions.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { isCancellable, isRetryable } from '../../../words/executionWords.ts';

/** `retry`: the newest retry of the execution, if one is known. */
function whatCanBeDone(execution: Execution | undefined, retry: Execution | undefined): string {
  if (execution === undefined) return '';
  return joined(
    [
      isCancellable(execution) ? 'cancellable' : undefined,
      isRetryable(execution) ? 'retryable' : undefined,
      execution.retryOf === null ? undefined : 'retry',
      retry === undefined ? undefined : 'retried',
      execution.parent === null ? undefined : 'child',
    ],
    ',',
  );
}

export function registerExecutionInFront({
  contextKeys,
  executions,
}: Pick<App, 'contextKeys' | 'executions'>): Disposable {
  const owned = new DisposableStore();
  const targetInFront = () => {
    const uri = activeDocument();
    return uri && executionAddress(uri)?.target;
  };
  const show = (): void => {
    const target = targetInFront();
    contextKeys(
      'executionInFront',
      target === undefined ? '' : whatCanBeDone(executions.find(target), executions.findRetry(target)),
    );
  };
  owned.add(vscode.window.tabGroups.onDidChangeTabs(show));
  owned.add(vscode.window.onDidChangeActiveTextEditor(show));
  owned.add(
    executions.onDidChange((change) => {
      const target = targetInFront();
      if (target !== undefined && isAbout(change, target)) show();
    }),
  );
  show();
  return owned;
}
