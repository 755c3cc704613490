import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { LogLine } from '../domain/logEntry.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import { joined } from '../base/format.ts';
import { hideKeys } from '../editor/hideKeys.ts';
import { type Follow, type FollowState, isFinal } from '../model/executions/following.ts';
import { newestRows } from '../model/log/logFeed.ts';
import type { App } from './app.ts';
import { findNodesAtEnd } from './nodesAtEnd.ts';
import { describeError } from './words/describeError.ts';
import { describeNodesAtEnd, draftWord } from '../words/executionWords.ts';
import { shortId, workflowName } from '../words/names.ts';
import { withTitle } from '../words/renderLogLine.ts';
import { wordOfStatus } from '../words/status.ts';
import { formatDuration, renderTime, secondsUntil } from '../words/time.ts';

interface FollowedFacts {
  readonly durationMs: number | null;
  /** The service that has no lines before the end of the execution. */
  readonly atEndBy: string | undefined;
  /** The service could stream. */
  readonly streams: boolean;
}

/** The line for a change of state; undefined if the node logs already say it. */
function describeState(
  state: FollowState,
  { durationMs, atEndBy, streams }: FollowedFacts,
  now: number,
): string | undefined {
  switch (state.kind) {
    case 'connecting':
      return undefined;
    case 'following':
      if (atEndBy !== undefined) return describeNodesAtEnd(atEndBy);
      return streams && state.by === 'polling'
        ? vscode.l10n.t('no live stream; polling every few seconds')
        : undefined;
    case 'catchingUp':
      return vscode.l10n.t('connection lost; retrying in {0} s', secondsUntil(state.retryAt, now));
    case 'pausedByLimit':
      return vscode.l10n.t('paused by the request limit for {0} s', secondsUntil(state.resumeAt, now));
    case 'ended': {
      const word = wordOfStatus(state.status);
      return durationMs === null ? word : vscode.l10n.t('{0} in {1}', word, formatDuration(durationMs));
    }
    case 'failed':
      return vscode.l10n.t('following failed: {0}', describeError(state.error, now).message);
    case 'stopped':
      return vscode.l10n.t('stopped following; the execution continues');
  }
}

function levelOf(state: FollowState): string {
  if (state.kind === 'failed') return 'error';
  if (state.kind === 'ended' && state.status.state === 'failed') return 'error';
  return state.kind === 'catchingUp' || state.kind === 'pausedByLimit' ? 'warning' : 'info';
}

/** What stands at the beginning of each line of an execution, after its time and level. */
export function titleOfLines(
  { executions, workflows }: Pick<App, 'executions' | 'workflows'>,
  target: ExecutionTarget,
): string {
  const execution = executions.find(target);
  const name = workflowName(workflows, target.connectionId, execution?.workflowId ?? null);
  const draft = execution && draftWord(execution);
  return hideKeys(joined([name, shortId(target.executionId), draft && `(${draft})`], ' '));
}

/** What lines belong to. */
export interface LineSource {
  readonly title: string;
  readonly target: ExecutionTarget;
}

/** Where lines are written. A line may contain line feeds. */
export interface LineSink {
  append(lines: readonly string[], source?: LineSource): void;
  /** Says that lines are left out here, if there are any. */
  markOmitted(lineCount: number, source: LineSource): void;
  flush(): void;
}

/** Writes the node logs of a followed execution to the channel, first those that are already known. */
export function writeFollow(
  { clock, executions, services, workflows }: Pick<App, 'clock' | 'executions' | 'services' | 'workflows'>,
  channel: LineSink,
  follow: Follow,
): Disposable {
  const { target } = follow;
  const owned = new DisposableStore();
  const title = (): string => titleOfLines({ executions, workflows }, target);
  let isMaskSaid = false;
  /** The editor keeps what a channel shows in a file, and so keys are masked in it too. */
  const write = (rows: readonly LogLine[]): void => {
    const name = title();
    // The tree's row says that a node started. A line that only says so would double the lines.
    const lines = rows.filter(({ isBareStart }) => !isBareStart).map(({ text }) => withTitle(name, text));
    channel.append(lines, { title: name, target });
    if (isMaskSaid || !rows.some(({ hasMaskedKeys }) => hasMaskedKeys)) return;
    isMaskSaid = true;
    channel.append([
      vscode.l10n.t('... API keys are masked here, since VS Code keeps these lines in a file'),
    ]);
  };
  const feed = executions.logs(target);
  const earlier = Math.max(0, feed.count - newestRows);
  channel.markOmitted(earlier, { title: title(), target });
  write(feed.lines(earlier, feed.count));
  owned.add(feed.onDidAppend(({ lines }) => write(lines)));
  const say = (state: FollowState): void => {
    const now = clock.now();
    const execution = executions.find(target);
    const facts = {
      durationMs: execution?.durationMs ?? null,
      atEndBy: findNodesAtEnd({ executions, services, workflows }, target),
      streams: services.offers(target.connectionId, 'liveLogs'),
    };
    const text = describeState(state, facts, now);
    // The lines of the nodes have the service's time as well.
    const time = (state.kind === 'ended' ? execution?.completedAt : null) ?? new Date(now);
    if (text !== undefined)
      channel.append([hideKeys(`${renderTime(time)} [${levelOf(state)}] ${title()} > ${text}`)]);
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
