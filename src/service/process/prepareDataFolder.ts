import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownNames, setAsidePrefix } from '../../protocol/localService/dataFolder.ts';

/**
 * Creates the data folder if it's missing and restricts the service's files in it to the user, including existing ones. A folder that
 * also contains other files keeps its permissions; only the service's files are restricted.
 */
export function prepareDataFolder(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const names = readdirSync(dataFolder);
  const own = names.filter((name) => ownNames.some((begin) => name.startsWith(begin)));
  if (own.length === names.length) close(dataFolder, 0o700);
  for (const name of own) close(join(dataFolder, name), name.startsWith(setAsidePrefix) ? 0o700 : 0o600);
}

/** Restricts only files that the process's user owns; links are skipped because their target can be anything. */
function close(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
}
