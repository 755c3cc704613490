import type { ServiceError } from '../../domain/serviceError.ts';
import { needServiceError, Retries, type RetryDecision, type StreamContext } from './retry.ts';
import type { Interruption } from './items.ts';

/** What one poll brought. */
export interface PollRead<Item> {
  readonly items: readonly Item[];
  /** Something came that was not known. */
  readonly isNew: boolean;
  /** More is there already, to be read at once. */
  readonly isMore: boolean;
  /** Nothing more will come. */
  readonly isOver: boolean;
}

/** What is polled. */
export interface PollSource<Item> {
  read(): Promise<PollRead<Item>>;
  /** What is said once polling works, and again after a failure. */
  readonly opened: Item;
  decide(error: ServiceError): RetryDecision;
  /** The position was refused: goes on without one. False: there was none, so the refusal is an error. */
  restart(): boolean;
  /** Resolves when it is time for the next poll. idlePolls: how many in a row brought nothing. */
  pause(idlePolls: number): Promise<void>;
}

/** Asks again and again, ever more slowly while nothing comes, where the service has no stream. Rejects with the signal's reason, or with what cannot heal. */
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
