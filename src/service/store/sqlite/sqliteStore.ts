import { silentLogger } from '../../../base/logger.ts';
import { systemClock } from '../../../base/time.ts';
import type { SqlDatabase, Transaction } from '../database.ts';
import {
  EventLimiter,
  type EventPositions,
  type PortalEventLimits,
  portalEventLimits,
} from '../portalEvents.ts';
import { Store, type StoreOptions } from '../store.ts';
import { SqliteSearchIndex } from './sqliteSearchIndex.ts';
import { withStorage } from '../storageError.ts';
import { shrinkFile } from './shrink.ts';
import { SqliteDatabase, type SqliteOptions } from './sqliteDatabase.ts';

export class SqliteStore extends Store {
  readonly #sqlite: SqliteDatabase;
  readonly #path: string;
  readonly #positions: InsertedPositions;

  /** Throws a StorageError when the file can't be used, another error when a newer version has written it. */
  constructor({
    path,
    now = systemClock.now,
    eventLimits = portalEventLimits,
    logger = silentLogger,
    ...others
  }: StoreOptions & Omit<SqliteOptions, 'now'>) {
    const database = withStorage(path, () => new SqliteDatabase({ path, now, ...others }));
    const positions = new InsertedPositions(eventLimits);
    super(database, positions, new SqliteSearchIndex(), logger);
    this.#positions = positions;
    this.#path = path;
    this.#sqlite = database;
  }

  /** Only one service runs on a folder. */
  hasOlderProcesses(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** At the start of the only service on a folder, no lease is in use. */
  async releaseLeases(): Promise<boolean> {
    await this.executions.claims.releaseAll();
    return true;
  }

  async shrink(pages: number): Promise<boolean> {
    if (await this.#positions.deleteSurplus(this.#sqlite)) return true;
    return shrinkFile(this.#sqlite, this.#path, pages);
  }
}

/** Transactions follow each other, so an event's position is where it was inserted. */
class InsertedPositions implements EventPositions {
  readonly #limiter: EventLimiter;
  /** Whether there can be events over the limits. */
  #hasSurplus = true;

  constructor(limits: PortalEventLimits) {
    this.#limiter = new EventLimiter(limits);
  }

  async assign(transaction: Transaction, bytes: number): Promise<void> {
    this.#hasSurplus = await this.#limiter.limit(transaction, bytes);
  }

  /** Returns false when there was no surplus. */
  async deleteSurplus(database: SqlDatabase): Promise<boolean> {
    if (!this.#hasSurplus) return false;
    await database.transaction((transaction) => this.assign(transaction, 0));
    return true;
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }
}
