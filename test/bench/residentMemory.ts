import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Returns the resident memory of a process in MB, as the machine sees it. */
export async function residentMemory(pid: number): Promise<number> {
  return ((await readKilobytes(pid)) * 1024) / 1_000_000;
}

async function readKilobytes(pid: number): Promise<number> {
  if (process.platform === 'linux')
    return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout);
}
