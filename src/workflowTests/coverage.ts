// Which nodes of a definition ran, and which branches were taken, by the node runs of executions.
import { isExactNumber, type JsonValue } from '../base/json.ts';
import { errorBranch, loopBranches } from '../definition/definition.ts';
import type { DefinitionText } from '../definition/definitionText.ts';
import { isForEach } from '../definition/nodeTypes.ts';
import type { NodeRun } from '../domain/nodeRun.ts';

interface BranchCoverage {
  readonly branch: string;
  /** Where its first edge stands. */
  readonly offset: number;
  readonly count: number;
}

export interface NodeCoverage {
  readonly nodeId: string;
  /** How often it ran, in each iteration and attempt; a pinned node doesn't run. */
  readonly count: number;
  /** Those that have edges, in text order. */
  readonly branches: readonly BranchCoverage[];
}

/** Of one text of a definition, by all executions that were added. */
export class WorkflowCoverage {
  readonly definition: DefinitionText;
  readonly #nodes = new Map<string, number>();
  readonly #branches = new Map<string, Map<string, number>>();

  constructor(definition: DefinitionText) {
    this.definition = definition;
  }

  /** The node runs of one execution, in order. */
  add(nodeRuns: readonly NodeRun[]): void {
    const runs = nodeRuns.filter(({ status }) => status !== null && status.state !== 'skipped');
    for (const { nodeId, isPinned } of runs) if (!isPinned) count(this.#nodes, nodeId, 1);
    const byNode = Map.groupBy(runs, ({ nodeId }) => nodeId);
    for (const [nodeId, all] of byNode) {
      for (const branch of new Set(this.definition.outgoing(nodeId).map((edge) => edge.branch))) {
        if (branch === '') continue;
        const taken = this.#branches.get(nodeId) ?? new Map<string, number>();
        this.#branches.set(nodeId, taken);
        count(taken, branch, this.#timesTaken(nodeId, branch, all, byNode));
      }
    }
  }

  /** In text order. */
  get nodes(): readonly NodeCoverage[] {
    return [...this.definition.byId.keys()].map((nodeId) => {
      const firsts = new Map(
        this.definition
          .outgoing(nodeId)
          .toReversed()
          .map(({ branch, offset }) => [branch, offset] as const),
      );
      const taken = this.#branches.get(nodeId);
      const branches = [...firsts]
        .filter(([branch]) => branch !== '')
        .map(([branch, offset]) => ({ branch, offset, count: taken?.get(branch) ?? 0 }))
        .sort((one, other) => one.offset - other.offset);
      return { nodeId, count: this.#nodes.get(nodeId) ?? 0, branches };
    });
  }

  #timesTaken(
    nodeId: string,
    branch: string,
    runs: readonly NodeRun[],
    byNode: ReadonlyMap<string, readonly NodeRun[]>,
  ): number {
    if (branch === errorBranch)
      return lastAttempts(runs).filter(({ status }) => status?.state === 'failed').length;
    const completed = runs.filter(({ status }) => status?.state === 'completed');
    const type = this.definition.byId.get(nodeId)?.type ?? '';
    if (type === 'condition') return completed.filter(({ output }) => nameOf(output) === branch).length;
    if (isForEach(type) && branch === loopBranches.each) return this.#iterations(nodeId, runs, byNode);
    if (isForEach(type) && branch === loopBranches.done) return completed.length;
    // Other services don't say which branch was taken.
    const reached = this.definition
      .outgoing(nodeId)
      .filter((edge) => edge.branch === branch)
      .map(({ target }) => byNode.get(target)?.length ?? 0);
    return Math.min(completed.length, Math.max(0, ...reached));
  }

  /** How many items the loop went through, in all its runs. */
  #iterations(
    loopId: string,
    runs: readonly NodeRun[],
    byNode: ReadonlyMap<string, readonly NodeRun[]>,
  ): number {
    const depth = (runs[0]?.iteration.length ?? 0) + 1;
    const iterations = [...this.definition.body(loopId)]
      .flatMap((id) => byNode.get(id) ?? [])
      .filter(({ iteration }) => iteration.length >= depth)
      .map(({ iteration }) => iteration.slice(0, depth).join(','));
    return new Set(iterations).size;
  }
}

function count<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function nameOf(output: JsonValue | undefined): string | undefined {
  return output === undefined || output === null || isExactNumber(output) || typeof output === 'object'
    ? undefined
    : String(output);
}

function lastAttempts(runs: readonly NodeRun[]): readonly NodeRun[] {
  return [...new Map(runs.map((run) => [run.iteration.join(','), run])).values()];
}
