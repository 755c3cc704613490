// The values and node states of the latest execution, as far as the window holds them.
import { getNodeValue } from 'jsonc-parser';
import { type JsonValue, parseJson } from '../../../base/json.ts';
import type { ShownExecution } from '../../../model/executions/shownExecution.ts';
import { type NodeSummary, summarizeNodeRuns } from '../../../model/executions/nodeSummaries.ts';
import { cutValue } from '../../../protocol/cutValue.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';

export interface LatestValues {
  readonly input: JsonValue | undefined;
  /** By node id. Of a loop's turns the first one that has an output. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  readonly nodes: ReadonlyMap<string, NodeSummary>;
}

export const noValues: LatestValues = { input: undefined, outputs: new Map(), nodes: new Map() };

export function readLatestValues(shown: ShownExecution | undefined): LatestValues {
  if (shown?.kind !== 'execution') return noValues;
  const { execution, nodeRuns } = shown;
  const outputs = new Map<string, JsonValue>();
  for (const { nodeId, output, status } of nodeRuns)
    if (!outputs.has(nodeId) && status?.state === 'completed') {
      const value = wholeOrBeginning(output);
      if (value !== undefined) outputs.set(nodeId, value);
    }
  const trigger = nodeRuns.find(({ nodeType }) => nodeType === 'trigger');
  return {
    input: wholeOrBeginning(execution.input ?? trigger?.output ?? trigger?.input),
    outputs,
    nodes: summarizeNodeRuns(nodeRuns),
  };
}

/** Of a value that's too large for a list of rows, what its beginning holds. */
function wholeOrBeginning(value: JsonValue | undefined): JsonValue | undefined {
  const cut = cutValue(value);
  if (cut === undefined) return value;
  const tree = readUnfinishedJsonTree(cut.preview);
  return tree && parseJson(JSON.stringify(getNodeValue(tree)));
}
