// What an execution recorded, for the expressions of its definition. Pure.
import type { JsonValue } from '../../../base/json.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { RanNodes } from '../../../model/executions/ranDefinitions.ts';
import type { ShownNode } from '../../../model/runs/shownNodes.ts';
import type { NodeExpressions } from './expressionPlaces.ts';
import { valueAt } from './ranNodes.ts';
import type { RecordedRun, RecordedRuns, Turn } from './recordedRuns.ts';

export interface RecordedData {
  readonly executionId: string;
  readonly runs: RecordedRuns;
  /** The run of a node that the definition shows. */
  readonly shownOf: (nodeId: string) => RecordedRun | undefined;
  /** The turn of a loop that the definition shows. */
  readonly turnOf: (loop: RecordedRun) => Turn | undefined;
  /** undefined if it isn't known. */
  readonly input: JsonValue | undefined;
  /** undefined if it isn't known what ran. */
  readonly ran: RanNodes | undefined;
  /** The expression for the items of a loop: the one that ran, or else that of the text. */
  readonly itemsOf: (loopId: string) => string | undefined;
}

/** `nodes`: the expressions of the definition's text. `shown`: what is shown of each node, by its id. */
export function readRecordedData(
  { id, input }: Pick<Execution, 'id' | 'input'>,
  runs: RecordedRuns,
  shown: ReadonlyMap<string, ShownNode>,
  nodes: readonly NodeExpressions[],
  ran: RanNodes | undefined,
): RecordedData {
  const trigger = [...runs.root.runs.values()].find(({ run }) => run.nodeType === 'trigger');
  return {
    executionId: id,
    runs,
    shownOf: (nodeId) => {
      const run = shown.get(nodeId)?.run;
      return run && runs.find(run);
    },
    turnOf: ({ run, turns }) => turns.get(findTurn(shown, run.nodeId)),
    input: input ?? trigger?.run.output,
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

/** The nodes in a loop tell its turn. */
function findTurn(shown: ReadonlyMap<string, ShownNode>, loopId: string): number {
  for (const { loops } of shown.values())
    for (const { nodeId, turn } of loops) if (nodeId === loopId) return turn;
  return 0;
}
