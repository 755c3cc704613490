// Deletes old executions in small steps, on one machine while the service is idle, unless it's busy for long, and shrinks the file afterwards.
import { type Now, toTimestamp } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store } from '../store/store.ts';
import { StepLoop } from './stepLoop.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Draft executions are kept no longer. */
const draftDays = 1;
/** No more of the newest draft executions are kept, and of these only as many as fit in this number of bytes. */
const keepDrafts = { count: 1000, bytes: 1024 * 1024 * 1024 };
/** A step takes a few milliseconds. */
const stepExecutions = 20;
const stepPages = 256;
const defaultPaces = { firstMs: 5000, betweenStepsMs: 50, busyMs: 500, restMs: 60_000 };
/** How long it waits for the service to be idle; then it deletes beside the work, a step each `busyMs`, until nothing is left. */
const longestWaitMs = 5 * 60_000;
/** How long there must have been no request. */
const idleMs = 300;

export interface RetentionOptions {
  readonly store: Pick<Store, 'executions' | 'shrink'>;
  /** 0 keeps all. */
  readonly keepDays: number;
  /** 0 keeps all. */
  readonly keepExecutions: number;
  readonly now: Now;
  readonly steadyNow: Now;
  readonly logger: Logger;
  /** Waits until nothing runs and no request arrives, but not for long; default true. A database that many processes share is hardly ever idle. */
  readonly waitsForIdle?: boolean;
  /** The pauses between steps, in milliseconds. */
  readonly paces?: Readonly<typeof defaultPaces>;
}

/** Runs one step; returns false when there's nothing left to do. */
export async function pruneStep(options: RetentionOptions): Promise<boolean> {
  const { store, keepDays, keepExecutions, now } = options;
  const pruned = await store.executions.prune({
    before: keepDays === 0 ? null : toTimestamp(now() - keepDays * dayMs),
    draftsBefore: toTimestamp(now() - draftDays * dayMs),
    keep: keepExecutions === 0 ? null : keepExecutions,
    keepDrafts,
    limit: stepExecutions,
  });
  return pruned > 0 || (await store.shrink(stepPages));
}

export class Retention implements Disposable {
  readonly #options: RetentionOptions;
  readonly #paces: Readonly<typeof defaultPaces>;
  readonly #loop: StepLoop;
  #lastRequestAt = -Infinity;
  /** Since when there was a reason to wait; undefined while there's none. */
  #busySince: number | undefined;

  /** Waits for the first pause, then runs step after step until disposed. */
  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#paces = options.paces ?? defaultPaces;
    this.#loop = new StepLoop({
      step: () => this.#step(),
      firstMs: this.#paces.firstMs,
      failureMs: this.#paces.restMs,
      failure: 'Old executions could not be deleted.',
      logger: options.logger,
    });
  }

  /** Records a request, which delays the next step. */
  noteRequest(): void {
    this.#lastRequestAt = this.#options.steadyNow();
  }

  dispose(): void {
    this.#loop.dispose();
  }

  /** Returns the pause until the next step, in milliseconds. */
  async #step(): Promise<number> {
    const { betweenStepsMs, busyMs, restMs } = this.#paces;
    const isBusy = await this.#isBusy();
    const now = this.#options.steadyNow();
    this.#busySince = isBusy ? (this.#busySince ?? now) : undefined;
    if (this.#busySince !== undefined && now - this.#busySince < longestWaitMs) return busyMs;
    if (await pruneStep(this.#options)) return isBusy ? busyMs : betweenStepsMs;
    this.#busySince = undefined;
    return restMs;
  }

  async #isBusy(): Promise<boolean> {
    const { steadyNow, store, waitsForIdle = true } = this.#options;
    if (!waitsForIdle) return false;
    if (steadyNow() - this.#lastRequestAt < idleMs) return true;
    const running = await store.executions.list({ status: 'running', limit: 1 });
    return running.items.length > 0;
  }
}
