// Decides for each node run of a retry or a draft execution whether it runs, is reused from a record, gives its pin, or isn't reached; and
// what answers its request.
import { stringifyJson } from '../../base/json.ts';
import { errorBranch, type WorkflowNode } from '../../definition/definition.ts';
import { type Graph, loopsOf } from '../../definition/graph.ts';
import type { ExecutionRecords, RecordedLoop } from '../store/executionRecords.ts';
import type { ExecutionWork } from '../store/executionRows.ts';
import type { ReuseOrigin } from '../store/nodeLogs.ts';
import type { NodeOutcome } from '../store/nodeRuns.ts';
import type { Plan } from '../store/plans.ts';
import { Answers } from './answers.ts';
import { type KnownScope, recordedScope } from './recordedScope.ts';
import { type CountingRun, RecordedRuns } from './recordedRuns.ts';
import { isForEach } from '../../definition/nodeTypes.ts';

export type ReuseDecision =
  | { readonly kind: 'run' }
  | { readonly kind: 'reused'; readonly outcome: NodeOutcome; readonly origin: ReuseOrigin }
  /** A loop continues after the iterations that have finished. */
  | { readonly kind: 'continued'; readonly loop: RecordedLoop };

const run: ReuseDecision = { kind: 'run' };
const noPlan: Plan = { again: [], pinned: {}, iteration: [] };

/** Returns undefined for an execution in which all nodes run. */
export async function openReuse(
  records: ExecutionRecords,
  executionId: string,
  work: ExecutionWork,
  graph: Graph,
): Promise<Reuse | undefined> {
  const { plan, retryOf } = work;
  if (plan === null && retryOf === null) return undefined;
  const links = retryOf === null ? [] : await records.links(retryOf, plan?.again ?? []);
  const basis = work.basedOn === null ? [] : await records.basis(work.basedOn);
  if (!links || !basis) throw new Error('The execution whose record is used has been deleted.');
  return new Reuse(
    graph,
    plan ?? noPlan,
    new RecordedRuns(records, links, graph),
    new RecordedRuns(records, basis, graph),
    new Answers(plan?.answers ?? {}, records, [executionId, ...links.map((link) => link.executionId)]),
  );
}

export class Reuse {
  readonly answers: Answers;
  readonly #graph: Graph;
  readonly #plan: Plan;
  readonly #recorded: RecordedRuns;
  readonly #basis: RecordedRuns;
  readonly #reached: ReadonlySet<string> | undefined;
  /** No recorded run is left. */
  #isExhausted = false;

  constructor(graph: Graph, plan: Plan, recorded: RecordedRuns, basis: RecordedRuns, answers: Answers) {
    this.answers = answers;
    this.#graph = graph;
    this.#plan = plan;
    this.#recorded = recorded;
    this.#basis = basis;
    this.#reached = plan.until === undefined ? undefined : findReached(graph, plan.until);
  }

  isReached({ id }: WorkflowNode): boolean {
    return this.#reached?.has(id) ?? true;
  }

  /** The only node that runs. */
  get only(): WorkflowNode | undefined {
    return this.#graph.order.find(({ id }) => id === this.#plan.only);
  }

  /** The node, outside loops, whose output is the execution's; undefined if its output nodes decide. */
  get outputNode(): string | undefined {
    const { until } = this.#plan;
    return until === undefined ? undefined : (loopsOf(until, this.#graph)[0] ?? until);
  }

  /** The scope of the only node's expressions. */
  scopeOf(node: WorkflowNode, input: string): Promise<KnownScope> {
    return recordedScope(node, input, this.#graph, this.#plan, this.#basis);
  }

  /** Called in the order in which the nodes would run. */
  async of(node: WorkflowNode, iteration: readonly number[]): Promise<ReuseDecision> {
    const { pinned } = this.#plan;
    if (Object.hasOwn(pinned, node.id)) {
      const output = stringifyJson(pinned[node.id] ?? null);
      return { kind: 'reused', outcome: { status: 'completed', output }, origin: 'pinned' };
    }
    if (this.#isExhausted) return run;
    const found = await this.#recorded.find(node.id, iteration);
    const decision = found ? this.#decide(node, found) : run;
    if (decision.kind === 'run') this.#isExhausted = this.#recorded.isPrefix;
    return decision;
  }

  #decide({ id, type }: WorkflowNode, { outcome, loop, ranIn, isReopened }: CountingRun): ReuseDecision {
    const counts =
      outcome?.status === 'completed' ||
      this.#graph.outgoing(id).some(({ branch }) => branch === errorBranch);
    if (outcome && counts && !isReopened) return { kind: 'reused', outcome, origin: { reusedFrom: ranIn } };
    if (!isForEach(type) || !loop) return run;
    return { kind: 'continued', loop: isReopened ? { ...loop, iterations: 0, size: 0 } : loop };
  }
}

/** The node and what leads to it, with the bodies of the loops among them that it isn't in. */
function findReached(graph: Graph, until: string): ReadonlySet<string> {
  const around = new Set(loopsOf(until, graph));
  const reached = new Set([until]);
  for (const id of reached) {
    for (const { source } of graph.incoming(id)) reached.add(source);
    if (!around.has(id)) for (const node of graph.body(id)) reached.add(node.id);
  }
  return reached;
}
