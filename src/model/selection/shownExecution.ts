import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isLacking } from '../../domain/errors.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import { type ExecutionChange, isAbout } from '../executions/connectionExecutions.ts';
import type { Executions } from '../executions/executions.ts';
import { type Following, isFinal } from '../executions/following.ts';
import type { Execution } from '../../domain/execution.ts';
import type { LogFeed } from '../log/logFeed.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { IterationSelection } from '../runs/nodeView.ts';
import type { RunTree } from '../runs/runTree.ts';
import type { Selection } from './selection.ts';

/** "unknown": nothing has been read yet. "none": the service lists none. Node runs are built when they're read. */
export type ShownExecution =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'execution';
      readonly target: ExecutionTarget;
      readonly execution: Execution;
      /** Whether it's shown as the latest; else the user has selected it. */
      readonly isLatest: boolean;
      /** The selected iterations of loops. */
      readonly iterations: IterationSelection;
      /** The execution has ended, and all its node runs are known. */
      readonly isWhole: boolean;
      readonly nodeRuns: readonly NodeRun[];
      /** The same runs. */
      readonly runTree: RunTree;
      /** How many node runs are gone, to save memory. */
      readonly goneRuns: number;
    };

export interface ShownExecutionDeps {
  readonly executions: Executions;
  readonly following: Following;
  readonly selection: Selection;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Who shows it: the graph shows the execution of the selected node before that of the definition. */
type Reader = 'definition' | 'graph';

function findSelectedId(selection: Selection, target: WorkflowTarget, reader: Reader): string | null {
  const node = selection.node.current;
  const isOfNode = reader === 'graph' && node !== null && targetName(node.target) === targetName(target);
  return (isOfNode ? node.executionId : null) ?? selection.findExecution(target);
}

/** The newest one that isn't a draft, listed or not; where only drafts are known, the newest of them. */
function latestOf(executions: Executions, target: WorkflowTarget): Execution | undefined {
  const { items } = executions.list(target);
  return items.find(({ kind }) => kind === 'deployed') ?? executions.latest(target) ?? items[0];
}

/** Returns the id of the execution of a workflow that a reader shows; undefined if none is known. */
export function findShownId(
  { executions, selection }: Pick<ShownExecutionDeps, 'executions' | 'selection'>,
  target: WorkflowTarget,
  reader: Reader,
): string | undefined {
  return findSelectedId(selection, target, reader) ?? latestOf(executions, target)?.id;
}

/** Returns what to select to show an execution. The latest one gives way to the next one, so it's selected as the latest: null. */
export function toSelectedId(
  { executions }: Pick<ShownExecutionDeps, 'executions'>,
  target: WorkflowTarget,
  executionId: string | null,
): string | null {
  const latest = latestOf(executions, target);
  return executionId === latest?.id ? null : executionId;
}

/** Something that was requested once, and when it's requested again, in epoch milliseconds. */
interface Asked {
  readonly id: string;
  againAt: number;
}

/** How long what failed isn't requested again, in milliseconds. */
const pauseMs = 60_000;

/**
 * The execution that a workflow's definition shows, live, until it's disposed of: the newest one, unless another was selected. Reads the list
 * once if nothing is known. Reads the node logs of an execution that isn't followed when it's first seen and when it has ended, then all of
 * them.
 */
export class ShownExecutionSource implements Disposable {
  readonly #deps: ShownExecutionDeps;
  readonly #target: WorkflowTarget;
  readonly #reader: Reader;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<ShownExecution>({ kind: 'unknown' }));
  readonly #ended = new AbortController();
  /** The execution whose node logs were requested last, for which feed, and whether it had ended by then. */
  #asked: (Asked & { readonly feed: LogFeed; readonly hasEnded: boolean }) | undefined;
  /** The selected execution that was read last. */
  #selected: Asked | undefined;

  constructor(deps: ShownExecutionDeps, target: WorkflowTarget, reader: Reader) {
    this.#deps = deps;
    this.#target = target;
    this.#reader = reader;
    const { selection } = deps;
    this.#owned.add(
      deps.executions.onDidChange((change) => {
        if (this.#concerns(change)) this.#look(change.kind === 'nodeRuns');
      }),
    );
    this.#owned.add(
      selection.onDidSelectExecution((changed) => {
        if (targetName(changed) === targetName(target)) this.#look(false);
      }),
    );
    if (reader === 'graph')
      this.#owned.add(
        selection.node.onDidChange((node) => {
          if (node !== null && targetName(node.target) === targetName(target)) this.#look(false);
        }),
      );
    this.#owned.add(
      selection.onDidSelectIteration((changed) => {
        if (this.#isShown(changed)) this.#look(true);
      }),
    );
    this.#owned.add(
      deps.following.onDidChange(({ target: followed, state }) => {
        // Now all its rows are known, which no row says.
        if (this.#isShown(followed) && isFinal(state.current)) this.#look(true);
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

  #isShown(target: ExecutionTarget): boolean {
    const { current } = this.#shown;
    return current.kind === 'execution' && executionName(target) === executionName(current.target);
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
    const { executions, selection } = this.#deps;
    const { connectionId, workflowId } = this.#target;
    const { hasData } = executions.list({ connectionId, workflowId });
    const selectedId = findSelectedId(selection, this.#target, this.#reader);
    const isLatest = selectedId === null;
    const execution = isLatest
      ? latestOf(executions, this.#target)
      : executions.find({ connectionId, executionId: selectedId });
    if (execution === undefined) {
      const kind = hasData && isLatest ? 'none' : 'unknown';
      if (this.#shown.current.kind !== kind) this.#shown.set({ kind });
      if (!isLatest) void this.#quietly(this.#readSelected(selectedId));
      return;
    }
    const target = { connectionId, executionId: execution.id };
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
        iterations: selection.findIterations(target),
        get isWhole() {
          return execution.status.isTerminal && feed.reading.kind === 'whole';
        },
        get nodeRuns() {
          return feed.nodeRuns;
        },
        get runTree() {
          return feed.runTree;
        },
        get goneRuns() {
          return feed.goneRuns;
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
    const feed = executions.logs(target);
    // Another feed: the one before was dropped, to save memory.
    const isSame = hasEnded === this.#asked?.hasEnded && feed === this.#asked.feed;
    if (isSame && this.#isAsked(this.#asked, id)) return false;
    if (hasEnded && feed.reading.kind === 'whole') return false;
    this.#asked = { id, feed, hasEnded, againAt: Infinity };
    return true;
  }

  #isAsked(asked: Asked | undefined, id: string): boolean {
    return id === asked?.id && this.#deps.clock.now() < asked.againAt;
  }

  async #readList(): Promise<void> {
    const { connectionId, workflowId } = this.#target;
    await this.#deps.executions.refresh({ connectionId, workflowId }, this.#ended.signal, 'definitions');
  }

  async #readSelected(executionId: string): Promise<void> {
    if (this.#isAsked(this.#selected, executionId)) return;
    const asked = (this.#selected = { id: executionId, againAt: Infinity });
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
      if (asked !== undefined && !isLacking(error)) asked.againAt = this.#deps.clock.now() + pauseMs;
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
