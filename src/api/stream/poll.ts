import type { ServiceError } from '../../domain/errors.ts';
import { needServiceError, Retries, type RetryDecision, type StreamContext } from './retry.ts';
import type { Interruption } from './items.ts';

/** The result of one poll. */
export interface PollRead<Item> {
  readonly items: readonly Item[];
  /** There was something new. */
  readonly isNew: boolean;
  /** More is available and is read immediately. */
  readonly isMore: boolean;
  /** Nothing more will follow. */
  readonly isOver: boolean;
}

export interface PollSource<Item> {
  read(): Promise<PollRead<Item>>;
  /** The item for polling that works, also after a failure. */
  readonly opened: Item;
  decide(error: ServiceError): RetryDecision;
  /** Continues without a position after the service refused it. Returns false when there was none: the refusal is an error then. */
  restart(): boolean;
  /** Resolves when the next poll is due. idlePolls: how many polls in a row found nothing new. */
  pause(idlePolls: number): Promise<void>;
}

/**
 * Polls where the service has no stream, less often while there's nothing new. Rejects with the signal's reason, or with an error that
 * retrying can't fix.
 */
export async function* poll<Item>(
  source: PollSource<Item>,
  context: StreamContext,
): AsyncGenerator<Item | Interruption, void, void> {
  const retries = new Retries(context);
  let isOpen = false;
  let idlePolls = -1;
  for (;;) {
    let interruption = retries.budgetPause();
    let isMore = interruption !== undefined;
    if (interruption === undefined)
      try {
        const read = await source.read();
        retries.reset();
        if (!isOpen) yield source.opened;
        isOpen = true;
        for (const item of read.items) yield item;
        if (read.isOver) return;
        idlePolls = read.isNew ? 0 : idlePolls + 1;
        isMore = read.isMore;
      } catch (thrown) {
        const error = needServiceError(thrown);
        const decision = source.decide(error);
        if (decision === 'retry' || decision === 'limit')
          interruption = retries.interruption(error, decision);
        else if (decision !== 'gap' || !source.restart()) throw error;
        isMore = true;
      }
    if (interruption) {
      isOpen = false;
      yield interruption;
      await retries.wait(interruption);
    }
    if (!isMore) await source.pause(idlePolls);
  }
}
