// Why: one service per data folder, held by a lock of the operating system that dies with the process, however it dies.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toDisposable } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';

const sqliteBusy = 5;

/** Takes the folder's lock until disposed of; undefined when another process has it. */
export function takeInstanceLock(dataFolder: string): Disposable | undefined {
  const database = new DatabaseSync(join(dataFolder, 'instance.lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
  return toDisposable(() => {
    database.close();
  });
}
