// Finds damage in a file before it's used.
import { DatabaseSync } from 'node:sqlite';
import { StorageError, withStorage } from '../storageError.ts';

/** Reads where each table begins, which takes less than a millisecond. Throws SQLite's error when that is damaged. */
export function readTables(database: DatabaseSync): void {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) database.prepare(`SELECT * FROM "${String(name)}" LIMIT 1`).get();
}

/** Reads the whole file, about 1 GB a second. Throws a StorageError when a page is damaged. */
export function checkFile(path: string): void {
  withStorage(path, () => {
    const database = new DatabaseSync(path);
    try {
      const [row] = database.prepare('PRAGMA quick_check(1)').all();
      if (row?.['quick_check'] !== 'ok') throw new StorageError('damaged', { file: path });
    } finally {
      database.close();
    }
  });
}
