// Data that cannot be used make room for new ones; they are kept, so that what is in them can still be saved.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { StorageError, withStorage } from '../store/storageError.ts';
import { databasePath, dataFiles, lockPath, setAsidePrefix } from '../../protocol/localService/dataFolder.ts';
import { prepareDataFolder } from './prepareDataFolder.ts';
import { takeInstanceLock } from './instanceLock.ts';

/**
 * Moves the data to a folder beside them that has the date in its name, and answers its path. Nothing is deleted.
 * Rejects with an AlreadyRunningError while a service works on them, or a StorageError.
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

/** A lock file that is none keeps nobody out, and is set aside as well. */
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
