// Notifies the user when executions that this window started have ended, in one message for several.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Pulse } from '../../../base/pulse.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { Clock } from '../../../base/time.ts';
import { choose, showMessage } from '../../../editor/prompts/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import { FailureItem, isLogInSight } from './failureItem.ts';
import { type Ending, renderNotice } from './renderNotice.ts';
import type { StartedHere } from './startedHere.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { App } from '../../../ui/app.ts';
import { shortId, workflowName } from '../../../words/names.ts';
import { statusIcon } from '../../../ui/icons.ts';

const gatherMs = 1500;

/** Hands over the items of the 1.5 s after the first one. Drops pending items when it's disposed of. */
export class Batches<T> implements Disposable {
  #gathered: T[] = [];
  readonly #pulse: Pulse;

  constructor(clock: Clock, handOver: (items: readonly T[]) => void) {
    const beat = (): void => {
      const items = this.#gathered;
      this.#gathered = [];
      handOver(items);
    };
    this.#pulse = new Pulse(clock, beat, { first: gatherMs });
  }

  add(item: T): void {
    this.#gathered.push(item);
    this.#pulse.ask();
  }

  dispose(): void {
    this.#pulse.dispose();
  }
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
  readonly command:
    | 'execution.openFailedNode'
    | 'execution.debug'
    | 'execution.retry'
    | 'execution.editInput'
    | 'execution.openOutput'
    | 'execution.showLogs'
    | 'execution.createTest';
};

/** What helps after a failure, or what one wants of a success. */
function actionsFor(isFailure: boolean, canRetry: boolean): readonly Action[] {
  return isFailure
    ? [
        { title: vscode.l10n.t('Open Failed Node'), command: 'execution.openFailedNode' },
        ...(canRetry ? [{ title: vscode.l10n.t('Retry'), command: 'execution.retry' } as const] : []),
        { title: vscode.l10n.t('Debug'), command: 'execution.debug' },
        { title: vscode.l10n.t('Edit Input and Execute'), command: 'execution.editInput' },
        { title: vscode.l10n.t('Create Test'), command: 'execution.createTest' },
      ]
    : [
        { title: vscode.l10n.t('Open Output'), command: 'execution.openOutput' },
        ...(isLogInSight()
          ? []
          : [{ title: vscode.l10n.t('Show Logs'), command: 'execution.showLogs' } as const]),
        { title: vscode.l10n.t('Create Test'), command: 'execution.createTest' },
      ];
}

/** Shows a notification. Its buttons after a failure are for those that failed. */
async function notify(
  { commands, services }: Pick<App, 'commands' | 'services'>,
  endings: readonly Ending[],
): Promise<void> {
  const { text, failed } = renderNotice(endings);
  const isFailure = failed.length > 0;
  const canRetry = failed.every(({ target: { connectionId } }) => services.offers(connectionId, 'retry'));
  const actions = actionsFor(isFailure, canRetry);
  const picked = await showMessage<Action>(isFailure ? 'error' : 'information', text, actions);
  if (picked === undefined) return;
  const target = await chooseEnding(isFailure ? failed : endings, picked.title);
  await commands.run(picked.command, { ...target, invokedBy: 'person' });
}

export function registerNotices(
  {
    commands,
    workflows,
    executions,
    following,
    services,
    actions,
    clock,
    definitionTargets,
  }: Pick<
    App,
    | 'services'
    | 'commands'
    | 'workflows'
    | 'executions'
    | 'following'
    | 'actions'
    | 'clock'
    | 'definitionTargets'
  >,
  startedHere: StartedHere,
): Disposable {
  const owned = new DisposableStore();
  const failureItem = owned.add(new FailureItem(definitionTargets));
  owned.add(actions.onDidExecute(() => failureItem.hide()));
  const batches = owned.add(
    new Batches<Ending>(clock, (endings) => {
      // A notification would cover the log's last lines, which say the same.
      if (isLogInSight() && failureItem.show(endings)) return;
      notify({ commands, services }, endings).catch((error: unknown) => commands.present(error));
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
