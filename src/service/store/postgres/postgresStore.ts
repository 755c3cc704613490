import { type Logger, silentLogger } from '../../../base/logger.ts';
import { type Now, systemClock } from '../../../base/time.ts';
import type { RequestLimit } from '../requestLimit.ts';
import { portalEventLimits } from '../portalEvents.ts';
import { Store } from '../store.ts';
import { PostgresSearchIndex } from './postgresSearchIndex.ts';
import type { DatabaseAddress } from './address.ts';
import { CommittedPositions } from './eventPositions.ts';
import { OlderProcesses } from './olderProcesses.ts';
import { type PoolUse, PostgresDatabase } from './postgresDatabase.ts';
import { PostgresRequestLimit } from './postgresRequestLimit.ts';
import { countUnfinished, measureEvents, type StoredEvents, type UnfinishedCounts } from './counts.ts';

export interface PostgresStoreOptions {
  /** A migrated database. */
  readonly address: DatabaseAddress;
  readonly now?: Now;
  /** The maximum number of stored portal events, and of the bytes of their data; default 10,000 and 256 MiB. */
  readonly maximumPortalEvents?: number;
  readonly maximumPortalEventBytes?: number;
  /** Logs failures of deferred writes; silent by default. */
  readonly logger?: Logger;
  /** The maximum number of connections; default 10. */
  readonly poolSize?: number;
}

/** The store on a PostgreSQL database that several processes share. */
export class PostgresStore extends Store {
  readonly #positions: CommittedPositions;
  readonly #database: PostgresDatabase;
  readonly #olderProcesses: OlderProcesses;

  constructor({
    address,
    now = systemClock.now,
    maximumPortalEvents = portalEventLimits.count,
    maximumPortalEventBytes = portalEventLimits.bytes,
    logger = silentLogger,
    poolSize = 10,
  }: PostgresStoreOptions) {
    const database = new PostgresDatabase({ address, now, logger, poolSize });
    const limits = { count: maximumPortalEvents, bytes: maximumPortalEventBytes };
    const positions = new CommittedPositions(database, limits);
    super(database, positions, new PostgresSearchIndex(), logger);
    this.#positions = positions;
    this.#database = database;
    this.#olderProcesses = new OlderProcesses(database);
  }

  /** Returns the limit that all processes on the database share. */
  limitRequests(requestsPerMinute: number): RequestLimit {
    return new PostgresRequestLimit(this.#database, requestsPerMinute);
  }

  /** Finds out whether the database responds and takes writes, which `problem` then reports. Rejects with a StorageError. */
  async check(): Promise<true> {
    await this.#database.check();
    return true;
  }

  countUnfinished(): Promise<UnfinishedCounts> {
    return countUnfinished(this.#database);
  }

  measureEvents(): Promise<StoredEvents> {
    return measureEvents(this.#database);
  }

  /** How the pool of connections is used. */
  get poolUse(): PoolUse {
    return this.#database.poolUse;
  }

  hasOlderProcesses(): Promise<boolean> {
    return this.#olderProcesses.arePresent(1);
  }

  /** Other workers have leases; those of a dead one expire. */
  releaseLeases(): Promise<boolean> {
    return this.#olderProcesses.adoptWork();
  }

  /**
   * PostgreSQL reuses the space of deleted rows by itself; portal events over the limit are deleted when new ones get positions, even if
   * nobody reads them.
   */
  async shrink(): Promise<boolean> {
    await this.#positions.settle();
    return this.#positions.hasSurplus;
  }
}
