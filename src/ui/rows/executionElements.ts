// The elements of executions in a tree, and of what is below them.
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import type { RunTreeItem } from '../../model/runs/runItems.ts';
import type { RunTree } from '../../model/runs/runTree.ts';

export interface ExecutionElement extends RowElement {
  readonly kind: 'execution';
  readonly connectionId: string;
  /** null: the service doesn't say. */
  readonly workflowId: string | null;
  readonly executionId: string;
}

export function executionKey({ connectionId, executionId }: ExecutionTarget): string {
  return `${connectionId}/execution/${executionId}`;
}

export function executionElement(
  connectionId: string,
  workflowId: string | null,
  executionId: string,
): ExecutionElement {
  const key = executionKey({ connectionId, executionId });
  return { invokedBy: 'person', kind: 'execution', key, connectionId, workflowId, executionId };
}

interface BelowExecution extends RowElement {
  readonly connectionId: string;
  readonly executionId: string;
  readonly parent: ExecutionElement | RunTreeElement;
}

interface NodeRunElement extends BelowExecution {
  readonly kind: 'nodeRun';
  readonly nodeRunKey: string;
}

/** A loop without a run of its own, an iteration, or several iterations. */
interface IterationsElement extends BelowExecution {
  readonly kind: 'iterations';
  readonly itemKey: string;
}

export type RunTreeElement = NodeRunElement | IterationsElement;

export function runTreeElement(parent: ExecutionElement | RunTreeElement, item: RunTreeItem): RunTreeElement {
  const { connectionId, executionId } = parent;
  const owner = { invokedBy: 'person', connectionId, executionId, parent } as const;
  const key = `${connectionId}/execution/${executionId}/${item.key}`;
  return item.kind === 'run'
    ? { ...owner, key, kind: 'nodeRun', nodeRunKey: item.key }
    : { ...owner, key, kind: 'iterations', itemKey: item.key };
}

/** Returns the element of an item anywhere below an execution. */
export function elementInTree(tree: RunTree, execution: ExecutionElement, item: RunTreeItem): RunTreeElement {
  const above = tree.parentOf(item);
  return runTreeElement(above === undefined ? execution : elementInTree(tree, execution, above), item);
}
