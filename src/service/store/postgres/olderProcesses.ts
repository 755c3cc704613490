import { steadyNow } from '../../../base/time.ts';
import type { SqlDatabase } from '../database.ts';
import { leaseLevel } from '../needs.ts';
import { text } from '../rows.ts';

/** How long a reading is reused, in milliseconds. */
const freshMs = 3000;
/** The name of the connections of all versions that compare no needs; later ones add "/" and the level that they know. */
export const olderName = 'workflow-automation';
/** Where versions below the lease level have OpenWorkflow's tables, which have the leases of their executions. */
export const engineSchema = 'openworkflow';

/** Finds out which processes use the database, and takes over what those of earlier versions have left. */
export class OlderProcesses {
  readonly #database: SqlDatabase;
  #levels: Promise<readonly number[]> | undefined;
  #readAt = -Infinity;
  /** When they were last asked for their work. */
  #werePresent = false;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Whether a process that doesn't know this level of needs is connected, as of at most 3 seconds ago. */
  async arePresent(level: number): Promise<boolean> {
    const now = steadyNow();
    if (!this.#levels || now - this.#readAt >= freshMs) {
      this.#readAt = now;
      this.#levels = this.#readLevels();
      this.#levels.catch(() => (this.#levels = undefined));
    }
    return (await this.#levels).some((known) => known < level);
  }

  /**
   * Makes the executions claimable that processes without leases in their rows have left, once none of these is connected: while one is, it
   * may have them. Returns false while one is, and once more after that: it may only have lost its connections for a moment.
   */
  async adoptWork(): Promise<boolean> {
    const werePresent = this.#werePresent;
    this.#werePresent = await this.arePresent(leaseLevel);
    if (werePresent || this.#werePresent) return false;
    await this.#database.transaction(async (transaction) => {
      // Another process does the same.
      if (!(await this.#database.tryLock(transaction, 'adoption'))) return;
      transaction.write(
        'UPDATE executions SET available_at = 0 WHERE completed_at IS NULL AND available_at IS NULL',
      );
      transaction.write(`DROP SCHEMA IF EXISTS ${engineSchema} CASCADE`);
      transaction.announce('work');
    });
    return true;
  }

  /** Of the processes that are connected; 0 for those that compare none. */
  async #readLevels(): Promise<readonly number[]> {
    const rows = await this.#database.all(
      'SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE ?',
      `${olderName}%`,
    );
    return rows.map((row) => Number(text(row, 'application_name').slice(olderName.length + 1)));
  }
}
