// What a turn of a loop costs among many turns, and what others wait meanwhile: the local service as a process of its own.
import { setTimeout as pause } from 'node:timers/promises';
import { call, createDeployed, execute, follow, type Service } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProgram,
} from '../service/process/program.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const few = 100;
const many = 10_000;
const askEveryMs = 25;

const definition = {
  name: 'A loop with a delay',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'all', type: 'forEach', config: { items: 'input.items', result: 'index' } },
    { id: 'wait', type: 'delay', config: { milliseconds: 1 } },
    { id: 'answer', type: 'output', config: { expression: '$count(nodes.all)' } },
  ],
  edges: [
    { source: 'start', target: 'all' },
    { source: 'all', target: 'wait', branch: 'each' },
    { source: 'all', target: 'answer', branch: 'done' },
  ],
};

/** Milliseconds a turn, from the execution's own times. */
async function costOfTurn(service: Service, workflowId: string, turns: number): Promise<number> {
  const items = Array.from({ length: turns }, (_item, index) => index);
  const executionId = await execute(service, workflowId, { items });
  await follow(service, executionId);
  const { body } = await call(service, 'GET', `/v1/executions/${executionId}`);
  return Number(body['durationMs']) / turns;
}

/** Asks for the list of workflows again and again; answers how long each answer took, in milliseconds. */
async function askMeanwhile(service: Service, work: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const over = new AbortController();
  const end = (): void => over.abort();
  work.then(end, end);
  while (!over.signal.aborted) {
    const began = performance.now();
    await call(service, 'GET', '/v1/workflows');
    times.push(performance.now() - began);
    await pause(askEveryMs);
  }
  return times.sort((one, other) => one - other);
}

export const loops: Benchmark = {
  name: 'Loops of the local service, with a delay of 1 ms a turn',
  async measure() {
    const dataFolder = await createDataFolder();
    const program = await startProgram(dataFolder, '--requests-per-minute', '1000000');
    try {
      const service = serviceOf(program, await createKey(dataFolder));
      const workflowId = await createDeployed(service, definition);
      const short: number[] = [];
      for (let round = 0; round < 5; round += 1) short.push(await costOfTurn(service, workflowId, few));
      const long = costOfTurn(service, workflowId, many);
      const times = await askMeanwhile(service, long);
      const figures: readonly Figure[] = [
        { name: `a turn among ${few}`, values: short, unit: 'ms' },
        {
          name: `a turn among ${many}`,
          values: [await long],
          unit: 'ms',
          comparedTo: `a turn among ${few}`,
          aim: 'at most 1.5 ×',
        },
        {
          name: 'others wait meanwhile, p99',
          values: [times[Math.floor(times.length * 0.99)] ?? Number.NaN],
          unit: 'ms',
          aim: 'under 100 ms',
        },
      ];
      return figures;
    } finally {
      await program.kill();
      await removeDataFolder(dataFolder);
    }
  },
};
