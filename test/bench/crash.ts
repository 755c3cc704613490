// How soon the local service answers after it was killed with executions under way, beside a start with none.
import { call, createDeployed } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProgram,
} from '../service/process/program.ts';
import { executeMany, resting } from '../service/process/underWay.ts';
import type { Benchmark } from './benchmark.ts';

const rounds = 7;
const underWay = 30;

/** From the start of the process to its first list, in milliseconds, after it was killed with so many executions under way. */
async function timeToFirstAnswer(count: number): Promise<number> {
  const dataFolder = await createDataFolder();
  const key = await createKey(dataFolder);
  const before = await startProgram(dataFolder);
  try {
    const service = serviceOf(before, key);
    await executeMany(service, await createDeployed(service, resting), count);
  } finally {
    await before.kill();
  }
  const began = performance.now();
  const program = await startProgram(dataFolder);
  try {
    await call(serviceOf(program, key), 'GET', '/v1/executions?limit=50');
    return performance.now() - began;
  } finally {
    await program.kill();
    await removeDataFolder(dataFolder);
  }
}

export const crash: Benchmark = {
  name: 'Start of the local service, to the first answer',
  async measure() {
    const empty: number[] = [];
    const crashed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      empty.push(await timeToFirstAnswer(0));
      crashed.push(await timeToFirstAnswer(underWay));
    }
    return [
      { name: 'with nothing under way', values: empty, unit: 'ms' },
      {
        name: `after a kill with ${underWay} executions under way`,
        values: crashed,
        unit: 'ms',
        comparedTo: 'with nothing under way',
        aim: 'at most 1.5 ×',
      },
    ];
  },
};
