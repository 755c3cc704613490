import type { ExecutionTarget } from '../../../domain/targets.ts';

/** What lines belong to. */
export interface LogSource {
  readonly title: string;
  readonly target: ExecutionTarget;
}

/** How many executions are remembered. */
const maximumSources = 10;

/** The executions that lines came from; the last ones if there are many. */
export class LogSources {
  readonly #byId = new Map<string, LogSource>();
  #latestId = '';

  /** The one that wrote last comes last. */
  get all(): readonly LogSource[] {
    return [...this.#byId.values()];
  }

  note(source: LogSource): void {
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
