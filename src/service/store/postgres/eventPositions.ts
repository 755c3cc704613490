// Transactions that run at the same time commit in any order, so an event gets its position after its commit, from whoever reads next.
import type { Transaction } from '../database.ts';
import { EventLimiter, type EventPositions, type PortalEventLimits } from '../portalEvents.ts';
import { integer } from '../rows.ts';
import { storageProblemOf } from '../storageError.ts';
import { isOfWrites } from '../storageHealth.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

export class CommittedPositions implements EventPositions {
  readonly #database: PostgresDatabase;
  readonly #limiter: EventLimiter;
  /** Whether there can be events over the limits. */
  #hasSurplus = true;
  /** The round under way, and the one that follows it. */
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(database: PostgresDatabase, limits: PortalEventLimits) {
    this.#database = database;
    this.#limiter = new EventLimiter(limits);
  }

  /** Whether the next round deletes events, even if none needs a position. */
  get hasSurplus(): boolean {
    return this.#hasSurplus;
  }

  assign(): Promise<void> {
    // Its position is known once it's committed.
    return Promise.resolve();
  }

  /** A round that has started may have missed the newest events, so a call joins the one after it. */
  settle(): Promise<void> {
    if (!this.#round) return this.#begin();
    this.#next ??= this.#round.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const round = this.#settleUnlessReadOnly().finally(() => {
      if (this.#round === round) this.#round = undefined;
    });
    this.#round = round;
    return round;
  }

  /** While the database takes no writes, readers get the events that have positions; the others get theirs later. */
  async #settleUnlessReadOnly(): Promise<void> {
    try {
      await this.#settleNow();
    } catch (error) {
      if (!isOfWrites(storageProblemOf(error))) throw error;
    }
  }

  async #settleNow(): Promise<void> {
    const unplaced = await this.#database.get(
      'SELECT count(*) AS count, coalesce(sum(octet_length(data)), 0) AS bytes FROM portal_events WHERE position IS NULL',
    );
    if (!unplaced || (integer(unplaced, 'count') === 0 && !this.#hasSurplus)) return;
    this.#hasSurplus = await this.#database.transaction((transaction) => {
      this.#database.lock(transaction, 'portalEvents');
      return this.#assignAll(transaction, integer(unplaced, 'bytes'));
    });
  }

  /** Returns whether there are still events over the limits. */
  #assignAll(transaction: Transaction, bytes: number): Promise<boolean> {
    transaction.write(
      `UPDATE portal_events SET position = placed.position FROM
         (SELECT insertion, row_number() OVER (ORDER BY insertion)
            + (SELECT coalesce(max(position), 0) FROM portal_events) AS position
          FROM portal_events WHERE position IS NULL) AS placed
       WHERE portal_events.insertion = placed.insertion`,
    );
    return this.#limiter.limit(transaction, bytes);
  }
}
