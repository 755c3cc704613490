import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { type ExecutionChange, isAbout } from './connectionExecutions.ts';
import type { Executions } from './executions.ts';
import type { Following } from './following.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** "unknown": nothing has been read yet. "none": the service lists none. `nodeRuns`: built when they're read. */
export type ShownExecution =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'execution';
      readonly target: ExecutionTarget;
      readonly execution: Execution;
      readonly nodeRuns: readonly NodeRun[];
    };

export interface LatestExecutionDeps {
  readonly executions: Executions;
  readonly following: Following;
  readonly logger: Logger;
}

/**
 * The newest execution of a workflow, live, until it's disposed of. Reads the list once if nothing is known. Reads the node logs of an
 * execution that isn't followed when it's first seen and when it has ended.
 */
export class LatestExecution implements Disposable {
  readonly #deps: LatestExecutionDeps;
  readonly #target: WorkflowTarget;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<ShownExecution>({ kind: 'unknown' }));
  readonly #ended = new AbortController();
  /** The execution whose node logs were requested last, and whether it had ended by then. */
  #asked: { readonly id: string; readonly hasEnded: boolean } | undefined;

  constructor(deps: LatestExecutionDeps, target: WorkflowTarget) {
    this.#deps = deps;
    this.#target = target;
    this.#owned.add(
      deps.executions.onDidChange((change) => {
        if (this.#concerns(change)) this.#look(change.kind === 'nodeRuns');
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

  /** A live execution changes with every batch of rows, so its node runs are listed only for those who read them. */
  #look(hasNewRuns: boolean): void {
    const { executions } = this.#deps;
    const { connectionId, workflowId } = this.#target;
    const { hasData, items } = executions.list({ connectionId, workflowId });
    const [newest] = items;
    if (newest === undefined) {
      const kind = hasData ? 'none' : 'unknown';
      if (this.#shown.current.kind !== kind) this.#shown.set({ kind });
      return;
    }
    const target = { connectionId, executionId: newest.id };
    const { current } = this.#shown;
    if (hasNewRuns || current.kind !== 'execution' || current.execution !== newest) {
      const feed = executions.logs(target);
      this.#shown.set({
        kind: 'execution',
        target,
        execution: newest,
        get nodeRuns() {
          return feed.nodeRuns;
        },
      });
    }
    if (this.#lacksLogs(newest, target)) void this.#quietly(this.#readLogs(target));
  }

  /** A queued execution has no logs yet, and an execution that's followed receives them anyway. */
  #lacksLogs({ id, status }: Execution, target: ExecutionTarget): boolean {
    const { executions, following } = this.#deps;
    const hasEnded = status.isTerminal;
    if (status.state === 'queued' || following.isFollowing(target)) return false;
    if (id === this.#asked?.id && hasEnded === this.#asked.hasEnded) return false;
    const { nodeRuns } = executions.logs(target);
    if (hasEnded && nodeRuns.length > 0 && nodeRuns.every((run) => run.status?.isTerminal !== false))
      return false;
    this.#asked = { id, hasEnded };
    return true;
  }

  async #readList(): Promise<void> {
    const { connectionId, workflowId } = this.#target;
    await this.#deps.executions.refresh({ connectionId, workflowId }, this.#ended.signal, 'definitions');
  }

  async #readLogs(target: ExecutionTarget): Promise<void> {
    await this.#deps.executions.readLogs(target, this.#ended.signal, 'definitions');
  }

  /** The user doesn't wait for these reads, so a failure is only logged. The connection's view shows it. */
  async #quietly(read: Promise<void>): Promise<void> {
    try {
      await read;
    } catch (error) {
      if (!this.#ended.signal.aborted)
        this.#deps.logger.warn(
          `The latest execution of ${this.#target.workflowId} could not be read: ${String(error)}`,
        );
    }
  }
}
