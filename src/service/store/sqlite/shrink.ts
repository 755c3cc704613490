// A file from before pages could be given back is rewritten once where that is worth it; from then on it shrinks step by step.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteDatabase } from './database.ts';

/** So much stays free in the file for what comes next. */
const sparePages = 256;
/** `PRAGMA auto_vacuum` of a file that can give single pages back. */
const incremental = 2;
/** Rewriting holds up everybody, about a second for 100 MB: only where much is free, in a file that is not too large. */
const rewriting = { leastFreePages: 2000, leastFreeShare: 0.25, mostBytes: 256 * 1024 * 1024 } as const;

/** Gives free pages back, at most so many; false when there were none to give back. */
export function shrinkFile(database: SqliteDatabase, path: string, pages: number): boolean {
  const free = pragma(database, 'freelist_count');
  if (free <= sparePages) return false;
  if (pragma(database, 'auto_vacuum') === incremental) {
    database.execute(`PRAGMA incremental_vacuum(${Math.min(pages, free - sparePages)})`);
    return true;
  }
  if (!isWorthRewriting(database, path, free)) return false;
  database.execute('PRAGMA auto_vacuum = INCREMENTAL');
  database.execute('VACUUM');
  return true;
}

function isWorthRewriting(database: SqliteDatabase, path: string, free: number): boolean {
  const pages = pragma(database, 'page_count');
  const bytes = pages * pragma(database, 'page_size');
  const isMuch = free >= rewriting.leastFreePages && free >= pages * rewriting.leastFreeShare;
  if (!isMuch || bytes > rewriting.mostBytes || path === ':memory:') return false;
  const disk = statfsSync(dirname(path));
  // Once for the copy, once for the log that it goes through.
  return disk.bavail * disk.bsize > 3 * bytes;
}

function pragma(database: SqliteDatabase, name: string): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}
