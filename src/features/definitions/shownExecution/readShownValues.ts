// Reads the values and node states of the execution that is shown, as far as the window holds them.
import type { JsonValue } from '../../../base/json.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import { seenOutput } from '../../../ui/expressions/scopeSnapshot.ts';
import { noValues, type ShownValues } from '../../../ui/expressions/shownValues.ts';
import type { DrawnExecution } from './drawnExecutions.ts';
import { readJsonText, readJsonValue } from '../../../definition/jsonText.ts';

type ShownRun = Extract<DrawnExecution['shown'], { readonly kind: 'execution' }>;

export function readShownValues(drawn: Pick<DrawnExecution, 'shown' | 'nodes'> | undefined): ShownValues {
  if (drawn?.shown.kind !== 'execution') return noValues;
  const { nodes, shown } = drawn;
  const outputs = new Map<string, JsonValue>();
  for (const [nodeId, { run }] of nodes) {
    const value = run && outputOf(run);
    if (value !== undefined) outputs.set(nodeId, value);
  }
  return {
    input: wholeOrBeginning(inputOf(shown)),
    outputs,
    nodes,
    iterations: iterationsOf(nodes),
  };
}

function inputOf({ execution, runTree: { trigger } }: ShownRun): JsonValue | undefined {
  return execution.input ?? trigger?.output ?? trigger?.input;
}

/**
 * Only what every iteration of an execution that has ended had, as a whole: what isn't in there wasn't there. Without the outputs of nodes
 * that were changed since, and of those after them.
 */
export function readAllValues(
  drawn: Pick<DrawnExecution, 'shown' | 'nodes' | 'text' | 'changes'> | undefined,
): ShownValues {
  if (drawn?.shown.kind !== 'execution' || !drawn.shown.execution.status.isTerminal) return noValues;
  const { shown, nodes, text, changes } = drawn;
  const values = readShownValues(drawn);
  const stale = new Set([...changes.keys()].flatMap((id) => [id, ...text.after(id)]));
  const outputs = [...values.outputs].filter(([id]) => {
    const node = nodes.get(id);
    const isWhole = truncatedValue(node?.run?.output) === undefined;
    return isWhole && node?.iterations.length === 1 && !stale.has(id);
  });
  return {
    ...values,
    input: truncatedValue(inputOf(shown)) === undefined ? values.input : undefined,
    outputs: new Map(outputs),
    isOfAllItems: true,
  };
}

function outputOf(run: NodeRun): JsonValue | undefined {
  if (run.status?.state === 'failed') return seenOutput(run);
  return run.status?.state === 'completed' ? wholeOrBeginning(run.output) : undefined;
}

function iterationsOf(nodes: ReadonlyMap<string, NodeView>): ReadonlyMap<string, number> {
  const iterations = new Map<string, number>();
  for (const { loops } of nodes.values())
    for (const { nodeId, index } of loops) if (nodeId !== null) iterations.set(nodeId, index);
  return iterations;
}

/** Of a value that's too large for a list of rows, what its beginning holds. */
function wholeOrBeginning(value: JsonValue | undefined): JsonValue | undefined {
  const truncated = truncatedValue(value);
  if (truncated === undefined) return value;
  const { root } = readJsonText(truncated.preview);
  return root && readJsonValue(truncated.preview, root);
}
