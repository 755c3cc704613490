// A process that watches the memory of another one until its stdin ends, and then says by how many megabytes it has grown at most.
import { setTimeout as pause } from 'node:timers/promises';
import { residentMemory } from './residentMemory.ts';

const everyMs = 100;
const pid = Number(process.argv[2]);

const before = await residentMemory(pid);
let highest = before;
const over = new AbortController();
process.stdin.on('end', () => over.abort()).resume();
process.stdout.write(`${before}\n`);
while (!over.signal.aborted) {
  highest = Math.max(highest, await residentMemory(pid));
  await pause(everyMs);
}
process.stdout.write(`${highest - before}\n`);
