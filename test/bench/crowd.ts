// How soon the local service begins with a quick workflow beside executions of others that hang or compute slowly.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/base/json.ts';
import { chain, createDeployed, execute, follow, type Service, textAt } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProgram,
} from '../service/process/program.ts';
import { executeMany } from '../service/process/underWay.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const quickOnes = 20;
const start = ['start', 'trigger'] as const;
const quick = chain(start, ['answer', 'output', { expression: '1' }]);
const aim = 'at most 2,000 ms';

/** A loop whose iterations take about 100 ms each. */
const slow: JsonObject = {
  name: 'Slow',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'each', type: 'forEach', config: { items: '[1..1000]' } },
    { id: 'work', type: 'transform', config: { expression: '$count([1..30000].($ * $))' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'work', branch: 'each' },
  ],
};

async function executeAll(service: Service, definition: JsonObject, count: number): Promise<void> {
  await executeMany(service, await createDeployed(service, definition), count);
}

/** From each request to execute until the first node has begun, in milliseconds. */
async function timesToBegin(service: Service): Promise<readonly number[]> {
  const workflowId = await createDeployed(service, quick);
  const times: number[] = [];
  for (let count = 0; count < quickOnes; count += 1) {
    const asked = Date.now();
    const [row] = await follow(service, await execute(service, workflowId, {}));
    times.push(Date.parse(textAt(row, 'timestamp')) - asked);
  }
  return times;
}

/** Runs the crowd on a service of its own. */
async function beside(crowd: (service: Service) => Promise<void>): Promise<readonly number[]> {
  const dataFolder = await createDataFolder();
  const program = await startProgram(dataFolder, '--requests-per-minute', '1000000');
  try {
    const service = serviceOf(program, await createKey(dataFolder));
    await crowd(service);
    return await timesToBegin(service);
  } finally {
    await program.kill();
    await removeDataFolder(dataFolder);
  }
}

export const crowd: Benchmark = {
  name: 'Crowd: the first node of a quick workflow',
  async measure() {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hanging = chain(start, ['ask', 'httpRequest', { url, timeoutMs: 120_000 }]);
    const alone = 'beside nothing';
    const figures: Figure[] = [{ name: alone, values: await beside(() => Promise.resolve()), unit: 'ms' }];
    const crowds: Readonly<Record<string, (service: Service) => Promise<void>>> = {
      'beside 70 that hang': (service) => executeAll(service, hanging, 70),
      'beside 1,000 that hang': (service) => executeAll(service, hanging, 1000),
      'beside 20 × 20 that hang': async (service) => {
        for (let count = 0; count < 20; count += 1) await executeAll(service, hanging, 20);
      },
      'beside 70 slow loops': (service) => executeAll(service, slow, 70),
    };
    for (const [name, make] of Object.entries(crowds))
      figures.push({ name, values: await beside(make), unit: 'ms', comparedTo: alone, aim });
    server.closeAllConnections();
    server.close();
    return figures;
  },
};
