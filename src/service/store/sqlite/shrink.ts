// Returns the free pages of the file to the disk.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteDatabase } from './sqliteDatabase.ts';

/** The number of free pages to keep for further writes. */
const sparePages = 256;
/** The value of `PRAGMA auto_vacuum` for a file that can return single pages. */
const incremental = 2;
/** Rewriting blocks the service for about a second per 100 MB, so it needs many free pages in a file that isn't too large. */
const rewriting = { leastFreePages: 2000, leastFreeShare: 0.25, mostBytes: 256 * 1024 * 1024 } as const;

/**
 * Returns at most `pages` free pages to the disk; false when there were none to return. A file without incremental vacuum is rewritten once
 * if that's worth it.
 */
export async function shrinkFile(database: SqliteDatabase, path: string, pages: number): Promise<boolean> {
  const free = await pragma(database, 'freelist_count');
  if (free <= sparePages) return false;
  if ((await pragma(database, 'auto_vacuum')) === incremental) {
    await database.execute(`PRAGMA incremental_vacuum(${Math.min(pages, free - sparePages)})`);
    return true;
  }
  if (!(await isWorthRewriting(database, path, free))) return false;
  await database.execute('PRAGMA auto_vacuum = INCREMENTAL');
  await database.execute('VACUUM');
  return true;
}

async function isWorthRewriting(database: SqliteDatabase, path: string, free: number): Promise<boolean> {
  const pages = await pragma(database, 'page_count');
  const bytes = pages * (await pragma(database, 'page_size'));
  const isMuch = free >= rewriting.leastFreePages && free >= pages * rewriting.leastFreeShare;
  if (!isMuch || bytes > rewriting.mostBytes || path === ':memory:') return false;
  const disk = statfsSync(dirname(path));
  // VACUUM needs space for a copy and for the write-ahead log, plus a reserve.
  return disk.bavail * disk.bsize > 3 * bytes;
}

async function pragma(database: SqliteDatabase, name: string): Promise<number> {
  return Number((await database.get(`PRAGMA ${name}`))?.[name]);
}
