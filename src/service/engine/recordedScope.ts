// The scope of a node that runs alone: the values that another execution recorded in one iteration, else pins.
import { errorBranch, loopBranches, type WorkflowNode } from '../../definition/definition.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import { type Graph, loopsOf } from '../../definition/graph.ts';
import { isJsonArray, parseJson, stringifyJson } from '../../base/json.ts';
import type { NodeOutcome } from '../store/nodeRuns.ts';
import type { Plan } from '../store/plans.ts';
import { leads, receive } from './edges.ts';
import type { Scope } from './loop.ts';
import type { RecordedRuns } from './recordedRuns.ts';

export interface KnownScope {
  readonly scope: Scope;
  readonly received: ScopeValue;
}

/** An unknown value is null. */
export async function recordedScope(
  node: WorkflowNode,
  input: string,
  graph: Graph,
  { pinned, iteration: wanted }: Plan,
  recorded: RecordedRuns,
): Promise<KnownScope> {
  const loops = loopsOf(node.id, graph);
  const iteration = loops.map((_loop, depth) => wanted[depth] ?? 0);
  const nodes = new Map<string, ScopeValue>();
  const failed = new Set<string>();
  for (const { id } of graph.order) {
    if (id === node.id) break;
    const own = loopsOf(id, graph);
    const isSeen = !loops.includes(id) && own.every((loop, depth) => loop === loops[depth]);
    if (!isSeen) continue;
    const outcome = (await recorded.find(id, iteration.slice(0, own.length)))?.outcome;
    if (outcome?.status === 'failed') failed.add(id);
    const value = outcome
      ? textOf(outcome)
      : Object.hasOwn(pinned, id)
        ? stringifyJson(pinned[id])
        : undefined;
    if (value !== undefined) nodes.set(id, new ScopeValue(value));
  }
  const scope = {
    input: new ScopeValue(input),
    nodes,
    iteration,
    loop: await loopOf(loops, iteration, recorded),
  };
  const taken = graph.incoming(node.id).filter((edge) => {
    if (loops.includes(edge.source)) return edge.branch === loopBranches.each;
    const value = nodes.get(edge.source);
    const source = graph.order.find(({ id }) => id === edge.source);
    if (!value || !source) return false;
    return failed.has(edge.source) ? edge.branch === errorBranch : leads(source, edge, value);
  });
  return { scope, received: receive(taken.length > 0 ? taken : graph.incoming(node.id), scope) };
}

function textOf(outcome: NodeOutcome): string {
  return outcome.status === 'completed' ? outcome.output : stringifyJson({ error: outcome.error });
}

/** The item of the innermost loop. */
async function loopOf(
  loops: readonly string[],
  iteration: readonly number[],
  recorded: RecordedRuns,
): Promise<Scope['loop']> {
  const loopId = loops.at(-1);
  const index = iteration.at(-1);
  if (loopId === undefined || index === undefined) return null;
  const found = await recorded.find(loopId, iteration.slice(0, -1));
  const items = parseJson(found?.loop?.items ?? 'null');
  const item = isJsonArray(items) ? (items[index] ?? null) : null;
  return { item: new ScopeValue(stringifyJson(item)), index };
}
