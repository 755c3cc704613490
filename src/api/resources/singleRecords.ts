import type { Clock } from '../../base/time.ts';
import { isServiceError, isTransient, ServiceError } from '../../domain/errors.ts';
import { maximumPages } from '../decode/nextPage.ts';
import { believedMs, type KeyedPage } from './pageReader.ts';
import { eachPage } from './resource.ts';

/** How one record is read: by a call of its own, or in the pages of its list. */
export interface RecordPlaces<T> {
  readonly key: string;
  readonly keyOf: (item: T) => string;
  readonly single: () => Promise<T>;
  readonly page: (cursor: string | undefined) => Promise<KeyedPage<T>>;
}

/** Maximum number of pages read for what the list may not have at all. */
export const pagesOfDoubt = 3;

/**
 * Reads single records of one connection, from the list where the service returns them only there. Some services respond "not found" instead
 * of "no such endpoint", which counts as such only while no single record was ever read.
 */
export class SingleRecords<T> {
  readonly #clock: Clock;
  #tellsSingles = false;
  #listedUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects with a ServiceError: that of the single record's call when the list doesn't have the record either. */
  async read(places: RecordPlaces<T>): Promise<T> {
    if (this.#listedUntil > this.#clock.now()) return this.#readListed(places);
    try {
      const record = await places.single();
      this.#tellsSingles = true;
      return record;
    } catch (error) {
      if (isServiceError(error, 'notOffered')) return findListed(places, maximumPages);
      if (isServiceError(error, 'notFound') && error.status === 404 && !this.#tellsSingles)
        return this.#readDenied(places, error);
      throw error;
    }
  }

  async #readListed(places: RecordPlaces<T>): Promise<T> {
    try {
      return await findListed(places, maximumPages);
    } catch (error) {
      this.#listedUntil = 0;
      throw error;
    }
  }

  /** Looks for a record that the service says it doesn't have. */
  async #readDenied(places: RecordPlaces<T>, denial: ServiceError): Promise<T> {
    const record = await findIfListed(places, pagesOfDoubt);
    if (record === undefined) throw denial;
    this.#listedUntil = this.#clock.now() + believedMs;
    return record;
  }
}

/** Like `findListed`; undefined where the list doesn't have the record. Rejects with failures that say nothing about that. */
export async function findIfListed<T>(
  places: Omit<RecordPlaces<T>, 'single'>,
  maximum: number,
): Promise<T | undefined> {
  try {
    return await findListed(places, maximum);
  } catch (error) {
    if (isServiceError(error) && !isTransient(error)) return undefined;
    throw error;
  }
}

/** Finds a record in its list. Throws "notFound" when it isn't there, "unreadable" when the list goes on after the maximum. */
export async function findListed<T>(
  { key, keyOf, page }: Omit<RecordPlaces<T>, 'single'>,
  maximum: number,
): Promise<T> {
  let isWhole = true;
  let count = 0;
  for await (const { items, nextCursor } of eachPage(page, maximum)) {
    const found = items.find((item) => keyOf(item) === key);
    if (found !== undefined) return found;
    count += 1;
    isWhole = nextCursor === null || count < maximum;
  }
  if (isWhole) throw new ServiceError({ kind: 'notFound' }, 'The list does not hold this record.');
  throw new ServiceError({ kind: 'unreadable', cause: 'incomplete' }, 'The list is too long to be searched.');
}
