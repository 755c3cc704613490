import type { RowElement } from '../../editor/treeElements.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';

export interface ExecutionElement extends RowElement {
  readonly kind: 'execution';
  readonly connectionId: string;
  /** null: the service doesn't say. */
  readonly workflowId: string | null;
  readonly executionId: string;
}

export interface NodeRunElement extends RowElement {
  readonly kind: 'nodeRun';
  readonly connectionId: string;
  readonly parent: ExecutionElement;
  readonly executionId: string;
  readonly nodeRunKey: string;
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

export function nodeRunElement(parent: ExecutionElement, nodeRunKey: string): NodeRunElement {
  const { connectionId, executionId } = parent;
  const key = `${parent.key}/${nodeRunKey}`;
  return { invokedBy: 'person', kind: 'nodeRun', key, connectionId, executionId, parent, nodeRunKey };
}
