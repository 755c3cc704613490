// Runs a task: executes its workflow, and writes the log of the execution until it has ended.
import * as vscode from 'vscode';
import type { RunState } from '../../domain/status.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { plainText } from '../../base/format.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import { type Follow, type FollowState, isFinal } from '../../model/executions/following.ts';
import type { TriggeredExecution } from '../../model/workflows/workflowActions.ts';
import type { App } from '../../ui/app.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { shortId } from '../../words/names.ts';
import { type LineSink, writeFollow } from '../../ui/writeFollow.ts';
import type { FailureProblems } from './failureProblems.ts';
import { decodeTask } from './taskDefinition.ts';
import { findTaskTarget } from './taskTarget.ts';

/** Of a task that could not be executed or followed. */
const notDone = 3;
const exitCodes: Readonly<Partial<Record<RunState, number>>> = { completed: 0, failed: 1, cancelled: 2 };

export type TaskRunDeps = Pick<
  App,
  'actions' | 'clock' | 'connections' | 'executions' | 'following' | 'services' | 'workflows'
>;

export interface TaskRunOptions {
  /** As the editor has it, its variables replaced. */
  readonly definition: unknown;
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly sink: LineSink;
  /** Undefined: the task lists no failure there. */
  readonly problems: Pick<FailureProblems, 'show'> | undefined;
}

export class TaskRun {
  readonly #deps: TaskRunDeps;
  readonly #options: TaskRunOptions;
  readonly #abort = new AbortController();
  /** The execution, while it's followed. */
  #followed: ExecutionTarget | undefined;
  #isCancelling = false;

  constructor(deps: TaskRunDeps, options: TaskRunOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Resolves with the exit code: 0 completed, 1 failed, 2 cancelled, 3 could not be executed or followed. Never rejects. */
  async run(): Promise<number> {
    const { definition, folder } = this.#options;
    const { signal } = this.#abort;
    try {
      const task = decodeTask(definition);
      const { target, input } = await findTaskTarget(this.#deps, task, folder, signal);
      const triggered = await this.#deps.actions.execute(target, input, { signal });
      if (!task.wait) {
        const [id] = triggered.executionIds;
        this.#say(
          id === undefined
            ? vscode.l10n.t('The execution has started.')
            : vscode.l10n.t('The execution {0} has started.', shortId(id)),
        );
        return 0;
      }
      const executionId = await this.#find(target, triggered);
      if (executionId === undefined) {
        this.#say(
          vscode.l10n.t('The execution has started, but the service reports no execution to follow.'),
        );
        return notDone;
      }
      return await this.#follow(target, executionId);
    } catch (error) {
      this.#say(
        signal.aborted
          ? vscode.l10n.t('Stopped before an execution was found.')
          : describeError(error, this.#deps.clock.now()).message,
      );
      return notDone;
    }
  }

  /** Cancels the execution where the service can, else, or when it's already being cancelled, stops following it. */
  interrupt(): void {
    const followed = this.#followed;
    const canCancel = followed !== undefined && this.#deps.services.offers(followed.connectionId, 'cancel');
    if (followed === undefined || !canCancel || this.#isCancelling) {
      this.stop();
      return;
    }
    this.#isCancelling = true;
    this.#say(vscode.l10n.t('Cancelling…'));
    this.#deps.actions.cancel(followed).catch((error: unknown) => {
      this.#isCancelling = false;
      this.#say(describeError(error, this.#deps.clock.now()).message);
    });
  }

  /** Stops following; the execution continues. */
  stop(): void {
    this.#abort.abort();
  }

  async #find(target: WorkflowTarget, triggered: TriggeredExecution): Promise<string | undefined> {
    const [reported] = triggered.executionIds;
    if (reported !== undefined) return reported;
    const match = await this.#deps.actions.findExecution(target, triggered, this.#abort.signal);
    return match.kind === 'unknown' ? undefined : match.executionId;
  }

  async #follow(workflow: WorkflowTarget, executionId: string): Promise<number> {
    const { executions, following } = this.#deps;
    const target = { connectionId: workflow.connectionId, executionId };
    this.#followed = target;
    const follow = following.follow(target);
    const writing = writeFollow(this.#deps, this.#options.sink, follow);
    try {
      const state = await this.#untilStopped(follow);
      if (state.kind !== 'ended') return notDone;
      const code = exitCodes[state.status.state] ?? notDone;
      const error = code === 1 ? executions.find(target)?.error : null;
      const place = error ? await this.#options.problems?.show(workflow, executionId, error) : undefined;
      if (place !== undefined) this.#say(place);
      return code;
    } finally {
      writing.dispose();
    }
  }

  /** A follow that others need goes on without this task. */
  #untilStopped(follow: Follow): Promise<FollowState> {
    const { promise, resolve } = Promise.withResolvers<FollowState>();
    void follow.done.then(resolve);
    const stop = (): void => {
      follow.leave();
      if (isFinal(follow.state.current)) return;
      this.#say(vscode.l10n.t('stopped following; the execution continues'));
      resolve({ kind: 'stopped' });
    };
    if (this.#abort.signal.aborted) stop();
    else this.#abort.signal.addEventListener('abort', stop, { once: true });
    return promise;
  }

  #say(line: string): void {
    this.#options.sink.append([hideKeys(line)]);
  }
}

/** Writes lines to a terminal, without anything in them that it would carry out. */
export function terminalSink(write: (text: string) => void): LineSink {
  const append = (lines: readonly string[]): void => {
    for (const line of lines.flatMap((each) => each.split(/\r?\n|\r/))) write(`${plainText(line)}\r\n`);
  };
  return {
    append,
    markOmitted: (lineCount) => {
      if (lineCount > 0) append([vscode.l10n.t('... {0} earlier lines are left out', lineCount)]);
    },
    flush: () => undefined,
  };
}
