// Notifies the user when executions that this window started have ended, in one message for several.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { WorkflowActions } from '../../../model/workflows/workflowActions.ts';
import { choose, showMessage } from '../../../editor/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import { statusIcon } from '../../../ui/words/status.ts';
import { createBatches } from './batches.ts';
import { type Ending, renderNotice } from './renderNotice.ts';
import { createStartedHere } from './startedHere.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { App } from '../../../ui/app.ts';
import { shortId, workflowName } from '../../../ui/words/names.ts';

export interface NoticesDeps extends Pick<
  App,
  'commands' | 'workflows' | 'executions' | 'following' | 'clock'
> {
  readonly actions: Pick<WorkflowActions, 'onDidExecute' | 'onDidFindExecution'>;
}

function isWorthTelling({ status }: Execution): boolean {
  const notify = settings.notify();
  return notify === 'all' || (notify === 'failures' && status.state === 'failed');
}

/** The execution that the button applies to; the user chooses if the notice covers several. */
async function chooseEnding(endings: readonly Ending[], action: string): Promise<ExecutionTarget> {
  const [first, second] = endings;
  if (first !== undefined && second === undefined) return first.target;
  return choose(
    action,
    endings.map(({ name, execution, target }) => ({
      label: name,
      description: shortId(execution.id),
      iconPath: statusIcon(execution.status.state, execution.status.hasWarning),
      value: target,
    })),
  );
}

/** A button of the notice. */
type Action = vscode.MessageItem & {
  readonly command: 'execution.showLogs' | 'execution.openOutput' | 'execution.rerun';
};

async function tell(commands: NoticesDeps['commands'], endings: readonly Ending[]): Promise<void> {
  const { text, isFailure } = renderNotice(endings);
  const picked = await showMessage<Action>(isFailure ? 'warning' : 'information', text, [
    { title: vscode.l10n.t('Show Logs'), command: 'execution.showLogs' },
    { title: vscode.l10n.t('Show Output'), command: 'execution.openOutput' },
    { title: vscode.l10n.t('Run Again'), command: 'execution.rerun' },
  ]);
  if (picked === undefined) return;
  const target = await chooseEnding(endings, picked.title);
  await commands.run(picked.command, { ...target, invokedBy: 'person' });
}

export function registerNotices(deps: NoticesDeps): Disposable {
  const { commands, workflows, executions, following, actions, clock } = deps;
  const owned = new DisposableStore();
  const startedHere = owned.add(createStartedHere(actions));
  const batches = owned.add(
    createBatches<Ending>(clock, (endings) => {
      tell(commands, endings).catch((error: unknown) => commands.present(error));
    }),
  );
  owned.add(
    following.onDidChange(({ target, state }) => {
      if (state.current.kind !== 'ended') return;
      const execution = executions.find(target);
      if (execution === undefined) return;
      const certainty = startedHere.take(target, execution);
      if (certainty === undefined || !isWorthTelling(execution)) return;
      const name = workflowName(workflows, target.connectionId, execution.workflowId);
      batches.add({ target, execution, name, certainty });
    }),
  );
  return owned;
}
