// What earlier executions recorded, as far as it's still valid for a later one.
import { type Graph, loopsOf } from '../../definition/graph.ts';
import type { ExecutionRecords, RecordedRun } from '../store/executionRecords.ts';
import type { RecordLink } from '../store/plans.ts';

interface CountedLink {
  readonly executionId: string;
  /** The nodes whose records in this execution and in earlier ones are no longer valid. */
  readonly again: ReadonlySet<string>;
  /** The loops around these nodes: of their records, only the list is valid. */
  readonly reopened: ReadonlySet<string>;
}

export interface CountingRun extends RecordedRun {
  /** A loop whose iterations all run again. */
  readonly isReopened: boolean;
}

/** Looks in the newest execution first: an earlier one is used for what the later ones never reached. */
export class RecordedRuns {
  readonly #records: ExecutionRecords;
  readonly #links: readonly CountedLink[];

  constructor(records: ExecutionRecords, links: readonly RecordLink[], graph: Graph) {
    this.#records = records;
    let again: ReadonlySet<string> = new Set();
    this.#links = links.map((link) => {
      again = new Set([...again, ...link.again]);
      return { executionId: link.executionId, again, reopened: loopsAround(again, graph) };
    });
  }

  /** Whether nothing that has finished runs again: an execution then continues where the earlier one ended. */
  get isPrefix(): boolean {
    return this.#links.every(({ again }) => again.size === 0);
  }

  async find(nodeId: string, iteration: readonly number[]): Promise<CountingRun | undefined> {
    const end = this.#links.findIndex(({ again }) => again.has(nodeId));
    const links = end < 0 ? this.#links : this.#links.slice(0, end);
    const run = await this.#records.find(
      links.map(({ executionId }) => executionId),
      nodeId,
      iteration,
    );
    const link = links.find(({ executionId }) => executionId === run?.executionId);
    return run && { ...run, isReopened: link?.reopened.has(nodeId) ?? false };
  }
}

/** Returns all loops around the nodes. */
export function loopsAround(nodeIds: Iterable<string>, graph: Graph): ReadonlySet<string> {
  const loops = new Set<string>();
  for (const id of nodeIds) for (const loop of loopsOf(id, graph)) loops.add(loop);
  return loops;
}
