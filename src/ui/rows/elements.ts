// The rows that more than one view shows: plain elements that name what they stand for and carry their connection.
import type { PersonsArgument } from '../../editor/commands.ts';

export interface RowElement extends PersonsArgument {
  /** Unique in the view and stable from one refresh to the next. */
  readonly key: string;
  readonly connectionId: string;
}

export interface ExecutionElement extends RowElement {
  readonly kind: 'execution';
  /** null: the service does not tell. */
  readonly workflowId: string | null;
  readonly executionId: string;
}

export interface NodeRunElement extends RowElement {
  readonly kind: 'nodeRun';
  readonly parent: ExecutionElement;
  readonly executionId: string;
  readonly nodeRunKey: string;
}

/** "Load More…" below a list; workflowId tells whose executions they are, null where the list is of no workflow. */
export interface MoreElement extends RowElement {
  readonly kind: 'more';
  readonly workflowId: string | null;
}

/** A row that says something: nothing there yet, or why it could not be read. */
export interface NoteElement extends RowElement {
  readonly kind: 'note';
  readonly text: string;
  readonly isProblem: boolean;
}

/** Gives the same object for the same row, since the editor finds rows by identity. Not for notes, whose text changes. */
export class KnownElements<T extends RowElement> {
  readonly #known = new Map<string, T>();

  find(key: string): T | undefined {
    return this.#known.get(key);
  }

  /** The element that stands for this row already, else this one from now on. */
  same(element: T): T {
    const known = this.#known.get(element.key);
    if (known !== undefined) return known;
    this.#known.set(element.key, element);
    return element;
  }

  /** Forgets all but those of a connection. */
  keepOnly(connectionId: string | null): void {
    for (const [key, element] of this.#known) {
      if (element.connectionId !== connectionId) this.#known.delete(key);
    }
  }
}

export function executionKey(connectionId: string, executionId: string): string {
  return `${connectionId}/execution/${executionId}`;
}

export function executionElement(
  connectionId: string,
  workflowId: string | null,
  executionId: string,
): ExecutionElement {
  const key = executionKey(connectionId, executionId);
  return { invokedBy: 'person', kind: 'execution', key, connectionId, workflowId, executionId };
}

export function nodeRunElement(parent: ExecutionElement, nodeRunKey: string): NodeRunElement {
  const { connectionId, executionId } = parent;
  const key = `${parent.key}/${nodeRunKey}`;
  return { invokedBy: 'person', kind: 'nodeRun', key, connectionId, executionId, parent, nodeRunKey };
}

export function moreElement(connectionId: string, workflowId: string | null): MoreElement {
  return {
    invokedBy: 'person',
    kind: 'more',
    key: `${connectionId}/more/${workflowId ?? ''}`,
    connectionId,
    workflowId,
  };
}

/** owner: the key of the row that it stands below. */
export function noteElement(
  connectionId: string,
  owner: string,
  text: string,
  isProblem: boolean,
): NoteElement {
  return { invokedBy: 'person', kind: 'note', key: `${owner}/note`, connectionId, text, isProblem };
}
