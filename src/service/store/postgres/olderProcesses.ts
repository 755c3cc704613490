import { steadyNow } from '../../../base/time.ts';
import type { Sql } from '../database.ts';

/** How long a reading is reused, in milliseconds. */
const freshMs = 3000;
/** The name of the connections of all versions that compare no needs. */
export const olderName = 'workflow-automation';

/** Finds out which processes use the database. */
export class OlderProcesses {
  readonly #sql: Sql;
  #presence: Promise<boolean> | undefined;
  #readAt = -Infinity;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Whether a process of a version that compares no needs is connected, as of at most 3 seconds ago. */
  arePresent(): Promise<boolean> {
    const now = steadyNow();
    if (this.#presence && now - this.#readAt < freshMs) return this.#presence;
    this.#readAt = now;
    this.#presence = this.#ask();
    this.#presence.catch(() => (this.#presence = undefined));
    return this.#presence;
  }

  async #ask(): Promise<boolean> {
    const row = await this.#sql.get(
      'SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? LIMIT 1',
      olderName,
    );
    return row !== undefined;
  }
}
