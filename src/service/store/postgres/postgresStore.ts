import { type Logger, silentLogger } from '../../../base/logger.ts';
import { type Now, systemClock } from '../../../base/time.ts';
import { SqlStore } from '../sql/sqlStore.ts';
import type { DatabaseAddress } from './address.ts';
import { CommittedPlaces } from './placedEvents.ts';
import { PostgresDatabase } from './postgresDatabase.ts';

export interface PostgresStoreOptions {
  /** A database that was migrated. */
  readonly address: DatabaseAddress;
  readonly now?: Now;
  /** The maximum number of stored portal events; default 10,000. */
  readonly maximumPortalEvents?: number;
  /** Logs failures of deferred writes; silent by default. */
  readonly logger?: Logger;
  /** The maximum number of connections; default 10. */
  readonly poolSize?: number;
}

/** The store on a PostgreSQL database that several processes share. */
export class PostgresStore extends SqlStore {
  readonly #database: PostgresDatabase;

  constructor({
    address,
    now = systemClock.now,
    maximumPortalEvents = 10_000,
    logger = silentLogger,
    poolSize = 10,
  }: PostgresStoreOptions) {
    const database = new PostgresDatabase({ address, now, logger, poolSize });
    super(database, new CommittedPlaces(database, maximumPortalEvents), logger);
    this.#database = database;
  }

  /** Rejects with a StorageError when the database doesn't answer. */
  async check(): Promise<void> {
    await this.#database.get('SELECT 1 AS found');
  }

  /** PostgreSQL reuses the room of deleted rows by itself. */
  shrink(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
