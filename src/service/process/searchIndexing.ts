// Fills the index of the search in small steps, which take a small part of the time, however many executions wait.
import { steadyNow } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store } from '../store/store.ts';
import { StepLoop } from './stepLoop.ts';

/** A pause is this many times as long as the step before it. What waits is searched without the index. */
const pauseFactor = 20;
const firstMs = 500;
/** The longest pause, which follows when none waits. */
const restMs = 1000;
const failureMs = 60_000;

export class SearchIndexing implements Disposable {
  readonly #loop: StepLoop;
  readonly #queue: Store['searchQueue'];
  readonly #logger: Logger;
  #hasStarted = false;

  /** Goes on until disposed. Warns when the database has no index. */
  constructor({ store, logger }: { readonly store: Pick<Store, 'searchQueue'>; readonly logger: Logger }) {
    this.#queue = store.searchQueue;
    this.#logger = logger;
    this.#loop = new StepLoop({
      step: () => this.#step(),
      firstMs,
      failureMs,
      failure: 'Executions could not be added to the index of the search.',
      logger,
    });
  }

  dispose(): void {
    this.#loop.dispose();
  }

  /** Returns the pause until the next step, in milliseconds. */
  async #step(): Promise<number> {
    if (!this.#hasStarted && !(await this.#queue.isIndexed()))
      this.#logger.warn(
        'The database has no pg_trgm, so a search reads one execution after the other. Install it and run "migrate".',
      );
    this.#hasStarted = true;
    const began = steadyNow();
    const hasMore = await this.#queue.step();
    return hasMore ? Math.min(restMs, pauseFactor * (steadyNow() - began)) : restMs;
  }
}
