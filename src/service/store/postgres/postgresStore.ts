import { silentLogger } from '../../../base/logger.ts';
import { systemClock } from '../../../base/time.ts';
import type { RequestLimit } from '../requestLimit.ts';
import { integer } from '../rows.ts';
import { portalEventLimits } from '../portalEvents.ts';
import { Store, type StoreOptions } from '../store.ts';
import { PostgresSearchIndex } from './postgresSearchIndex.ts';
import type { DatabaseAddress } from './address.ts';
import { CommittedPositions } from './eventPositions.ts';
import { OlderProcesses } from './olderProcesses.ts';
import { type PoolUse, PostgresDatabase } from './postgresDatabase.ts';
import { PostgresRequestLimit } from './postgresRequestLimit.ts';

export interface PostgresStoreOptions extends StoreOptions {
  /** A migrated database. */
  readonly address: DatabaseAddress;
  /** The maximum number of connections; default 10. */
  readonly poolSize?: number;
}

export type UnfinishedCounts = Readonly<Record<'queued' | 'running' | 'waiting', number>>;

/** The stored portal events. */
export interface StoredEvents {
  readonly count: number;
  /** Of their data. */
  readonly bytes: number;
}

/** The store on a PostgreSQL database that several processes share. */
export class PostgresStore extends Store {
  readonly #positions: CommittedPositions;
  readonly #database: PostgresDatabase;
  readonly #olderProcesses: OlderProcesses;

  constructor({
    address,
    now = systemClock.now,
    eventLimits = portalEventLimits,
    logger = silentLogger,
    poolSize = 10,
  }: PostgresStoreOptions) {
    const database = new PostgresDatabase({ address, now, logger, poolSize });
    const positions = new CommittedPositions(database, eventLimits);
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

  /** Reads only the index of the states: its cost grows with the unfinished executions, not with the ended ones. */
  async countUnfinished(): Promise<UnfinishedCounts> {
    const count = (status: string): string => `(SELECT count(*) FROM executions WHERE status = '${status}')`;
    const row = await this.#database.get(
      `SELECT ${count('queued')} AS queued, ${count('running')} AS running, ${count('waiting')} AS waiting`,
    );
    if (!row) throw new Error('The executions could not be counted.');
    return {
      queued: integer(row, 'queued'),
      running: integer(row, 'running'),
      waiting: integer(row, 'waiting'),
    };
  }

  /** Reads a row of each event, but no large data; 10,000 take about 5 ms. */
  async measureEvents(): Promise<StoredEvents> {
    const row = await this.#database.get(
      'SELECT count(*) AS count, coalesce(sum(octet_length(data)), 0) AS bytes FROM portal_events',
    );
    if (!row) throw new Error('The portal events could not be counted.');
    return { count: integer(row, 'count'), bytes: integer(row, 'bytes') };
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
