// Allows one service per data folder. The operating system releases the lock when the process ends for any reason.
import { DatabaseSync } from 'node:sqlite';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { storageProblemOf, withStorage } from '../store/storageError.ts';
import { lockPath } from '../../protocol/localService/dataFolder.ts';
import { readInstance } from '../../protocol/localService/instance.ts';

/** Another service uses the data folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/** Locks the folder until disposed. Rejects with an AlreadyRunningError that names the other service's address, or a StorageError. */
export async function takeInstanceLock(dataFolder: string): Promise<Disposable> {
  const lock = withStorage(lockPath(dataFolder), () => tryLock(lockPath(dataFolder)));
  if (lock) return lock;
  const instance = await readInstance(dataFolder);
  const where = instance ? ` at ${instance.baseUrl}` : '';
  throw new AlreadyRunningError(`A service is already running on this data folder${where}.`);
}

/** Returns undefined when another process holds the lock. */
function tryLock(path: string): Disposable | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (storageProblemOf(error) === 'busy') return undefined;
    throw error;
  }
  return toDisposable(() => database.close());
}
