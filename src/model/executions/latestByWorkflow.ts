import type { Execution } from '../../domain/execution.ts';

interface Known {
  readonly executionId: string;
  /** Epoch milliseconds; -Infinity if the service doesn't say. */
  readonly createdAt: number;
}

/** The newest execution of what is deployed of each workflow, as far as unfiltered lists tell. */
export class LatestByWorkflow {
  readonly #known = new Map<string, Known>();

  find(workflowId: string): string | undefined {
    return this.#known.get(workflowId)?.executionId;
  }

  /** Takes the items of a list, newest first. */
  learn(executions: readonly Execution[]): void {
    const seen = new Set<string>();
    for (const { id, kind, workflowId, createdAt } of executions) {
      if (workflowId === null || kind === 'draft' || seen.has(workflowId)) continue;
      seen.add(workflowId);
      const created = createdAt?.getTime() ?? -Infinity;
      const known = this.#known.get(workflowId);
      if (known === undefined || created >= known.createdAt)
        this.#known.set(workflowId, { executionId: id, createdAt: created });
    }
  }
}
