// Runs a definition node by node. It's deterministic, so a resumed execution follows the same path.
import { stringifyJson } from '../../base/json.ts';
import {
  errorBranch,
  loopBranches,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../definition/definition.ts';
import type { Graph } from '../../definition/graph.ts';
import type { Reuse } from './reuse.ts';
import { leads, nothing, receive } from './edges.ts';
import { NodeFailedError } from './errors.ts';
import type { NodeRunner } from './nodeRunner.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import type { Scope } from './loop.ts';
import { isForEach } from '../../definition/nodeTypes.ts';
import { retryUntilStored } from '../store/storageError.ts';

/** The outputs of a scope. */
interface ScopeResult {
  /** undefined when no output node ran. */
  readonly output: ScopeValue | undefined;
  /** The output of the node that ran last. */
  readonly last: ScopeValue;
  readonly nodes: ReadonlyMap<string, ScopeValue>;
}

/** A definition and what runs its nodes. */
interface DefinitionRun {
  readonly graph: Graph;
  readonly runner: NodeRunner;
  /** Of a retry or a draft execution. */
  readonly reuse: Reuse | undefined;
  /** Aborted when the service stops, or the execution is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Runs a definition and returns its output as JSON: the output of its output nodes, or of the node that it runs up to or runs alone.
 * Rejects with a NodeFailedError when a node failed after its last attempt.
 */
export async function interpret(run: DefinitionRun, input: ScopeValue): Promise<string> {
  const { reuse, signal } = run;
  const only = reuse?.only;
  if (reuse && only) {
    const { scope, received } = await retryUntilStored(signal, () => reuse.scopeOf(only, input.text));
    return (await runNode(run, only, scope, received)).text;
  }
  const scope: Scope = { input, nodes: new Map(), iteration: [], loop: null };
  const { output, nodes } = await runScope(run, null, scope, []);
  const wanted = reuse?.outputNode;
  return (wanted === undefined ? output : nodes.get(wanted))?.text ?? nothing.text;
}

/** Runs the nodes of a loop's body in order; with null as `owner`, the nodes outside loops. */
async function runScope(
  run: DefinitionRun,
  owner: string | null,
  outer: Scope,
  entries: readonly WorkflowEdge[],
): Promise<ScopeResult> {
  const { graph, runner, reuse } = run;
  const taken = new Set(entries);
  const nodes = new Map(outer.nodes);
  const scope: Scope = { ...outer, nodes };
  let output: ScopeValue | undefined;
  let last = nothing;
  for (const node of graph.body(owner)) {
    if (reuse?.isReached(node) === false) continue;
    const incoming = graph.incoming(node.id).filter((edge) => taken.has(edge));
    if (incoming.length === 0 && node.type !== 'trigger') {
      await runner.skip(node, scope, 'branch not taken');
      continue;
    }
    const received = receive(incoming, scope);
    const outgoing = graph.outgoing(node.id);
    const onError = outgoing.filter(({ branch }) => branch === errorBranch);
    const result = await runNode(run, node, scope, received).catch((error: unknown) => {
      if (onError.length > 0 && error instanceof NodeFailedError && error.nodeId === node.id) return error;
      throw error;
    });
    const hasFailed = result instanceof NodeFailedError;
    last = hasFailed ? new ScopeValue(stringifyJson({ error: result.failure })) : result;
    nodes.set(node.id, last);
    if (node.type === 'output') output = last;
    for (const edge of hasFailed ? onError : outgoing.filter((each) => leads(node, each, result)))
      taken.add(edge);
  }
  return { output, last, nodes };
}

function runNode(
  run: DefinitionRun,
  node: WorkflowNode,
  scope: Scope,
  received: ScopeValue,
): Promise<ScopeValue> {
  return isForEach(node.type) ? runLoop(run, node, scope, received) : run.runner.run(node, scope, received);
}

async function runLoop(
  run: DefinitionRun,
  loop: WorkflowNode,
  scope: Scope,
  received: ScopeValue,
): Promise<ScopeValue> {
  const entries = run.graph.outgoing(loop.id).filter((edge) => edge.branch === loopBranches.each);
  return run.runner.runLoop(loop, scope, received, async (item, index) => {
    const inner: Scope = { ...scope, iteration: [...scope.iteration, index], loop: { item, index } };
    const { last, nodes } = await runScope(run, loop.id, inner, entries);
    return { last, scope: { ...inner, nodes } };
  });
}
