import type { Execution } from '../../domain/execution.ts';

interface Known {
  readonly executionId: string;
  /** Epoch milliseconds; -Infinity if the service doesn't say. */
  readonly createdAt: number;
}

/** The newest retry of each execution, as far as the records that are held tell. */
export class NewestRetries {
  /** By the execution that was retried. */
  readonly #known = new Map<string, Known>();

  find(retriedId: string): string | undefined {
    return this.#known.get(retriedId)?.executionId;
  }

  /** Returns true if it's the newest retry of its execution, and that wasn't known. */
  learn({ id, retryOf, createdAt }: Execution): boolean {
    if (retryOf === null) return false;
    const created = createdAt?.getTime() ?? -Infinity;
    const known = this.#known.get(retryOf);
    if (known !== undefined && (known.executionId === id || known.createdAt > created)) return false;
    this.#known.set(retryOf, { executionId: id, createdAt: created });
    return true;
  }

  /** For a record that is no longer held. */
  forget({ id, retryOf }: Execution): void {
    if (retryOf !== null && this.find(retryOf) === id) this.#known.delete(retryOf);
  }
}
