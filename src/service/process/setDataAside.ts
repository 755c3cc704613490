// Moves unusable data aside, so that the service can start with a new store and the old data can still be recovered.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { StorageError, withStorage } from '../store/storageError.ts';
import { databasePath, dataFiles, lockPath, setAsidePrefix } from '../../protocol/localService/dataFolder.ts';
import { prepareDataFolder } from './prepareDataFolder.ts';
import { takeInstanceLock } from './instanceLock.ts';

/**
 * Moves the data to a subfolder with the date in its name and returns its path. Nothing is deleted.
 * Rejects with an AlreadyRunningError while a service uses the data, or with a StorageError.
 */
export async function setDataAside(dataFolder: string, now: Date): Promise<string> {
  withStorage(dataFolder, () => prepareDataFolder(dataFolder));
  const lock = await lockUnlessDamaged(dataFolder);
  try {
    return withStorage(databasePath(dataFolder), () => {
      const target = createFolder(
        join(dataFolder, setAsidePrefix + now.toISOString().replace(/:|\.\d+/g, '')),
      );
      const files = dataFiles.map((name) => join(dataFolder, name));
      for (const file of [...files, ...(lock ? [] : [lockPath(dataFolder)])])
        if (existsSync(file)) renameSync(file, join(target, basename(file)));
      return target;
    });
  } finally {
    lock?.dispose();
  }
}

/** Returns undefined when the lock file itself is damaged; it's moved aside as well. */
async function lockUnlessDamaged(dataFolder: string): Promise<Disposable | undefined> {
  try {
    return await takeInstanceLock(dataFolder);
  } catch (error) {
    if (error instanceof StorageError && error.isDamage) return undefined;
    throw error;
  }
}

function createFolder(path: string): string {
  for (let number = 1; ; number += 1) {
    const target = number === 1 ? path : `${path}-${number}`;
    if (existsSync(target)) continue;
    mkdirSync(target, { mode: 0o700 });
    return target;
  }
}
