import type { WorkflowTarget } from '../../domain/targets.ts';
import type { RowElement } from '../../editor/treeElements.ts';
import type { ExecutionElement, NodeRunElement } from '../../ui/rows/executionRows.ts';

export interface WorkflowElement extends RowElement {
  readonly kind: 'workflow';
  readonly connectionId: string;
  readonly workflowId: string;
}

export type WorkflowsElement = WorkflowElement | ExecutionElement | NodeRunElement;

export function workflowKey({ connectionId, workflowId }: WorkflowTarget): string {
  return `${connectionId}/workflow/${workflowId}`;
}

export function workflowElement(connectionId: string, workflowId: string): WorkflowElement {
  const key = workflowKey({ connectionId, workflowId });
  return { invokedBy: 'person', kind: 'workflow', key, connectionId, workflowId };
}
