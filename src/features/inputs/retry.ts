import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { RetryRequest } from '../../protocol/requests.ts';
import { actOnAll, nameOfOne } from '../../ui/actOnAll.ts';
import type { App } from '../../ui/app.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { isRetryable } from '../../ui/words/executionWords.ts';
import type { Executor } from './execute.ts';

type RetryDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'requestWaits' | 'workflows'
>;

export function registerRetry(deps: RetryDeps, executor: Executor): Disposable {
  return deps.commands.register<'execution.retry', ExecutionTarget & RetryRequest>('execution.retry', {
    ask: () =>
      pickExecution(deps, vscode.l10n.t('Select an execution to retry'), {
        accepts: isRetryable,
        nothing: vscode.l10n.t('No execution failed or was cancelled.'),
      }),
    run: async (argument, { isInteractive, selected }) => {
      const retry = (
        { connectionId, executionId, fromNodeId, definition }: ExecutionTarget & RetryRequest,
        mayAsk: boolean,
      ) => executor.retry({ connectionId, executionId }, { fromNodeId, definition }, mayAsk);
      const [first = argument, ...others] = selected;
      if (others.length === 0) return retry(first, isInteractive);
      return actOnAll(deps, [first, ...others], {
        progress: vscode.l10n.t('Retrying…'),
        nameOf: (each) => nameOfOne(deps, each),
        act: (each) => retry(each, false),
      });
    },
  });
}
