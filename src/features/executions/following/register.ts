import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { channelNames } from '../../../editor/ids.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { choose } from '../../../editor/prompts/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import { showStatusBarMessage } from '../../../editor/prompts/statusBarMessage.ts';
import type { Follow } from '../../../model/executions/following.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { isCancellable } from '../../../words/executionWords.ts';
import { shortId, workflowName } from '../../../words/names.ts';
import { isLogInSight } from '../notices/failureItem.ts';
import { LogChannel } from './logChannel.ts';
import { registerMarkLinks } from './markLinks.ts';
import { ProgressOffer } from './progressOffer.ts';
import { LineReveal } from './revealLines.ts';
import { titleOfLines, writeFollow } from '../../../ui/writeFollow.ts';
import { statusIcon } from '../../../ui/icons.ts';

type FollowingDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'contextKeys'
  | 'executions'
  | 'following'
  | 'connections'
  | 'services'
  | 'workflows'
>;

/** Lets the user choose one of these executions, of any connection. */
async function pickFollowed(
  { executions, workflows }: FollowingDeps,
  title: string,
  followed: readonly ExecutionTarget[],
): Promise<ExecutionTarget> {
  const choices = followed.map((target) => {
    const execution = executions.find(target);
    return {
      label: workflowName(workflows, target.connectionId, execution?.workflowId ?? null),
      description: shortId(target.executionId),
      ...(execution === undefined
        ? {}
        : { iconPath: statusIcon(execution.status.state, execution.status.hasWarning) }),
      value: target,
    };
  });
  if (choices.length === 0) throw new PlainError(vscode.l10n.t('No execution is followed.'));
  return choose(title, choices);
}

export function registerFollowing(deps: FollowingDeps): Disposable {
  const { commands, contextKeys, following } = deps;
  const owned = new DisposableStore();
  const channel = owned.add(
    new LogChannel(
      {
        open: () => vscode.window.createOutputChannel(channelNames.logs, 'log'),
        isInSight: isLogInSight,
      },
      deps.clock,
    ),
  );
  owned.add(registerMarkLinks(() => channel.marks));
  const progress = new ProgressOffer(deps);
  const written = new WeakSet<Follow>();
  const lines = owned.add(new LineReveal());
  /** The lines are in the channel already, perhaps far above; those that are no longer there are in the log's document. */
  const revealWritten = (target: ExecutionTarget): void => {
    channel.flush();
    lines.reveal(
      ` ${titleOfLines(deps, target)} > `,
      () => void commands.run('execution.openLog', { ...target, invokedBy: 'person' }),
    );
  };
  owned.add(following.onDidChange(() => contextKeys('isFollowing', following.current.length > 0)));
  owned.add(
    commands.register('execution.showLogs', {
      ask: () => pickExecution(deps),
      run: (target: ExecutionTarget, { isInteractive }) => {
        const follow = following.follow(target);
        if (!written.has(follow)) {
          written.add(follow);
          const writing = owned.add(writeFollow(deps, channel, follow));
          void follow.done.then(() => owned.delete(writing));
          void progress.offer(target);
        } else if (isInteractive) revealWritten(target);
        if (isInteractive || settings.revealLogs()) channel.show();
        return Promise.resolve({ executionId: target.executionId });
      },
    }),
  );
  owned.add(
    commands.register('execution.stopFollowing', {
      ask: () =>
        pickFollowed(
          deps,
          vscode.l10n.t('Select an execution to stop following'),
          following.current.map(({ target }) => target),
        ),
      run: (target, { isInteractive }) => {
        following.stopFollowing(target);
        if (isInteractive) showStatusBarMessage(vscode.l10n.t('Stopped following. The execution continues.'));
        return Promise.resolve({ executionId: target.executionId });
      },
    }),
  );
  owned.add(commands.registerPlain('execution.cancelFollowed', () => cancelFollowed(deps)));
  return owned;
}

/** For the title of the channel, which shows the lines of those that are followed. One alone needs no question. */
async function cancelFollowed(deps: FollowingDeps) {
  const { commands, executions, following } = deps;
  const running = following.current
    .map(({ target }) => target)
    .filter((target) => {
      const execution = executions.find(target);
      return execution === undefined || isCancellable(execution);
    });
  if (running.length === 0 && following.current.length > 0)
    throw new PlainError(vscode.l10n.t('All followed executions are already being cancelled.'));
  const [first, ...others] = running;
  const target =
    first !== undefined && others.length === 0
      ? first
      : await pickFollowed(deps, vscode.l10n.t('Select an execution to cancel'), running);
  return commands.run('execution.cancel', { ...target, invokedBy: 'person' });
}
