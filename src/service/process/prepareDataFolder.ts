import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownNames, setAsidePrefix } from '../../protocol/localService/dataFolder.ts';

/**
 * Makes the data folder where there is none, and leaves what the service keeps in it to its user alone, also where it was
 * there before. A folder that holds other files as well keeps its own rights; only the service's files are closed.
 */
export function prepareDataFolder(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const names = readdirSync(dataFolder);
  const own = names.filter((name) => ownNames.some((begin) => name.startsWith(begin)));
  if (own.length === names.length) close(dataFolder, 0o700);
  for (const name of own) close(join(dataFolder, name), name.startsWith(setAsidePrefix) ? 0o700 : 0o600);
}

/** Closes only what belongs to the user of this process; a link's target may be anything. */
function close(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
}
