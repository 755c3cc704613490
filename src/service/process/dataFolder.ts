// The service's data folder: prepared, used by one service at a time, set aside when it's unusable, and emptied.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { lockFile } from '../../base/sqlite.ts';
import type { LocalDataCounts } from '../../domain/localData.ts';
import {
  damagePath,
  databasePath,
  dataFiles,
  lockPath,
  logPath,
  ownNames,
  setAsidePrefix,
} from '../../protocol/localService/dataFolder.ts';
import { checkFile } from '../store/sqlite/damage.ts';
import { countRecords } from '../store/sqlite/countRecords.ts';
import { StorageError, storageProblemOf, withStorage } from '../store/storageError.ts';
import { readInstance } from '../../protocol/localService/instance.ts';

/**
 * Creates the data folder if it's missing, and restricts the service's files in it to the user, including existing ones. A folder that also
 * contains other files keeps its permissions; only the service's files are restricted. Throws the system's error if that isn't possible,
 * for example on a read-only disk.
 */
export function prepareDataFolder(dataFolder: string): void {
  refuseReadOnlyDisk(dataFolder);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const names = readdirSync(dataFolder);
  const own = names.filter((name) => ownNames.some((begin) => name.startsWith(begin)));
  if (own.length === names.length) restrict(dataFolder, 0o700);
  for (const name of own) restrict(join(dataFolder, name), name.startsWith(setAsidePrefix) ? 0o700 : 0o600);
}

/** SQLite reports a read-only disk as missing rights, and Node as a missing folder. Missing rights are left to SQLite, which knows what it needs. */
function refuseReadOnlyDisk(dataFolder: string): void {
  let existing = resolve(dataFolder);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
  } catch (error) {
    if (storageProblemOf(error) === 'readOnly') throw error;
  }
}

/** Restricts only files that the process's user owns; links are skipped because their target can be anything. */
function restrict(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
}

/** Another service uses the data folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/**
 * Locks the folder until disposed; the operating system releases the lock when the process ends for any reason. Rejects with an
 * AlreadyRunningError that names the other service's address, or a StorageError.
 */
export async function takeInstanceLock(dataFolder: string): Promise<Disposable> {
  const lock = withStorage(lockPath(dataFolder), () => lockFile(lockPath(dataFolder)));
  if (lock) return lock;
  const instance = await readInstance(dataFolder);
  const where = instance ? ` at ${instance.baseUrl}` : '';
  throw new AlreadyRunningError(`A service is already running on this data folder${where}.`);
}

/** Makes the next start check the whole database. */
export function noteDamage(dataFolder: string): void {
  writeFileSync(damagePath(dataFolder), '', { mode: 0o600 });
}

/** Checks the whole database if the service has found damage before. Throws a StorageError unless it was replaced or repaired. */
export function checkNotedDamage(dataFolder: string): void {
  if (!existsSync(damagePath(dataFolder))) return;
  if (existsSync(databasePath(dataFolder))) checkFile(databasePath(dataFolder));
  rmSync(damagePath(dataFolder));
}

/**
 * Moves unusable data to a subfolder with the date in its name and returns its path, so that the service can start with a new store. Nothing
 * is deleted.
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

/** Deletes the data, but not what was set aside. Rejects with an AlreadyRunningError while a service uses it, or with a StorageError. */
export async function deleteData(dataFolder: string): Promise<void> {
  withStorage(dataFolder, () => prepareDataFolder(dataFolder));
  const lock = await lockUnlessDamaged(dataFolder);
  try {
    withStorage(databasePath(dataFolder), () => {
      for (const name of dataFiles) rmSync(join(dataFolder, name), { force: true });
      for (const path of [logPath(dataFolder), ...(lock ? [] : [lockPath(dataFolder)])])
        rmSync(path, { force: true });
    });
  } finally {
    lock?.dispose();
  }
}

/** Returns how much is in the folder, also while a service uses it; undefined if it can't be read. */
export function countData(dataFolder: string): LocalDataCounts | undefined {
  return countRecords(databasePath(dataFolder));
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
