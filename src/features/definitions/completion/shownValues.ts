// The values and node states of the execution that is shown, as far as the window holds them.
import { getNodeValue } from 'jsonc-parser';
import { type JsonValue, parseJson } from '../../../base/json.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { KnownSecrets } from '../../../model/secrets.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import { seenOutput } from '../shownExecution/seenOutput.ts';
import type { DrawnExecution } from '../shownExecution/drawnExecutions.ts';
import { readJsonText } from '../../../definition/jsonText.ts';

export interface ShownValues {
  readonly input: JsonValue | undefined;
  /** By node id. Of a loop's iterations the selected one. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  readonly nodes: ReadonlyMap<string, NodeView>;
  /** The selected iteration of each loop, from 0, by the id of the loop's node. */
  readonly iterations: ReadonlyMap<string, number>;
  /** The secrets of the local service, where they're known. */
  readonly secrets?: KnownSecrets;
}

export const noValues: ShownValues = {
  input: undefined,
  outputs: new Map(),
  nodes: new Map(),
  iterations: new Map(),
};

export function readShownValues(drawn: Pick<DrawnExecution, 'shown' | 'nodes'> | undefined): ShownValues {
  if (drawn?.shown.kind !== 'execution') return noValues;
  const { nodes, shown } = drawn;
  const { execution, runTree } = shown;
  const outputs = new Map<string, JsonValue>();
  for (const [nodeId, { run }] of nodes) {
    const value = run && outputOf(run);
    if (value !== undefined) outputs.set(nodeId, value);
  }
  const { trigger } = runTree;
  return {
    input: wholeOrBeginning(execution.input ?? trigger?.output ?? trigger?.input),
    outputs,
    nodes,
    iterations: iterationsOf(nodes),
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
  return root && parseJson(JSON.stringify(getNodeValue(root)));
}
