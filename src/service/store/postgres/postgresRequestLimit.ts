// The rate limit of all processes on the database together, by the database's clock.
import { limits } from '../../../protocol/operations.ts';
import { steadyNow } from '../../../base/time.ts';
import { type Allowance, MemoryRequestLimit, type RequestLimit } from '../requestLimit.ts';
import { integer } from '../rows.ts';
import { storageProblemOf } from '../storageError.ts';
import { isOfWrites } from '../storageHealth.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

const now = '(SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS now) AS clock';

/**
 * The row's lock makes requests of a key follow one another, and the clock is read under the lock, so that the times ascend. Times later
 * than now are from before the clock was set back; they're dropped, as they would lock the key out for that time.
 */
const taking = `
  INSERT INTO requests AS known (key_id, times, asked_at, is_allowed)
  SELECT CAST(? AS TEXT), ARRAY[now], now, 1 FROM ${now}
  ON CONFLICT (key_id) DO UPDATE SET (times, asked_at, is_allowed) = (
    SELECT CASE WHEN cardinality(counted) < CAST(? AS INTEGER) THEN counted || now ELSE counted END,
      now, CAST(cardinality(counted) < CAST(? AS INTEGER) AS INTEGER)
    FROM ${now} CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(time ORDER BY time), '{}') AS counted FROM unnest(known.times) AS time
      WHERE time > now - ${limits.windowMs} AND time <= now
    ) AS recent
  )
  RETURNING is_allowed, cardinality(times) AS counted, coalesce(times[1], asked_at) - asked_at AS oldest`;

export class PostgresRequestLimit implements RequestLimit {
  readonly requestsPerMinute: number;
  readonly #database: PostgresDatabase;
  readonly #own: MemoryRequestLimit;

  constructor(database: PostgresDatabase, requestsPerMinute: number) {
    this.#database = database;
    this.requestsPerMinute = requestsPerMinute;
    this.#own = new MemoryRequestLimit(requestsPerMinute, steadyNow);
  }

  /** While the database takes no writes, each process counts for itself, so that reads go on. */
  async take(keyId: string): Promise<Allowance> {
    try {
      return await this.#takeOfAll(keyId);
    } catch (error) {
      if (!isOfWrites(storageProblemOf(error))) throw error;
      return this.#own.take(keyId);
    }
  }

  async #takeOfAll(keyId: string): Promise<Allowance> {
    const limit = this.requestsPerMinute;
    const row = await this.#database.get(taking, keyId, limit, limit);
    if (!row) throw new Error(`The request of the key ${keyId} could not be counted.`);
    return {
      isAllowed: integer(row, 'is_allowed') === 1,
      // Another process may have a greater limit.
      remaining: Math.max(0, limit - integer(row, 'counted')),
      resetInMs: integer(row, 'oldest') + limits.windowMs,
    };
  }
}
