// The search's index on PostgreSQL: the texts, and where pg_trgm could be created, an index of their trigrams.
import type { Sql, Transaction } from '../database.ts';
import { integer, nullableInteger, repeatedly } from '../rows.ts';
import { type IndexedPart, type SearchIndex, toIndexed } from '../search/searchIndex.ts';
import { storeSchema } from './pool.ts';
import { trigramIndex } from './schema.ts';

/** How many of the newest positions are read without the index, which would read all parts with a frequent text. */
const readNewest = 1024;

export class PostgresSearchIndex implements SearchIndex {
  // What a transaction costs besides its rows is shared by as many as others can wait for.
  readonly step = { executions: 128, units: 128 * 1024 };

  async isAvailable(sql: Sql): Promise<boolean> {
    const row = await sql.get(
      `SELECT CAST(to_regclass('${storeSchema}.${trigramIndex}') IS NOT NULL AS INTEGER) AS there`,
    );
    return row?.['there'] === 1;
  }

  add(transaction: Transaction, parts: readonly IndexedPart[]): void {
    if (parts.length === 0) return;
    // What a crash of the database takes away is in the queue again.
    transaction.write('SET LOCAL synchronous_commit TO off');
    transaction.write(
      `INSERT INTO search_texts (position, part, text) VALUES ${repeatedly('(?, ?, ?)', parts.length)}`,
      ...parts.flatMap(({ position, part, text }) => [position, part, toIndexed(text)]),
    );
  }

  async propose(sql: Sql, folded: string, before: number, limit: number): Promise<readonly number[]> {
    const pattern = `%${toIndexed(folded).replace(/[\\%_]/g, '\\$&')}%`;
    const row = await sql.get('SELECT max(position) AS newest FROM search_texts WHERE position < ?', before);
    const newest = row && nullableInteger(row, 'newest');
    if (typeof newest !== 'number') return [];
    const rows = await sql.all(
      `SELECT position FROM search_texts WHERE position > ? AND position <= ? AND text LIKE ?
       ORDER BY position DESC LIMIT ?`,
      newest - readNewest,
      newest,
      pattern,
      limit,
    );
    if (rows.length < limit) {
      // Materialized, so that the index of trigrams is used however rare the text is.
      const older = await sql.all(
        `WITH found AS MATERIALIZED (SELECT position FROM search_texts WHERE text LIKE ?)
         SELECT position FROM found WHERE position <= ? ORDER BY position DESC LIMIT ?`,
        pattern,
        newest - readNewest,
        limit - rows.length,
      );
      return [...rows, ...older].map((each) => integer(each, 'position'));
    }
    return rows.map((each) => integer(each, 'position'));
  }

  /** The database does it by itself. */
  tidy(): Promise<void> {
    return Promise.resolve();
  }
}
