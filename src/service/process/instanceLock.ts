// One service per data folder, held by a lock of the operating system that dies with the process, however it dies.
import { DatabaseSync } from 'node:sqlite';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { storageProblemOf, withStorage } from '../store/storageError.ts';
import { lockPath } from '../../protocol/localService/dataFolder.ts';
import { readInstance } from '../../protocol/localService/instanceFile.ts';

/** Another service works on the folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/** Takes the folder's lock until disposed of. Rejects with an AlreadyRunningError that names the other one's address, or a StorageError. */
export async function takeInstanceLock(dataFolder: string): Promise<Disposable> {
  const lock = withStorage(lockPath(dataFolder), () => tryLock(lockPath(dataFolder)));
  if (lock) return lock;
  const instance = await readInstance(dataFolder);
  const where = instance ? ` at ${instance.baseUrl}` : '';
  throw new AlreadyRunningError(`A service is already running on this data folder${where}.`);
}

/** undefined when another process has it. */
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
