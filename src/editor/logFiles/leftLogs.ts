// The folders of the windows' log files, and what a window that was killed left over of them.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Milliseconds. Another machine's folder that nobody has written to for so long is left over. */
const abandonedAfterMs = 7 * 24 * 60 * 60 * 1000;

/** The folder of all windows' log files in the extension's storage. */
export const logsFolder = (storage: string): string => join(storage, 'logs');

/** Returns a name for a folder that this process uses. It says so to other windows. */
export function ownFolderName(): string {
  return `${machineName()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Deletes the files of windows that are gone. What can't be deleted now is left to the next start. */
export async function deleteLeftLogs(storage: string): Promise<void> {
  const folder = logsFolder(storage);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    try {
      if (await isAbandoned(name, path)) await rm(path, { recursive: true, force: true });
    } catch {
      // Another window deletes it at the same time, or this user may not.
    }
  }
}

function machineName(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/**
 * True if the window that used the folder is gone. A process of another machine can't be asked; only its folder's age counts. A folder with
 * this process's id may be of an earlier process that had the same id.
 */
async function isAbandoned(name: string, path: string): Promise<boolean> {
  const [, machine, pid] = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{8}$/.exec(name) ?? [];
  const isOfThisMachine = machine === machineName();
  if (isOfThisMachine && Number(pid) !== process.pid) return !isRunning(Number(pid));
  const { mtimeMs } = await stat(path);
  const ageMs = Date.now() - mtimeMs;
  return ageMs > (isOfThisMachine ? process.uptime() * 1000 : abandonedAfterMs);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
