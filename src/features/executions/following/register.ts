import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Follow, FollowState } from '../../../model/executions/following.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import { plainLine } from '../../../editor/format.ts';
import { choose } from '../../../editor/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import { statusIcon, statusWord } from '../../../ui/words/status.ts';
import { LogChannel } from './logChannel.ts';
import { renderLogLine } from '../../../ui/words/renderLogLine.ts';
import { channelNames } from '../../../editor/ids.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';
import { shortId, workflowName } from '../../../ui/words/names.ts';
import { formatDuration, renderTime, secondsUntil } from '../../../ui/words/time.ts';

export type FollowingDeps = Pick<
  App,
  'clock' | 'commands' | 'executions' | 'following' | 'connections' | 'workflows'
>;

/** The line for a change of state; undefined if the node logs already say it. */
function describeState(state: FollowState, durationMs: number | null, now: number): string | undefined {
  switch (state.kind) {
    case 'connecting':
      return undefined;
    case 'following':
      return state.by === 'polling'
        ? vscode.l10n.t('the service has no live stream; looking every few seconds')
        : undefined;
    case 'catchingUp':
      return vscode.l10n.t('connection lost; trying again in {0} s', secondsUntil(state.retryAt, now));
    case 'pausedByLimit':
      return vscode.l10n.t('paused by the request limit for {0} s', secondsUntil(state.resumeAt, now));
    case 'ended': {
      const word = statusWord(state.status.state, plainLine(state.status.word, 40));
      return durationMs === null ? word : vscode.l10n.t('{0} in {1}', word, formatDuration(durationMs));
    }
    case 'failed':
      return vscode.l10n.t('following failed: {0}', describeError(state.error, now).message);
    case 'stopped':
      return vscode.l10n.t('no longer followed');
  }
}

function levelOf(state: FollowState): string {
  if (state.kind === 'failed') return 'error';
  if (state.kind === 'ended' && state.status.state === 'failed') return 'error';
  return state.kind === 'catchingUp' || state.kind === 'pausedByLimit' ? 'warning' : 'info';
}

/** Writes the node logs of a followed execution to the channel, first those that are already known. */
function writeFollow(deps: FollowingDeps, channel: LogChannel, follow: Follow): Disposable {
  const { executions, workflows } = deps;
  const { target } = follow;
  const owned = new DisposableStore();
  const title = (): string => {
    const workflowId = executions.find(target)?.workflowId ?? null;
    return `${workflowName(workflows, target.connectionId, workflowId)} ${shortId(target.executionId)}`;
  };
  const write = (rows: readonly NodeLog[]): void => {
    const name = title();
    channel.append(rows.map((row) => renderLogLine(name, row)));
  };
  const feed = executions.logs(target);
  write(feed.rows);
  owned.add(feed.onDidAppend(write));
  const say = (state: FollowState): void => {
    const text = describeState(state, executions.find(target)?.durationMs ?? null, Date.now());
    if (text !== undefined)
      channel.append([`${renderTime(new Date())} [${levelOf(state)}] ${title()} › ${text}`]);
    if (isFinal(state)) channel.flush();
  };
  owned.add(
    follow.state.onDidChange((state) => {
      if (!isFinal(state)) say(state);
    }),
  );
  void follow.done.then(say);
  return owned;
}

function isFinal(state: FollowState): boolean {
  return state.kind === 'ended' || state.kind === 'failed' || state.kind === 'stopped';
}

/** Lets the user choose one of the followed executions, of any connection. */
async function pickFollowed({ executions, following, workflows }: FollowingDeps): Promise<ExecutionTarget> {
  const choices = following.current.map(({ target }) => {
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
  if (choices.length === 0) throw new PlainError(vscode.l10n.t('No execution is being followed.'));
  return choose(vscode.l10n.t('Choose the execution to follow no longer'), choices);
}

export function registerFollowing(deps: FollowingDeps): Disposable {
  const { commands, following } = deps;
  const owned = new DisposableStore();
  const channel = owned.add(
    new LogChannel(vscode.window.createOutputChannel(channelNames.logs, 'log'), deps.clock),
  );
  const written = new WeakSet<Follow>();
  owned.add(
    commands.register('execution.showLogs', {
      ask: () => pickExecution(deps),
      run: (target: ExecutionTarget, { isInteractive }) => {
        const follow = following.follow(target);
        if (!written.has(follow)) {
          written.add(follow);
          const writing = owned.add(writeFollow(deps, channel, follow));
          void follow.done.then(() => owned.delete(writing));
        }
        if (isInteractive || settings.revealLogs()) channel.show();
        return Promise.resolve({ executionId: target.executionId });
      },
    }),
  );
  owned.add(
    commands.register('execution.stopFollowing', {
      ask: () => pickFollowed(deps),
      run: (target) => {
        following.stopFollowing(target);
        return Promise.resolve({ executionId: target.executionId });
      },
    }),
  );
  return owned;
}
