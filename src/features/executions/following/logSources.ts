import { executionName } from '../../../domain/targets.ts';
import type { LineSource } from '../../../ui/writeFollow.ts';

/** How many executions are remembered. */
const maximumSources = 10;

/** The executions that lines came from; the last ones if there are many. */
export class LogSources {
  readonly #byName = new Map<string, LineSource>();
  #latest = '';

  /** The one that wrote last comes last. */
  get all(): readonly LineSource[] {
    return [...this.#byName.values()];
  }

  note(source: LineSource): void {
    const name = executionName(source.target);
    if (name !== this.#latest) this.#byName.delete(name);
    this.#latest = name;
    this.#byName.set(name, source);
    const [oldest] = this.#byName.keys();
    if (this.#byName.size > maximumSources && oldest !== undefined) this.#byName.delete(oldest);
  }

  clear(): void {
    this.#byName.clear();
    this.#latest = '';
  }
}
