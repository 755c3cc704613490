import type { Disposable } from '../../base/disposable.ts';
import { type Event, type Observable, ObservableValue } from '../../base/event.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';

/** Where the user made a selection: what shows a selection of its own need not be told of it. */
type SelectedIn = 'tree' | 'definition' | 'graph' | 'command';

export interface NodeSelection {
  readonly target: WorkflowTarget;
  /** The execution that the user looks at; null for the one that the workflow's definition shows. */
  readonly executionId: string | null;
  /** null: the workflow or the execution as a whole. */
  readonly nodeId: string | null;
  /** null: all runs of the node. */
  readonly nodeRunKey: string | null;
  readonly by: SelectedIn;
}

/** A selection in a definition, which knows of no execution. */
export type DefinitionSelection = Pick<NodeSelection, 'target' | 'nodeId'>;

function isSame(one: NodeSelection | null, other: NodeSelection): boolean {
  return (
    one !== null &&
    targetName(one.target) === targetName(other.target) &&
    one.executionId === other.executionId &&
    one.nodeId === other.nodeId &&
    one.nodeRunKey === other.nodeRunKey
  );
}

/**
 * The workflow, execution and node that the user looks at, wherever they were selected. Selecting the same again fires nothing, so
 * what selects in answer to a selection ends there.
 */
export class SelectedNode implements Observable<NodeSelection | null>, Disposable {
  readonly #value = new ObservableValue<NodeSelection | null>(null);

  get current(): NodeSelection | null {
    return this.#value.current;
  }

  get onDidChange(): Event<NodeSelection | null> {
    return this.#value.onDidChange;
  }

  select(selection: NodeSelection): void {
    if (!isSame(this.current, selection)) this.#value.set(selection);
  }

  /** Keeps the execution if it's one of this workflow, and the node run if it's one of this node. */
  selectInDefinition({ target, nodeId }: DefinitionSelection): void {
    const { current } = this;
    const isOfWorkflow = current !== null && targetName(current.target) === targetName(target);
    const isOfNode = isOfWorkflow && current.nodeId === nodeId;
    this.select({
      target,
      executionId: isOfWorkflow ? current.executionId : null,
      nodeId,
      nodeRunKey: isOfNode ? current.nodeRunKey : null,
      by: 'definition',
    });
  }

  dispose(): void {
    this.#value.dispose();
  }
}
