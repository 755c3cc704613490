// The memory of the local service, started as a window starts it, some seconds after many quick executions, and how fast they were.
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeOptions } from '../../src/launcher/spawnedService.ts';
import { createDeployed, textAt } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProcess,
} from '../service/process/program.ts';
import type { Benchmark } from './benchmark.ts';
import { Calls, definition, execute } from './load.ts';
import { residentMemory } from './residentMemory.ts';

const rounds = 3;
const executions = 2000;
const restMs = 5000;
const program = fileURLToPath(new URL('../../dist/service.js', import.meta.url));

/** Returns the memory at the start and at rest, in MB, and the executions in a second. */
async function measure(options: readonly string[]) {
  const dataFolder = await createDataFolder();
  const words = ['serve', '--data', dataFolder, '--port', '0', '--requests-per-minute', '1000000'];
  const { line, child, ...running } = await startProcess(words, [...options], {}, program);
  try {
    const memoryNow = () => residentMemory(child.pid ?? 0);
    const start = await memoryNow();
    const baseUrl = textAt(line, 'baseUrl');
    const service = serviceOf({ ...running, child, baseUrl }, await createKey(dataFolder));
    const rate = await execute(new Calls(service), await createDeployed(service, definition), executions);
    await pause(restMs);
    return { start, rate, rest: await memoryNow() };
  } finally {
    await running.kill();
    await removeDataFolder(dataFolder);
  }
}

export const memory: Benchmark = {
  name: `Memory of the local service, ${restMs / 1000} s after ${executions} quick executions`,
  async measure() {
    const own = [];
    const plain = [];
    // In turn, so that both meet the same machine.
    for (let round = 0; round < rounds; round += 1) {
      own.push(await measure(nodeOptions));
      plain.push(await measure([]));
    }
    const [without, pace] = ["without Node's options", "their pace without Node's options"];
    return [
      { name: 'at the start', values: own.map(({ start }) => start), unit: 'MB' },
      { name: without, values: plain.map(({ rest }) => rest), unit: 'MB' },
      {
        name: 'as a window starts it',
        values: own.map(({ rest }) => rest),
        unit: 'MB',
        comparedTo: without,
        aim: 'at most 250 MB',
      },
      { name: pace, values: plain.map(({ rate }) => rate), unit: 'a second' },
      {
        name: 'their pace as a window starts it',
        values: own.map(({ rate }) => rate),
        unit: 'a second',
        comparedTo: pace,
      },
    ];
  },
};
