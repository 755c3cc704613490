// Why: one service per data folder, held by a lock of the operating system that dies with the process, however it dies.
import { DatabaseSync } from 'node:sqlite';
import { toDisposable } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import { storageProblemOf } from '../store/storageError.ts';
import { lockPath } from './dataFolder.ts';

/** Takes the folder's lock until disposed of; undefined when another process has it. */
export function takeInstanceLock(dataFolder: string): Disposable | undefined {
  const database = new DatabaseSync(lockPath(dataFolder), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (storageProblemOf(error) === 'busy') return undefined;
    throw error;
  }
  return toDisposable(() => {
    database.close();
  });
}
