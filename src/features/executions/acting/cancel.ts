import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { confirm } from '../../../editor/prompts/dialogs.ts';
import { actOnAll, nameOf, nameOfOne } from '../../../ui/actOnAll.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { isCancellable, stateOf } from '../../../words/executionWords.ts';
import type { StartedHere } from '../notices/startedHere.ts';

type CancelDeps = Pick<
  App,
  'actions' | 'clock' | 'commands' | 'connections' | 'executions' | 'requestWaits' | 'services' | 'workflows'
>;

/** Asks before it ends what others may wait for. */
async function confirmOthers(
  deps: CancelDeps,
  startedHere: StartedHere,
  targets: readonly ExecutionTarget[],
): Promise<void> {
  const others = targets.filter((target) => {
    const execution = deps.executions.find(target);
    return execution === undefined || !startedHere.has(target, execution);
  });
  const [first] = others;
  if (first === undefined) return;
  await confirm(
    others.length === 1
      ? vscode.l10n.t('Cancel the execution of "{0}"?', nameOf(deps, first))
      : vscode.l10n.t('Cancel {0} executions?', others.length),
    vscode.l10n.t('Cancel Execution'),
    others.length === 1
      ? vscode.l10n.t("It wasn't started in this window. No other node begins; what has finished is kept.")
      : vscode.l10n.t(
          "They weren't started in this window. No other node begins; what has finished is kept.",
        ),
  );
}

export function registerCancel(deps: CancelDeps, startedHere: StartedHere): Disposable {
  const { actions, commands } = deps;
  return commands.register<'execution.cancel', ExecutionTarget>('execution.cancel', {
    ask: () =>
      pickExecution(deps, vscode.l10n.t('Select an execution to cancel'), {
        accepts: isCancellable,
        nothing: vscode.l10n.t('No execution is running.'),
      }),
    run: async (target, { isInteractive, selected }) => {
      const [first = target, ...others] = selected;
      if (isInteractive) await confirmOthers(deps, startedHere, [first, ...others]);
      const execution = await actOnAll(deps, [first, ...others], {
        progress: vscode.l10n.t('Cancelling…'),
        nameOf: (each) => nameOfOne(deps, each),
        act: ({ connectionId, executionId }, signal) => actions.cancel({ connectionId, executionId }, signal),
      });
      return execution && { executionId: execution.id, status: stateOf(execution) };
    },
  });
}
