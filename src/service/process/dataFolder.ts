// What the service keeps in its folder, for its user alone.
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const databaseName = 'service.db';

/** The files that hold the data. */
export const dataFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const;

/** How the folders begin that data were moved to. */
export const setAsidePrefix = 'set-aside-';

/** By how the names begin: a file that is being written ends in more. */
const ownNames = [databaseName, 'service.log', 'instance.lock', 'instance.json', setAsidePrefix];

/** The database of a data folder. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, databaseName);
}

/** Where the lock of the folder is. */
export function lockPath(dataFolder: string): string {
  return join(dataFolder, 'instance.lock');
}

/**
 * Makes the folder where there is none, and takes from all but its user the right to what of the service is in it, also
 * where it was there before. A folder that holds other files as well stays as it is; only its files of ours are closed.
 */
export function prepareDataFolder(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const names = readdirSync(dataFolder);
  const own = names.filter((name) => ownNames.some((begin) => name.startsWith(begin)));
  if (own.length === names.length) close(dataFolder, 0o700);
  for (const name of own) close(join(dataFolder, name), name.startsWith(setAsidePrefix) ? 0o700 : 0o600);
}

/** Only what belongs to the user of this process; a link's target may be anything. */
function close(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
}
