import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the resident memory of a process in MB, as the machine sees it. */
export async function residentMemory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return (Number(stdout) * 1024) / 1_000_000;
}
