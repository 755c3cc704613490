import { type Logger, silentLogger } from '../../../base/logger.ts';
import { type Now, systemClock } from '../../../base/time.ts';
import type { Transaction } from '../sql/database.ts';
import type { EventPlaces } from '../sql/portalEvents.ts';
import { SqlStore } from '../sql/sqlStore.ts';
import { withStorage } from '../storageError.ts';
import { shrinkFile } from './shrink.ts';
import { SqliteDatabase } from './sqliteDatabase.ts';

export interface SqliteStoreOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly now?: Now;
  /** The maximum number of stored portal events; default 10,000. */
  readonly maximumPortalEvents?: number;
  /** The maximum size of the file in pages; for tests of a full disk. */
  readonly maximumPages?: number;
  /** Logs failures of deferred writes; silent by default. */
  readonly logger?: Logger;
}

export class SqliteStore extends SqlStore {
  readonly #sqlite: SqliteDatabase;
  readonly #path: string;

  /** Throws a StorageError when the file can't be used, another error when a newer version has written it. */
  constructor({
    path,
    now = systemClock.now,
    maximumPortalEvents = 10_000,
    maximumPages,
    logger = silentLogger,
  }: SqliteStoreOptions) {
    const database = withStorage(path, () => new SqliteDatabase(path, now, maximumPages));
    super(database, new InsertedPlaces(maximumPortalEvents), logger);
    this.#path = path;
    this.#sqlite = database;
  }

  shrink(pages: number): Promise<boolean> {
    return shrinkFile(this.#sqlite, this.#path, pages);
  }
}

/** Transactions follow each other, so an event's place is where it was inserted. */
class InsertedPlaces implements EventPlaces {
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  place(transaction: Transaction): void {
    transaction.write(
      'DELETE FROM portal_events WHERE position <= (SELECT max(position) FROM portal_events) - ?',
      this.#maximum,
    );
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }
}
