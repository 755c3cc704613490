import type { LineSource } from '../../../ui/writeFollow.ts';

/** How many executions are remembered. */
const maximumSources = 10;

/** The executions that lines came from; the last ones if there are many. */
export class LogSources {
  readonly #byId = new Map<string, LineSource>();
  #latestId = '';

  /** The one that wrote last comes last. */
  get all(): readonly LineSource[] {
    return [...this.#byId.values()];
  }

  note(source: LineSource): void {
    const { executionId } = source.target;
    if (executionId !== this.#latestId) this.#byId.delete(executionId);
    this.#latestId = executionId;
    this.#byId.set(executionId, source);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > maximumSources && oldest !== undefined) this.#byId.delete(oldest);
  }

  clear(): void {
    this.#byId.clear();
    this.#latestId = '';
  }
}
