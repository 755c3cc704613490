// What debug sessions select: where each of them stops, and what was selected before once it has ended.
import type { Disposable } from '../../base/disposable.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import { loopKeyOf } from '../../model/runs/nodeView.ts';
import { iterationsAround, type RunItem } from '../../model/runs/runItems.ts';
import type { Selection } from '../../model/selection/selection.ts';

/** One thing that can be selected. */
interface Choice<T> {
  /** Sessions with the same name select the same thing. */
  readonly name: string;
  readonly read: () => T;
  readonly select: (value: T) => void;
}

/** A selection that a session replaces. */
class Replaced<T> {
  readonly #choice: Choice<T>;
  #before: T;
  /** What the session selected last. */
  #own: T;

  constructor(choice: Choice<T>) {
    this.#choice = choice;
    this.#before = choice.read();
    this.#own = this.#before;
  }

  /** Call when the session has selected something. */
  note(): void {
    this.#own = this.#choice.read();
  }

  /** `later`: of the sessions that began later and go on. What somebody else has selected meanwhile stays. */
  end(later: readonly Replaced<T>[]): void {
    const heir = later.find(({ name }) => name === this.name);
    if (heir === undefined) {
      if (this.#choice.read() === this.#own) this.#choice.select(this.#before);
    } else if (heir.#before === this.#own) heir.#before = this.#before;
  }

  get name(): string {
    return this.#choice.name;
  }
}

class ShownStop {
  readonly #selection: Selection;
  readonly #workflow: WorkflowTarget;
  readonly #target: ExecutionTarget;
  readonly execution: Replaced<string | null>;
  readonly iterations: Replaced<ReturnType<Selection['findIterations']>>;
  readonly node: Replaced<Selection['node']['current']>;

  constructor(selection: Selection, workflow: WorkflowTarget, target: ExecutionTarget) {
    this.#selection = selection;
    this.#workflow = workflow;
    this.#target = target;
    this.execution = new Replaced({
      name: targetName(workflow),
      read: () => selection.findExecution(workflow),
      select: (executionId) => selection.selectExecution(workflow, executionId),
    });
    this.iterations = new Replaced({
      name: executionName(target),
      read: () => selection.findIterations(target),
      select: (iterations) => selection.selectIterations(target, iterations),
    });
    this.node = new Replaced({
      name: 'node',
      read: () => selection.node.current,
      select: (node) => selection.selectNode(node),
    });
  }

  show({ scope, run: { nodeId, key } }: RunItem): void {
    const [selection, target] = [this.#selection, this.#workflow];
    const { executionId } = this.#target;
    selection.selectExecution(target, executionId);
    for (const { owner, index } of iterationsAround(scope))
      selection.selectIteration(this.#target, loopKeyOf(owner), index);
    selection.selectNode({ target, executionId, nodeId, nodeRunKey: key, by: 'command' });
    for (const each of [this.execution, this.iterations, this.node]) each.note();
  }
}

export class ShownStops {
  readonly #selection: Selection;
  /** Of the sessions that go on, in the order of their beginnings. */
  #stops: readonly ShownStop[] = [];

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  /** For a session: `show` shows the execution, the iterations around a run, and its node, until it's disposed of. */
  begin(
    workflow: WorkflowTarget,
    target: ExecutionTarget,
  ): Disposable & { readonly show: (item: RunItem) => void } {
    const stop = new ShownStop(this.#selection, workflow, target);
    this.#stops = [...this.#stops, stop];
    return { show: (item) => stop.show(item), dispose: () => this.#end(stop) };
  }

  #end(stop: ShownStop): void {
    const later = this.#stops.slice(this.#stops.indexOf(stop) + 1);
    this.#stops = this.#stops.filter((each) => each !== stop);
    stop.execution.end(later.map(({ execution }) => execution));
    stop.iterations.end(later.map(({ iterations }) => iterations));
    stop.node.end(later.map(({ node }) => node));
  }
}
