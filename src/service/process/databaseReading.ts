import { systemClock, within } from '../../base/time.ts';

const defaultLongestMs = 2000;

export interface DatabaseReadingOptions {
  /** How long a caller waits, in milliseconds; default 2,000. */
  readonly longestMs?: number;
  /** How long a reading is reused for later callers, also a failed one, in milliseconds; default 0. */
  readonly freshMs?: number;
}

/** Reads something from a database: once at a time, however many callers want it, and with a time limit if the database doesn't respond. */
export class DatabaseReading<T> {
  readonly #ask: () => Promise<T>;
  readonly #longestMs: number;
  readonly #freshMs: number;
  #pending: Promise<T | undefined> | undefined;

  /** `ask` rejects when the database doesn't respond. */
  constructor(ask: () => Promise<T>, options: DatabaseReadingOptions = {}) {
    this.#ask = ask;
    this.#longestMs = options.longestMs ?? defaultLongestMs;
    this.#freshMs = options.freshMs ?? 0;
  }

  /** Returns undefined when the database doesn't respond in time. */
  read(): Promise<T | undefined> {
    this.#pending ??= this.#begin();
    return within(systemClock, this.#longestMs, this.#pending);
  }

  async #begin(): Promise<T | undefined> {
    try {
      return await this.#ask();
    } catch {
      return undefined;
    } finally {
      const forget = (): void => (this.#pending = undefined);
      if (this.#freshMs === 0) forget();
      else setTimeout(forget, this.#freshMs).unref();
    }
  }
}
