// Deletes old executions in small steps while the service is idle, and shrinks the file afterwards.
import { type Now, toTimestamp } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store } from '../store/store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A step takes a few milliseconds. */
const stepExecutions = 20;
const stepPages = 256;
const defaultPaces = { firstMs: 5000, betweenStepsMs: 50, busyMs: 500, restMs: 60_000 };
/** How long there must have been no request. */
const idleMs = 300;

export interface RetentionOptions {
  readonly store: Store;
  /** 0 keeps all. */
  readonly keepDays: number;
  /** 0 keeps all. */
  readonly keepExecutions: number;
  readonly now: Now;
  readonly steadyNow: Now;
  readonly logger: Logger;
  /** The pauses between steps, in milliseconds. */
  readonly paces?: Readonly<typeof defaultPaces>;
}

export interface Retention extends Disposable {
  /** Records a request, which delays the next step. */
  readonly noteRequest: () => void;
}

/** Runs one step; returns false when there's nothing left to do. */
export async function pruneStep(options: RetentionOptions): Promise<boolean> {
  const { store, keepDays, keepExecutions, now } = options;
  const pruned = await store.executions.prune({
    before: keepDays === 0 ? null : toTimestamp(now() - keepDays * dayMs),
    keep: keepExecutions === 0 ? null : keepExecutions,
    limit: stepExecutions,
  });
  return pruned > 0 || (await store.shrink(stepPages));
}

export function createRetention(options: RetentionOptions): Retention {
  const { store, steadyNow, logger, paces = defaultPaces } = options;
  let lastRequestAt = -Infinity;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  async function isBusy(): Promise<boolean> {
    if (steadyNow() - lastRequestAt < idleMs) return true;
    const running = await store.executions.list({ status: 'running', limit: 1 });
    return running.items.length > 0;
  }

  async function step(): Promise<number> {
    if (await isBusy()) return paces.busyMs;
    return (await pruneStep(options)) ? paces.betweenStepsMs : paces.restMs;
  }

  function wait(milliseconds: number): void {
    if (isOver) return;
    timer = setTimeout(() => {
      step().then(wait, (error: unknown) => {
        if (isOver) return;
        logger.error('Old executions could not be deleted.', error);
        wait(paces.restMs);
      });
    }, milliseconds).unref();
  }

  wait(paces.firstMs);
  return {
    noteRequest: () => {
      lastRequestAt = steadyNow();
    },
    dispose: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
