// Damages pages of an SQLite file that nobody has open.
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

const pageBytes = 4096;

/** Returns the numbers of the pages that have a table's rows, without the one with the first rows, which a start reads. */
export function pagesOfRows(path: string, table: string): readonly number[] {
  const database = new DatabaseSync(path);
  try {
    return database
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
      .all(table)
      .slice(1)
      .map(({ pageno }) => Number(pageno));
  } finally {
    database.close();
  }
}

/** Overwrites pages, which are counted from 1. */
export async function damagePages(path: string, pages: readonly number[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (const page of pages)
      await file.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  } finally {
    await file.close();
  }
}
