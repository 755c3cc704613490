// Why: what the Workflows view consists of: plain elements that name what they stand for and carry their connection.
import type { TreeArgument } from '../../platform/commands.ts';
import type { WorkflowTarget } from '../../model/targets.ts';

interface Element extends TreeArgument {
  /** Unique in the view and stable from one refresh to the next. */
  readonly key: string;
  readonly connectionId: string;
}

export interface WorkflowElement extends Element {
  readonly kind: 'workflow';
  readonly workflowId: string;
}

export interface ExecutionElement extends Element {
  readonly kind: 'execution';
  readonly workflowId: string;
  readonly executionId: string;
}

export interface NodeRunElement extends Element {
  readonly kind: 'nodeRun';
  readonly parent: ExecutionElement;
  readonly executionId: string;
  readonly nodeRunKey: string;
}

/** "Load More…" below the workflows (workflowId null) or below the executions of one. */
export interface MoreElement extends Element {
  readonly kind: 'more';
  readonly workflowId: string | null;
}

/** A row that says something: nothing there yet, or why it could not be read. */
export interface NoteElement extends Element {
  readonly kind: 'note';
  readonly text: string;
  readonly isProblem: boolean;
}

export type TreeElement = WorkflowElement | ExecutionElement | NodeRunElement | MoreElement | NoteElement;

/** Gives the same object for the same row, since the editor finds rows by identity. */
export class Elements {
  readonly #known = new Map<string, TreeElement>();

  find(key: string): TreeElement | undefined {
    return this.#known.get(key);
  }

  /** Forgets all but those of a connection. */
  keepOnly(connectionId: string | null): void {
    for (const [key, element] of this.#known) {
      if (element.connectionId !== connectionId) this.#known.delete(key);
    }
  }

  workflow(connectionId: string, workflowId: string): WorkflowElement {
    const key = workflowKey({ connectionId, workflowId });
    const known = this.#known.get(key);
    if (known?.kind === 'workflow') return known;
    return this.#remember({ isTreeElement: true, kind: 'workflow', key, connectionId, workflowId });
  }

  execution(connectionId: string, workflowId: string, executionId: string): ExecutionElement {
    const key = executionKey(connectionId, executionId);
    const known = this.#known.get(key);
    if (known?.kind === 'execution') return known;
    return this.#remember({
      isTreeElement: true,
      kind: 'execution',
      key,
      connectionId,
      workflowId,
      executionId,
    });
  }

  nodeRun(parent: ExecutionElement, nodeRunKey: string): NodeRunElement {
    const key = `${parent.key}/${nodeRunKey}`;
    const known = this.#known.get(key);
    if (known?.kind === 'nodeRun') return known;
    const { connectionId, executionId } = parent;
    return this.#remember({
      isTreeElement: true,
      kind: 'nodeRun',
      key,
      connectionId,
      executionId,
      parent,
      nodeRunKey,
    });
  }

  #remember<T extends TreeElement>(element: T): T {
    this.#known.set(element.key, element);
    return element;
  }
}

export function workflowKey({ connectionId, workflowId }: WorkflowTarget): string {
  return `${connectionId}/workflow/${workflowId}`;
}

export function executionKey(connectionId: string, executionId: string): string {
  return `${connectionId}/execution/${executionId}`;
}

export function moreElement(connectionId: string, workflowId: string | null): MoreElement {
  return {
    isTreeElement: true,
    kind: 'more',
    key: `${connectionId}/more/${workflowId ?? ''}`,
    connectionId,
    workflowId,
  };
}

export function noteElement(
  connectionId: string,
  owner: string,
  text: string,
  isProblem: boolean,
): NoteElement {
  return { isTreeElement: true, kind: 'note', key: `${owner}/note`, connectionId, text, isProblem };
}
