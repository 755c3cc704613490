// The search's index on SQLite: FTS5 with the trigrams of each part, and without the texts.
import type { Sql, Transaction } from '../database.ts';
import { integer } from '../rows.ts';
import { type IndexedPart, maximumParts, type SearchIndex, toIndexed } from '../search/searchIndex.ts';

/** How many trigrams of a text are looked for: more hardly narrow it down. */
const maximumTrigrams = 32;
/** How many pages of the index a merge writes. */
const mergedPages = 8;

export class SqliteSearchIndex implements SearchIndex {
  // A few milliseconds of the thread that serves others.
  readonly step = { executions: 32, units: 32 * 1024 };

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  add(transaction: Transaction, parts: readonly IndexedPart[]): void {
    for (const { position, part, text } of parts) {
      transaction.write(
        'INSERT INTO search_index (rowid, text) VALUES (?, ?)',
        position * maximumParts + part,
        toIndexed(text),
      );
      if (part > 0)
        transaction.write('INSERT INTO search_parts (position, part) VALUES (?, ?)', position, part);
    }
  }

  async propose(sql: Sql, folded: string, before: number, limit: number): Promise<readonly number[]> {
    const rows = await sql.all(
      `SELECT rowid / ${maximumParts} AS position FROM search_index
       WHERE search_index MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
      trigramsOf(toIndexed(folded)),
      Math.min(before * maximumParts, Number.MAX_SAFE_INTEGER),
      limit,
    );
    return rows.map((row) => integer(row, 'position'));
  }

  tidy(transaction: Transaction): Promise<void> {
    transaction.write(`INSERT INTO search_index (search_index, rank) VALUES ('merge', ${mergedPages})`);
    return Promise.resolve();
  }
}

/** Returns the query for parts with all trigrams of a text of three characters or more. */
function trigramsOf(text: string): string {
  const characters = Array.from(text);
  const trigrams = new Set(
    characters
      .slice(0, maximumTrigrams)
      .flatMap((_character, at) =>
        at + 3 > characters.length ? [] : [characters.slice(at, at + 3).join('')],
      ),
  );
  return Array.from(trigrams, (trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}
