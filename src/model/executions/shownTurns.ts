import { BoundedMap } from '../../base/boundedMap.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { executionName, type ExecutionTarget } from '../../domain/targets.ts';

/** The index of a loop's turn by the loop's key: see ShownLoop. */
export type ChosenTurns = ReadonlyMap<string, number>;

const noTurns: ChosenTurns = new Map();
const maximumExecutions = 200;

/** The turns of loops that the user has chosen to see, for each execution. */
export class ShownTurns implements Disposable {
  readonly #chosen = new BoundedMap<string, ChosenTurns>(maximumExecutions);
  readonly #changes = new Emitter<ExecutionTarget>();
  readonly onDidChange = this.#changes.event;

  /** Returns the same map until another turn is chosen. */
  find(target: ExecutionTarget): ChosenTurns {
    return this.#chosen.get(executionName(target)) ?? noTurns;
  }

  /** `turn`: from 0. */
  choose(target: ExecutionTarget, loopKey: string, turn: number): void {
    const chosen = this.find(target);
    if (chosen.get(loopKey) === turn) return;
    this.#chosen.set(executionName(target), new Map([...chosen, [loopKey, turn]]));
    this.#changes.fire(target);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
