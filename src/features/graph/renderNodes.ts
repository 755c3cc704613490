// How the nodes and edges of a graph look for the execution that is shown. Pure.
import * as l10n from '@vscode/l10n';
import { errorBranch } from '../../definition/definition.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunState } from '../../domain/status.ts';
import { joined } from '../../base/format.ts';
import type { NodeSummary } from '../../model/runs/nodeSummary.ts';
import { countRuns, describeStates, hasTakenResult, errorOfRun } from '../../words/nodeState.ts';
import type { EdgeLook, GraphEdge, PageNode, LookState, NodeLook } from '../../webview/graph/messages.ts';

/** By the ids of nodes. */
export type Summaries = ReadonlyMap<string, NodeSummary>;

function stateOf({ status }: NodeRun): RunState {
  return status?.state ?? 'unknown';
}

export function lookOf(run: NodeRun): LookState {
  return run.isHandled ? 'handled' : stateOf(run);
}

function renderRan(node: PageNode, summary: NodeSummary): NodeLook {
  const { worst, iterations } = summary;
  return {
    id: node.id,
    state: lookOf(worst),
    detail: describeStates(summary),
    aloud: joined([node.type, countRuns(summary), errorOfRun(worst, 200)], ', '),
    hasRuns: true,
    isDimmed: iterations.length === 1 && hasTakenResult(worst),
  };
}

/** `word`: why the node has no runs in the execution that is shown, if that's known. */
export function renderNode(
  node: PageNode,
  summary: NodeSummary | undefined,
  word: string | undefined,
): NodeLook {
  if (summary !== undefined) return renderRan(node, summary);
  return {
    id: node.id,
    state: null,
    detail: word ?? node.type,
    aloud: word === undefined ? '' : node.type,
    hasRuns: false,
    isDimmed: false,
  };
}

/** The first node that differs between two executions that are compared. */
export function markDifferent(look: NodeLook): NodeLook {
  const words = l10n.t('the first difference in the comparison');
  return { ...look, detail: `≠ ${look.detail}`, aloud: joined([words, look.aloud], ', ') };
}

const hasFailed = (run: NodeRun): boolean => stateOf(run) === 'failed';

/** The branches that a node's runs gave; undefined if any run gives none. Loops lead both ways. */
function branchesOf({ iterations }: NodeSummary): ReadonlySet<string> | undefined {
  const branches = iterations.map((run) => {
    const { output } = run;
    if (hasFailed(run)) return errorBranch;
    return typeof output === 'string' || typeof output === 'boolean' ? String(output) : undefined;
  });
  return branches.includes(undefined) ? undefined : new Set(branches.flatMap((branch) => branch ?? []));
}

function hasRun(summary: NodeSummary | undefined): boolean {
  return summary?.iterations.some((run) => !['skipped', 'queued'].includes(stateOf(run))) === true;
}

function isPassedOver(summary: NodeSummary | undefined): boolean {
  return summary?.iterations.every((run) => stateOf(run) === 'skipped') === true;
}

/** The edges around an edge. */
interface EdgesAround {
  /** Those to the same node. */
  readonly incoming: readonly GraphEdge[];
  /** Those from the same node. */
  readonly outgoing: readonly GraphEdge[];
}

/** The edges with the same ends have different branches, so only the node's output says which one was taken. */
export function renderEdge(edge: GraphEdge, around: EdgesAround, summaries: Summaries): EdgeLook {
  const [source, target] = [summaries.get(edge.source), summaries.get(edge.target)];
  if (isPassedOver(source) || isPassedOver(target)) return 'notTaken';
  if (source === undefined || !hasRun(source) || !hasRun(target)) return 'plain';
  const hasErrorBranch = around.outgoing.some(({ branch }) => branch === errorBranch);
  if (edge.branch === errorBranch && source.iterations.some(hasFailed)) return 'taken';
  if (edge.branch !== errorBranch && hasErrorBranch && source.iterations.every(hasFailed)) return 'notTaken';
  if (edge.branch === '' || ['each', 'done'].includes(edge.branch)) return 'taken';
  const branches = branchesOf(source);
  if (branches !== undefined) return branches.has(edge.branch) ? 'taken' : 'notTaken';
  return around.incoming.length === 1 ? 'taken' : 'plain';
}
