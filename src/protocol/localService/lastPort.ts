// The port that a folder's service listened on last. The next one prefers it, so that copied addresses keep working.
import { open, writeFile } from 'node:fs/promises';
import { codeOf } from '../../base/reason.ts';
import { portPath } from './dataFolder.ts';

const ports = { first: 1024, last: 65_535 } as const;
/** One more than a port has, so that a longer text isn't taken for one. */
const readBytes = 6;

/** Returns the last port; 0 when none is known. Rejects when the file can't be read. */
export async function readLastPort(dataFolder: string): Promise<number> {
  const text = await readStart(portPath(dataFolder));
  const port = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  return port >= ports.first && port <= ports.last ? port : 0;
}

/** Writes the port for its user only, if it has changed. */
export async function writeLastPort(dataFolder: string, port: number): Promise<void> {
  if ((await readLastPort(dataFolder)) === port) return;
  await writeFile(portPath(dataFolder), String(port), { mode: 0o600 });
}

/** Returns the first bytes of the file; an empty text when there's none. */
async function readStart(path: string): Promise<string> {
  let file;
  try {
    file = await open(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
