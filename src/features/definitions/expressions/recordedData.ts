// What an execution recorded, for the expressions of its definition. Pure.
import type { JsonValue } from '../../../base/json.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { RanNodes } from '../../../model/executions/ranDefinitions.ts';
import { findSelected, type IterationSelection } from '../../../model/runs/nodeView.ts';
import type { IterationItem, RunItem } from '../../../model/runs/runItems.ts';
import type { RunTree } from '../../../model/runs/runTree.ts';
import type { NodeExpressions } from './expressionPlaces.ts';
import { valueAt } from './ranNodes.ts';

export interface RecordedData {
  readonly executionId: string;
  readonly runTree: RunTree;
  /** The run of a node in the selected iterations. */
  readonly runOf: (nodeId: string) => RunItem | undefined;
  /** The selected iteration of a loop. */
  readonly iterationOf: (loop: RunItem) => IterationItem | undefined;
  /** undefined if it isn't known. */
  readonly input: JsonValue | undefined;
  /** undefined if it isn't known what ran. */
  readonly ran: RanNodes | undefined;
  /** The expression for the items of a loop: the one that ran, or else that of the text. */
  readonly itemsOf: (loopId: string) => string | undefined;
}

/** `nodes`: the expressions of the definition's text. */
export function readRecordedData(
  { id, input }: Pick<Execution, 'id' | 'input'>,
  runTree: RunTree,
  selected: IterationSelection,
  nodes: readonly NodeExpressions[],
  ran: RanNodes | undefined,
): RecordedData {
  return {
    executionId: id,
    runTree,
    runOf: (nodeId) => runTree.selectRun(nodeId, selected),
    iterationOf: (loop) => findSelected(loop, selected),
    input: input ?? runTree.trigger?.output,
    ran,
    itemsOf: (loopId) => {
      const items = valueAt(ran?.get(loopId), ['config', 'items']);
      return typeof items === 'string' ? items : findItems(nodes, loopId);
    },
  };
}

function findItems(nodes: readonly NodeExpressions[], loopId: string): string | undefined {
  const loop = nodes.find(({ nodeId }) => nodeId === loopId);
  return loop?.places.find(({ nodeType, path }) => nodeType === 'forEach' && path[0] === 'items')?.expression;
}
