// What the Workflows view consists of: workflows beside the rows that other views show as well.
import type { WorkflowTarget } from '../../domain/targets.ts';
import type {
  ExecutionElement,
  MoreElement,
  NodeRunElement,
  NoteElement,
  RowElement,
} from '../../ui/rows/elements.ts';

export interface WorkflowElement extends RowElement {
  readonly kind: 'workflow';
  readonly workflowId: string;
}

export type TreeElement = WorkflowElement | ExecutionElement | NodeRunElement | MoreElement | NoteElement;

export function workflowKey({ connectionId, workflowId }: WorkflowTarget): string {
  return `${connectionId}/workflow/${workflowId}`;
}

export function workflowElement(connectionId: string, workflowId: string): WorkflowElement {
  const key = workflowKey({ connectionId, workflowId });
  return { invokedBy: 'person', kind: 'workflow', key, connectionId, workflowId };
}
