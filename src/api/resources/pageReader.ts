import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { CallOptions, Page } from '../../domain/queries.ts';
import {
  type FirstGuess,
  type GuessOutcome,
  learned,
  otherGuess,
  outcomeOf,
  type PageRows,
} from '../decode/guessedPage.ts';
import { readNextCursor } from '../decode/nextPage.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';

/** The decoded rows of one response. */
export interface DecodedPage<T> extends PageRows {
  readonly items: readonly T[];
  /** The keys of all rows, including those that weren't requested. */
  readonly keys: readonly string[];
}

/** A page with the keys of all its rows, including those that weren't requested. */
export interface KeyedPage<T> extends Page<T> {
  readonly keys: readonly string[];
  /** Size of the whole response in characters. */
  readonly size: number;
}

/** One page of a list, asked for by `cursor`. */
export interface PageRequest<T> extends ServiceRequest {
  readonly decode: (response: CompleteResponse) => DecodedPage<T>;
  /** The number of rows that come before those asked for, as far as known. */
  readonly skipped?: number | undefined;
}

/** How long it's remembered what a service knows, and what its lists have, in milliseconds. */
export const believedMs = 5 * 60_000;

const end = { items: [], keys: [], nextCursor: null, size: 0 } as const;

/**
 * Reads the pages of one kind of list. Where only a total says that there are more, finds the parameter that the service knows, and
 * remembers it, so that a wrong one costs a request only once.
 */
export class PageReader {
  readonly #transport: Transport;
  readonly #clock: Clock;
  #learned: FirstGuess = {};
  #believedUntil = 0;

  constructor({ transport, clock }: { readonly transport: Transport; readonly clock: Clock }) {
    this.#transport = transport;
    this.#clock = clock;
  }

  async read<T>(request: PageRequest<T>, options?: CallOptions): Promise<KeyedPage<T>> {
    let cursor = request.cursor;
    for (;;) {
      const { outcome, page } = await this.#readOne({ ...request, cursor }, options);
      if (cursor === undefined || outcome === undefined) return page;
      this.#learn(learned(cursor, outcome));
      const other = otherGuess(cursor, outcome);
      if (other === undefined) return outcome === 'new' ? page : { ...end, size: page.size };
      cursor = other;
    }
  }

  async #readOne<T>(
    { decode, skipped, ...request }: PageRequest<T>,
    options: CallOptions | undefined,
  ): Promise<{ readonly outcome: GuessOutcome | undefined; readonly page: KeyedPage<T> }> {
    const { cursor } = request;
    try {
      const response = await this.#transport.call(request, options);
      const decoded = decode(response);
      const { items, keys, count, marks } = decoded;
      const known = this.#believedUntil > this.#clock.now() ? this.#learned : {};
      const { url, headers } = response;
      const origin = {
        url,
        cursor,
        linkHeader: headers.get('link'),
        totalHeader: headers.get('x-total-count'),
        guess: { ...known, skipped },
      };
      const nextCursor = readNextCursor(response.body, count, origin, marks);
      return {
        outcome: outcomeOf(cursor, decoded),
        page: { items, keys, nextCursor, size: response.text.length },
      };
    } catch (error) {
      // A strict service refuses what it doesn't know, or a page behind the last one.
      const isRefused = isServiceError(error, 'invalid') || isServiceError(error, 'notFound');
      if (!isRefused || outcomeOf(cursor, { count: 0, marks: [] }) === undefined) throw error;
      return { outcome: 'refused', page: end };
    }
  }

  #learn(news: FirstGuess | undefined): void {
    if (news === undefined) return;
    this.#learned = news;
    this.#believedUntil = this.#clock.now() + believedMs;
  }
}
