import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Observable, ObservableValue } from '../../base/event.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import type { IterationSelection } from '../runs/nodeView.ts';

/** Where the user made a selection: what shows a selection of its own ignores it. */
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

/** Two executions that are compared. */
export interface ComparisonSelection {
  readonly left: ExecutionTarget;
  readonly right: ExecutionTarget;
  /** The node whose run is the first that differs; null if none does. */
  readonly firstDifferentNodeId: string | null;
}

const noIterations: IterationSelection = new Map();
const maximumExecutions = 200;

function isSameNode(one: NodeSelection | null, other: NodeSelection | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    targetName(one.target) === targetName(other.target) &&
    one.executionId === other.executionId &&
    one.nodeId === other.nodeId &&
    one.nodeRunKey === other.nodeRunKey
  );
}

/**
 * What the user has selected, wherever that was. Selecting the same again fires nothing, so what selects in response to a selection ends
 * there.
 */
export class Selection implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #node = this.#owned.add(new ObservableValue<NodeSelection | null>(null));
  readonly #comparison = this.#owned.add(new ObservableValue<ComparisonSelection | null>(null));
  readonly #executionIds = new Map<string, string>();
  readonly #executionChanges = this.#owned.add(new Emitter<WorkflowTarget>());
  readonly #iterations = new BoundedMap<string, IterationSelection>(maximumExecutions);
  readonly #iterationChanges = this.#owned.add(new Emitter<ExecutionTarget>());
  /** Another execution was selected for the definition of this workflow. */
  readonly onDidSelectExecution = this.#executionChanges.event;
  /** Another iteration of a loop was selected in this execution. */
  readonly onDidSelectIteration = this.#iterationChanges.event;

  /** The workflow, execution and node that the user looks at. */
  get node(): Observable<NodeSelection | null> {
    return this.#node;
  }

  /** null: none. */
  selectNode(selection: NodeSelection | null): void {
    if (!isSameNode(this.#node.current, selection)) this.#node.set(selection);
  }

  /** For a definition, which knows of no execution: keeps the execution if it's one of this workflow, and the run if it's one of this node. */
  selectInDefinition({ target, nodeId }: Pick<NodeSelection, 'target' | 'nodeId'>): void {
    const { current } = this.#node;
    const isOfWorkflow = current !== null && targetName(current.target) === targetName(target);
    const isOfNode = isOfWorkflow && current.nodeId === nodeId;
    this.selectNode({
      target,
      executionId: isOfWorkflow ? current.executionId : null,
      nodeId,
      nodeRunKey: isOfNode ? current.nodeRunKey : null,
      by: 'definition',
    });
  }

  /** The comparison that is in front, or was last and is still open. */
  get comparison(): Observable<ComparisonSelection | null> {
    return this.#comparison;
  }

  selectComparison(comparison: ComparisonSelection | null): void {
    this.#comparison.set(comparison);
  }

  /** Returns the id of the execution that is selected for a definition; null for the latest, whichever that is. */
  findExecution(target: WorkflowTarget): string | null {
    return this.#executionIds.get(targetName(target)) ?? null;
  }

  selectExecution(target: WorkflowTarget, executionId: string | null): void {
    if (this.findExecution(target) === executionId) return;
    const name = targetName(target);
    if (executionId === null) this.#executionIds.delete(name);
    else this.#executionIds.set(name, executionId);
    this.#executionChanges.fire(target);
  }

  /** Returns the same map until another iteration is selected. */
  findIterations(target: ExecutionTarget): IterationSelection {
    return this.#iterations.get(executionName(target)) ?? noIterations;
  }

  /** `index`: from 0. */
  selectIteration(target: ExecutionTarget, loopKey: string, index: number): void {
    const selected = this.findIterations(target);
    if (selected.get(loopKey) === index) return;
    this.selectIterations(target, new Map([...selected, [loopKey, index]]));
  }

  /** In place of what was selected in this execution. */
  selectIterations(target: ExecutionTarget, selected: IterationSelection): void {
    if (this.findIterations(target) === selected) return;
    this.#iterations.set(executionName(target), selected);
    this.#iterationChanges.fire(target);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
