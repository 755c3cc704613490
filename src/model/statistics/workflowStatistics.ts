// The statistics of a workflow, read from its newest executions: at once from their records, and then node by node from their logs.
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { isServiceError, type ServiceError } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { NewestOfWorkflow } from '../executions/connectionExecutions.ts';
import type { Executions } from '../executions/executions.ts';
import { NodeCounts, type NodeStatistics } from './nodeStatistics.ts';

/** How many executions are counted, and of how many of them the nodes: each log is a request of the 60. */
const countedExecutions = 200;
const countedLogs = 20;
const pageSize = 100;
/** A service may have small pages, or list others than were asked for. */
const maximumPages = 10;

export interface NodesRead {
  readonly nodes: readonly NodeStatistics[];
  /** How many logs were read, and how many are to be read. */
  readonly read: number;
  readonly wanted: number;
  /** Why no more are read. */
  readonly error: ServiceError | null;
}

/** Returns the newest executions of what is deployed of a workflow. Rejects with a ServiceError. */
async function readNewest(
  executions: Pick<Executions, 'search'>,
  { connectionId, workflowId }: WorkflowTarget,
  signal: AbortSignal,
): Promise<NewestOfWorkflow> {
  const found: Execution[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < maximumPages && cursor !== null && found.length < countedExecutions; page += 1) {
    const query = { workflowId, kind: 'deployed', limit: pageSize, ...(cursor && { cursor }) } as const;
    const { items, nextCursor } = await executions.search(connectionId, query, signal);
    found.push(...items.filter((item) => item.kind === 'deployed' && item.workflowId === workflowId));
    cursor = nextCursor;
  }
  return {
    executions: found.slice(0, countedExecutions),
    isAll: cursor === null && found.length <= countedExecutions,
  };
}

export class WorkflowStatistics implements Disposable {
  readonly target: WorkflowTarget;
  readonly newest: NewestOfWorkflow;
  readonly #executions: Pick<Executions, 'keepLogs' | 'readLogs'>;
  readonly #ended = new AbortController();
  readonly #nodes: ObservableValue<NodesRead>;

  private constructor(
    executions: Pick<Executions, 'keepLogs' | 'readLogs'>,
    target: WorkflowTarget,
    newest: NewestOfWorkflow,
  ) {
    this.#executions = executions;
    this.target = target;
    this.newest = newest;
    const wanted = this.#sample().length;
    this.#nodes = new ObservableValue<NodesRead>({ nodes: [], read: 0, wanted, error: null });
  }

  /** Reads the executions, and goes on with their nodes until it's disposed of. Rejects with a ServiceError. */
  static async read(
    executions: Pick<Executions, 'search' | 'keepLogs' | 'readLogs'>,
    target: WorkflowTarget,
    signal: AbortSignal,
  ): Promise<WorkflowStatistics> {
    return new WorkflowStatistics(executions, target, await readNewest(executions, target, signal));
  }

  get nodes(): Observable<NodesRead> {
    return this.#nodes;
  }

  /** Reads the logs one after the other, those of this window's known executions without a request. Never rejects for the service. */
  async readNodes(): Promise<void> {
    const counts = new NodeCounts();
    try {
      for (const { id: executionId } of this.#sample()) {
        await this.#count(counts, executionId);
        const { read, wanted } = this.#nodes.current;
        this.#nodes.set({ nodes: counts.measure(), read: read + 1, wanted, error: null });
      }
    } catch (error) {
      if (isServiceError(error)) this.#nodes.set({ ...this.#nodes.current, error });
      else if (!isAbortError(error)) throw error;
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#nodes.dispose();
  }

  #sample(): readonly Execution[] {
    return this.newest.executions.filter(({ status }) => status.isTerminal).slice(0, countedLogs);
  }

  async #count(counts: NodeCounts, executionId: string): Promise<void> {
    const { signal } = this.#ended;
    signal.throwIfAborted();
    const target = { connectionId: this.target.connectionId, executionId };
    const kept = this.#executions.keepLogs(target);
    try {
      const { kind } = kept.feed.reading;
      if (kind !== 'whole' && kind !== 'part') await this.#executions.readLogs(target, signal, 'executions');
      counts.add(executionId, kept.feed.nodeRuns);
    } finally {
      kept.dispose();
    }
  }
}
