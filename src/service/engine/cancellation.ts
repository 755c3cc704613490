import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { retryUntilStored } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';

/** Reports that an execution was cancelled, also by another process. */
export class Cancellation implements Disposable {
  readonly #cancelled = new AbortController();
  readonly #news: Disposable;

  constructor(store: Store, logger: Logger, executionId: string, stopping: AbortSignal) {
    this.#news = store.subscribe(`cancelled:${executionId}`, () => {
      const readStatus = () => store.executions.getStatus(executionId);
      retryUntilStored(stopping, readStatus).then(
        (status) => {
          if (status === 'cancelled')
            this.#cancelled.abort(new DOMException('The execution is cancelled.', 'AbortError'));
        },
        (error: unknown) => {
          if (!stopping.aborted)
            logger.error(
              `The engine could not read whether the execution ${executionId} is cancelled.`,
              error,
            );
        },
      );
    });
  }

  /** Aborted once the execution is cancelled; from then on it can't write anything. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  dispose(): void {
    this.#news.dispose();
  }
}
