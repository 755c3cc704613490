import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { retryUntilStored } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';

/** Reports to the runs of this process that their executions were cancelled, also by another process. */
export class Cancellations {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #stopping: AbortSignal;
  /** By execution. */
  readonly #running = new Map<string, AbortController>();
  /** The executions that may have been cancelled since they were last read. */
  readonly #suspected = new Set<string>();
  #isReading = false;

  constructor(store: Store, logger: Logger, stopping: AbortSignal) {
    this.#store = store;
    this.#logger = logger;
    this.#stopping = stopping;
  }

  /** The signal is aborted once the execution is cancelled; from then on it can't write anything. */
  watch(executionId: string): Disposable & { readonly signal: AbortSignal } {
    const cancelled = new AbortController();
    this.#running.set(executionId, cancelled);
    const news = this.#store.subscribe(`cancelled:${executionId}`, () => this.#suspect(executionId));
    return {
      signal: cancelled.signal,
      dispose: () => {
        news.dispose();
        if (this.#running.get(executionId) === cancelled) this.#running.delete(executionId);
      },
    };
  }

  /** All of one turn of the event loop are read together: whenever notifications can have been lost, all that run are suspected. */
  #suspect(executionId: string): void {
    this.#suspected.add(executionId);
    if (this.#isReading) return;
    this.#isReading = true;
    queueMicrotask(() => void this.#readAll());
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#suspected.size > 0) {
        const ids = [...this.#suspected];
        this.#suspected.clear();
        const cancelled = await retryUntilStored(this.#stopping, () =>
          this.#store.executions.listCancelled(ids),
        );
        for (const id of cancelled)
          this.#running.get(id)?.abort(new DOMException('The execution is cancelled.', 'AbortError'));
      }
    } catch (error) {
      if (!this.#stopping.aborted)
        this.#logger.error('The engine could not read which executions are cancelled.', error);
    } finally {
      this.#isReading = false;
    }
  }
}
