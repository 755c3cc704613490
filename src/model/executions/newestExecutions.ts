import type { Execution } from '../../domain/execution.ts';

interface Newest {
  readonly executionId: string;
  /** Epoch milliseconds; -Infinity if the service doesn't say. */
  readonly createdAt: number;
}

/** The newest execution by a key, as far as it was added: of a workflow, or of those that retry the same one. */
export class NewestExecutions {
  readonly #newest = new Map<string, Newest>();

  find(key: string): string | undefined {
    return this.#newest.get(key)?.executionId;
  }

  /** Of two that were created at the same time, the one that is added later is newer. Returns true if the newest one is another now. */
  add(key: string, { id, createdAt }: Pick<Execution, 'id' | 'createdAt'>): boolean {
    const created = createdAt?.getTime() ?? -Infinity;
    const known = this.#newest.get(key);
    const isKnown = known?.executionId === id;
    if (known !== undefined && !isKnown && known.createdAt > created) return false;
    this.#newest.set(key, { executionId: id, createdAt: created });
    return !isKnown;
  }

  /** For an execution that is no longer held. */
  forget(key: string, executionId: string): void {
    if (this.find(key) === executionId) this.#newest.delete(key);
  }
}
