import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import type { ChosenExecutions } from './chosenExecutions.ts';
import { type ExecutionChange, isAbout } from './connectionExecutions.ts';
import type { Executions } from './executions.ts';
import { type Following, isFinal } from './following.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunTree } from '../runs/runTree.ts';
import type { ChosenTurns, ShownTurns } from './shownTurns.ts';

/** "unknown": nothing has been read yet. "none": the service lists none. Node runs are built when they're read. */
export type ShownExecution =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'execution';
      readonly target: ExecutionTarget;
      readonly execution: Execution;
      /** Whether it's shown as the latest; else the user has chosen it. */
      readonly isLatest: boolean;
      /** The turns of loops that the user has chosen to see. */
      readonly turns: ChosenTurns;
      /** The execution has ended, and all its node runs are known. */
      readonly isWhole: boolean;
      readonly nodeRuns: readonly NodeRun[];
      /** The same runs. */
      readonly runTree: RunTree;
    };

export interface ShownExecutionDeps {
  readonly executions: Executions;
  readonly following: Following;
  readonly chosenExecutions: ChosenExecutions;
  readonly shownTurns: ShownTurns;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Something that was requested once, and when it's requested again, in epoch milliseconds. */
interface Asked {
  readonly id: string;
  againAt: number;
}

/** How long what failed isn't requested again, in milliseconds. */
const pauseMs = 60_000;

/**
 * The execution that a workflow's definition shows, live, until it's disposed of: the newest one, unless another was chosen. Reads the list
 * once if nothing is known. Reads the node logs of an execution that isn't followed when it's first seen and when it has ended, then all of
 * them.
 */
export class ShownExecutionSource implements Disposable {
  readonly #deps: ShownExecutionDeps;
  readonly #target: WorkflowTarget;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<ShownExecution>({ kind: 'unknown' }));
  readonly #ended = new AbortController();
  /** The execution whose node logs were requested last, and whether it had ended by then. */
  #asked: (Asked & { readonly hasEnded: boolean }) | undefined;
  /** The chosen execution that was read last. */
  #chosen: Asked | undefined;

  constructor(deps: ShownExecutionDeps, target: WorkflowTarget) {
    this.#deps = deps;
    this.#target = target;
    this.#owned.add(
      deps.executions.onDidChange((change) => {
        if (this.#concerns(change)) this.#look(change.kind === 'nodeRuns');
      }),
    );
    this.#owned.add(
      deps.chosenExecutions.onDidChange((changed) => {
        if (targetName(changed) === targetName(target)) this.#look(false);
      }),
    );
    this.#owned.add(
      deps.shownTurns.onDidChange((changed) => {
        const { current } = this.#shown;
        if (current.kind === 'execution' && executionName(changed) === executionName(current.target))
          this.#look(true);
      }),
    );
    this.#owned.add(
      deps.following.onDidChange(({ target: followed, state }) => {
        const { current } = this.#shown;
        const isShown =
          current.kind === 'execution' && executionName(followed) === executionName(current.target);
        // Now all its rows are known, which no row says.
        if (isShown && isFinal(state.current)) this.#look(true);
      }),
    );
    this.#look(false);
    if (this.#shown.current.kind === 'unknown') void this.#quietly(this.#readList());
  }

  get shown(): Observable<ShownExecution> {
    return this.#shown;
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  #concerns(change: ExecutionChange): boolean {
    const { connectionId, workflowId } = this.#target;
    const { current } = this.#shown;
    if (change.kind === 'list')
      return change.scope.connectionId === connectionId && change.scope.workflowId === workflowId;
    return current.kind === 'execution' && isAbout(change, current.target);
  }

  /** `isNew`: what is shown of the execution changed. A live execution changes with every batch of rows, so its node runs are listed only for those who read them. */
  #look(isNew: boolean): void {
    const { executions, chosenExecutions, shownTurns } = this.#deps;
    const { connectionId, workflowId } = this.#target;
    const { hasData, items } = executions.list({ connectionId, workflowId });
    const chosenId = chosenExecutions.find(this.#target);
    const execution =
      chosenId === undefined ? items[0] : executions.find({ connectionId, executionId: chosenId });
    if (execution === undefined) {
      const kind = hasData && chosenId === undefined ? 'none' : 'unknown';
      if (this.#shown.current.kind !== kind) this.#shown.set({ kind });
      if (chosenId !== undefined) void this.#quietly(this.#readChosen(chosenId));
      return;
    }
    const target = { connectionId, executionId: execution.id };
    const isLatest = chosenId === undefined;
    const { current } = this.#shown;
    const isShown =
      current.kind === 'execution' && current.execution === execution && current.isLatest === isLatest;
    if (isNew || !isShown) {
      const feed = executions.logs(target);
      this.#shown.set({
        kind: 'execution',
        target,
        execution,
        isLatest,
        turns: shownTurns.find(target),
        get isWhole() {
          return execution.status.isTerminal && feed.reading.kind === 'whole';
        },
        get nodeRuns() {
          return feed.nodeRuns;
        },
        get runTree() {
          return feed.runTree;
        },
      });
    }
    if (this.#lacksLogs(execution, target)) void this.#quietly(this.#readLogs(target));
  }

  /** A queued execution has no logs yet, and an execution that's followed receives them anyway. */
  #lacksLogs({ id, status }: Execution, target: ExecutionTarget): boolean {
    const { executions, following } = this.#deps;
    const hasEnded = status.isTerminal;
    if (status.state === 'queued' || following.isFollowing(target)) return false;
    if (hasEnded === this.#asked?.hasEnded && this.#isAsked(this.#asked, id)) return false;
    if (hasEnded && executions.logs(target).reading.kind === 'whole') return false;
    this.#asked = { id, hasEnded, againAt: Infinity };
    return true;
  }

  #isAsked(asked: Asked | undefined, id: string): boolean {
    return id === asked?.id && this.#deps.clock.now() < asked.againAt;
  }

  async #readList(): Promise<void> {
    const { connectionId, workflowId } = this.#target;
    await this.#deps.executions.refresh({ connectionId, workflowId }, this.#ended.signal, 'definitions');
  }

  async #readChosen(executionId: string): Promise<void> {
    if (this.#isAsked(this.#chosen, executionId)) return;
    const asked = (this.#chosen = { id: executionId, againAt: Infinity });
    const { connectionId } = this.#target;
    const { executions } = this.#deps;
    await this.#unlessFailed(asked, executions.get({ connectionId, executionId }, this.#ended.signal));
    this.#look(false);
  }

  async #readLogs(target: ExecutionTarget): Promise<void> {
    const { following } = this.#deps;
    const reading = following.readLog(target, this.#ended.signal, 'definitions');
    const feed = await this.#unlessFailed(this.#asked, reading);
    if (feed.reading.kind === 'whole') this.#look(true);
  }

  /** What a service doesn't have isn't requested again. */
  async #unlessFailed<T>(asked: Asked | undefined, reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      const isLacking = isServiceError(error, 'notFound') || isServiceError(error, 'notOffered');
      if (asked !== undefined && !isLacking) asked.againAt = this.#deps.clock.now() + pauseMs;
      throw error;
    }
  }

  /** The user doesn't wait for these reads, so a failure is only logged. The connection's view shows it. */
  async #quietly(read: Promise<void>): Promise<void> {
    try {
      await read;
    } catch (error) {
      if (!this.#ended.signal.aborted)
        this.#deps.logger.warn(
          `The execution that ${this.#target.workflowId} shows could not be read: ${String(error)}`,
        );
    }
  }
}
