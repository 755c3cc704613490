import type { NodeRun } from '../../domain/nodeRun.ts';
import { measureDurations, type DurationStatistics } from './durations.ts';

/** A run that a statistic leads to. */
interface MeasuredRun {
  readonly executionId: string;
  /** Of the node run. */
  readonly key: string;
  readonly durationMs: number;
}

/** How the runs of one node went. */
export interface NodeStatistics {
  readonly nodeId: string;
  readonly nodeName: string;
  /** Those that ended, attempts and iterations included; not those that were skipped, pinned or reused: nothing ran there. */
  readonly runs: number;
  /** Also where the execution went on. */
  readonly failed: number;
  /** Of those that completed. */
  readonly durations: DurationStatistics | null;
  /** null: none completed. */
  readonly longest: MeasuredRun | null;
}

interface Counted {
  nodeName: string;
  runs: number;
  failed: number;
  readonly durations: number[];
  longest: MeasuredRun | null;
}

const isMeasured = ({ status, isPinned, reusedFrom }: NodeRun): boolean =>
  status?.isTerminal === true && status.state !== 'skipped' && !isPinned && reusedFrom === null;

/** Counts node runs, execution after execution. Keeps none of them, only how long each took. */
export class NodeCounts {
  readonly #nodes = new Map<string, Counted>();

  add(executionId: string, runs: readonly NodeRun[]): void {
    for (const run of runs.filter(isMeasured)) this.#count(executionId, run);
  }

  /** In the order in which the nodes were first counted. */
  measure(): readonly NodeStatistics[] {
    return Array.from(this.#nodes, ([nodeId, { durations, ...counted }]) => ({
      nodeId,
      ...counted,
      durations: measureDurations(durations),
    }));
  }

  #count(executionId: string, run: NodeRun): void {
    const { nodeId, nodeName, key, status, durationMs } = run;
    const node = this.#nodes.get(nodeId) ?? { nodeName, runs: 0, failed: 0, durations: [], longest: null };
    this.#nodes.set(nodeId, node);
    node.runs += 1;
    if (status?.state === 'failed') node.failed += 1;
    if (status?.state !== 'completed' || durationMs === null) return;
    node.durations.push(durationMs);
    if (durationMs > (node.longest?.durationMs ?? -1)) node.longest = { executionId, key, durationMs };
  }
}
