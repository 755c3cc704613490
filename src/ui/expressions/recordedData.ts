// What an execution recorded, for the expressions of its definition. Pure.
import type * as vscode from 'vscode';
import { type JsonValue, valueAt } from '../../base/json.ts';
import type { Execution } from '../../domain/execution.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import { findSelected, type IterationSelection } from '../../model/runs/nodeView.ts';
import type { IterationItem, RunItem } from '../../model/runs/runItems.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { isForEach } from '../../definition/nodeTypes.ts';
import type { ExpressionPlace } from '../../definition/expressionPlaces.ts';

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

export function readRecordedData(
  { id, input }: Pick<Execution, 'id' | 'input'>,
  runTree: RunTree,
  selected: IterationSelection,
  text: DefinitionText,
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
      return typeof items === 'string' ? items : findItems(text, loopId);
    },
  };
}

function findItems(text: DefinitionText, loopId: string): string | undefined {
  const places = text.byId.get(loopId)?.expressions ?? [];
  return places.find(({ nodeType, path }) => isForEach(nodeType) && path[0] === 'items')?.expression;
}

/** What is recorded of the execution that a document shows; undefined without one. */
export type DataOn = (document: vscode.TextDocument) => RecordedData | undefined;

/** True if the string that the expression is in is the one that ran. */
export function isAsRan({ nodeId, nodeType, path, string }: ExpressionPlace, ran: RanNodes): boolean {
  const node = ran.get(nodeId);
  return node?.['type'] === nodeType && valueAt(node['config'], path) === string;
}
