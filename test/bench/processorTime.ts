import { readdir, readFile } from 'node:fs/promises';

/** Linux counts processor time in these, whatever the machine. */
const ticksPerSecond = 100;

/** Returns the processor time that a process and its children have taken, in milliseconds; NaN where the machine isn't Linux. */
export async function readProcessorTimeOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const times = await Promise.all(
    processes.map(async (name) => {
      // One may have ended meanwhile; then its parent has its time.
      const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent, user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map(
        (at) => fields[at],
      );
      if (name === String(pid)) return user + system + ofEnded + systemOfEnded;
      return parent === pid ? user + system : 0;
    }),
  );
  return (times.reduce((sum, time) => sum + time, 0) / ticksPerSecond) * 1000;
}
