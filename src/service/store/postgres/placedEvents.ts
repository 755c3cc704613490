// Transactions that run at the same time commit in any order, so an event's position is given after its commit, by whoever reads next.
import type { Transaction } from '../sql/database.ts';
import type { EventPlaces } from '../sql/portalEvents.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

export class CommittedPlaces implements EventPlaces {
  readonly #database: PostgresDatabase;
  readonly #maximum: number;
  /** The round under way, and the one that follows it. */
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** `maximum` is the number of events to keep. */
  constructor(database: PostgresDatabase, maximum: number) {
    this.#database = database;
    this.#maximum = maximum;
  }

  place(): void {
    // Its place is known once it's committed.
  }

  /** A round that has begun may have missed the newest events, so that a call joins the one after it. */
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
    const round = this.#settleNow().finally(() => {
      if (this.#round === round) this.#round = undefined;
    });
    this.#round = round;
    return round;
  }

  async #settleNow(): Promise<void> {
    const unplaced = await this.#database.get(
      'SELECT 1 AS found FROM portal_events WHERE position IS NULL LIMIT 1',
    );
    if (!unplaced) return;
    await this.#database.transaction((transaction) => {
      this.#database.lock(transaction, 'portalEvents');
      this.#placeAll(transaction);
      return Promise.resolve();
    });
  }

  #placeAll(transaction: Transaction): void {
    transaction.write(
      `UPDATE portal_events SET position = placed.position FROM
         (SELECT insertion, row_number() OVER (ORDER BY insertion)
            + (SELECT coalesce(max(position), 0) FROM portal_events) AS position
          FROM portal_events WHERE position IS NULL) AS placed
       WHERE portal_events.insertion = placed.insertion`,
    );
    transaction.write(
      'DELETE FROM portal_events WHERE position <= (SELECT max(position) FROM portal_events) - CAST(? AS BIGINT)',
      this.#maximum,
    );
  }
}
