import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';

/** The executions that the user has chosen to see on definitions. Without one, a definition shows the latest. */
export class ChosenExecutions implements Disposable {
  readonly #chosen = new Map<string, string>();
  readonly #changes = new Emitter<WorkflowTarget>();
  readonly onDidChange = this.#changes.event;

  /** Returns the id of the execution; undefined for the latest. */
  find(target: WorkflowTarget): string | undefined {
    return this.#chosen.get(targetName(target));
  }

  /** `executionId` undefined chooses the latest, whichever that is. */
  choose(target: WorkflowTarget, executionId: string | undefined): void {
    const name = targetName(target);
    if (this.#chosen.get(name) === executionId) return;
    if (executionId === undefined) this.#chosen.delete(name);
    else this.#chosen.set(name, executionId);
    this.#changes.fire(target);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
