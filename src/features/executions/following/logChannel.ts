import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import { plainLine } from '../../../editor/format.ts';
import { type Follow, type FollowState, isFinal } from '../../../model/executions/following.ts';
import type { App } from '../../../ui/app.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import { shortId, workflowName } from '../../../ui/words/names.ts';
import { renderLogLine, withoutStarts } from '../../../ui/words/renderLogLine.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { formatDuration, renderTime, secondsUntil } from '../../../ui/words/time.ts';

/** Milliseconds between two writes of a burst. */
const intervalMs = 100;
/** The same for a long burst, where each write costs the editor more. */
const longIntervalMs = 200;
const longBurst = 10_000;

/** The part of an output channel that LogChannel needs. */
export interface LogOutput extends Disposable {
  append(text: string): void;
  show(preserveFocus: boolean): void;
}

/** The "Workflow Logs" channel. The first lines after a pause are written at once and later ones in batches, to reduce the number of writes. */
export class LogChannel implements Disposable {
  readonly #channel: LogOutput;
  readonly #clock: Clock;
  #pending: string[] = [];
  /** The number of lines since the last pause. */
  #burst = 0;
  /** Runs from a write until an interval without lines. */
  #timer: Disposable | undefined;

  /** channel: disposed of together with this object. */
  constructor(channel: LogOutput, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  append(lines: readonly string[]): void {
    for (const line of lines) this.#pending.push(line);
    if (this.#timer === undefined) this.#write();
  }

  /** Writes the pending lines. */
  flush(): void {
    if (this.#pending.length > 0) this.#write();
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.flush();
    this.#timer?.dispose();
    this.#channel.dispose();
  }

  #write(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const lines = this.#pending;
    if (lines.length === 0) {
      this.#burst = 0;
      return;
    }
    this.#pending = [];
    this.#burst += lines.length;
    this.#timer = this.#clock.schedule(
      () => this.#write(),
      this.#burst > longBurst ? longIntervalMs : intervalMs,
    );
    this.#channel.append(`${lines.join('\n')}\n`);
  }
}

/** The line for a change of state; undefined if the node logs already say it. */
function describeState(state: FollowState, durationMs: number | null, now: number): string | undefined {
  switch (state.kind) {
    case 'connecting':
      return undefined;
    case 'following':
      return state.by === 'polling'
        ? vscode.l10n.t('the service has no live stream; checking every few seconds')
        : undefined;
    case 'catchingUp':
      return vscode.l10n.t('connection lost; retrying in {0} s', secondsUntil(state.retryAt, now));
    case 'pausedByLimit':
      return vscode.l10n.t('paused by the request limit for {0} s', secondsUntil(state.resumeAt, now));
    case 'ended': {
      const word = statusWord(state.status.state, plainLine(state.status.word, 40));
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

/** Writes the node logs of a followed execution to the channel, first those that are already known. */
export function writeFollow(
  { clock, executions, workflows }: Pick<App, 'clock' | 'executions' | 'workflows'>,
  channel: LogChannel,
  follow: Follow,
): Disposable {
  const { target } = follow;
  const owned = new DisposableStore();
  const title = (): string => {
    const workflowId = executions.find(target)?.workflowId ?? null;
    return `${workflowName(workflows, target.connectionId, workflowId)} ${shortId(target.executionId)}`;
  };
  const write = (rows: readonly NodeLog[]): void => {
    const name = title();
    channel.append(withoutStarts(rows).map((row) => renderLogLine(name, row)));
  };
  const feed = executions.logs(target);
  write(feed.rows);
  owned.add(feed.onDidAppend(write));
  const say = (state: FollowState): void => {
    const now = clock.now();
    const text = describeState(state, executions.find(target)?.durationMs ?? null, now);
    if (text !== undefined)
      channel.append([`${renderTime(new Date(now))} [${levelOf(state)}] ${title()} › ${text}`]);
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
