// How soon a retry begins its first new node run, beside an execution its first, and how soon a cancelled execution has ended.
import { serve } from '../support/servers.ts';
import {
  call,
  createDeployed,
  execute,
  follow,
  followUntil,
  type Service,
  textAt,
} from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProgram,
} from '../service/process/program.ts';
import { type Benchmark, median } from './benchmark.ts';

const rounds = 60;
const [few, many] = [2, 10_000];

const start = { id: 'start', type: 'trigger' };

/** The loop asks the server in its last turn only. */
const loopOf = (turns: number, url: string) => ({
  name: `Loop of ${turns}`,
  nodes: [
    start,
    { id: 'all', type: 'forEach', config: { items: `[1..${turns}]` } },
    { id: 'isLast', type: 'condition', config: { expression: `item = ${turns}` } },
    { id: 'ask', type: 'httpRequest', config: { url } },
  ],
  edges: [
    { source: 'start', target: 'all' },
    { source: 'all', target: 'isLast', branch: 'each' },
    { source: 'isLast', target: 'ask', branch: 'true' },
  ],
});
const oneCall = (url: string) => ({
  name: 'One',
  nodes: [start, { id: 'ask', type: 'httpRequest', config: { url } }],
  edges: [{ source: 'start', target: 'ask' }],
});
const oneDelay = {
  name: 'Delay',
  nodes: [start, { id: 'rest', type: 'delay', config: { milliseconds: 600_000 } }],
  edges: [{ source: 'start', target: 'rest' }],
};

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const retries: Benchmark = {
  name: 'Retry and cancel, on the local service',
  async measure() {
    let heard: () => void = () => undefined;
    let closed: () => void = () => undefined;
    const server = await serve(({ url = '' }, response) => {
      heard();
      response.on('close', () => closed());
      if (url === '/failing') response.writeHead(500).end();
    });
    const origin = `http://127.0.0.1:${server.port}`;
    const dataFolder = await createDataFolder();
    const program = await startProgram(dataFolder, '--requests-per-minute', '1000000');
    try {
      const service = serviceOf(program, await createKey(dataFolder));
      /** Milliseconds until the server hears of what the call begins; the execution then ends. */
      const measureFirst = async (begin: () => Promise<string>): Promise<number> => {
        const came = new Promise<void>((resolve) => (heard = resolve));
        const began = performance.now();
        const beginning = begin();
        await came;
        const took = performance.now() - began;
        await follow(service, await beginning);
        return took;
      };
      const retry = async (executionId: string): Promise<string> =>
        textAt(
          (await call(service, 'POST', `/v1/executions/${executionId}/retry`)).body,
          ...['executionIds', 0],
        );
      const one = await createDeployed(service, oneCall(`${origin}/failing`));
      const short = await createDeployed(service, loopOf(few, `${origin}/failing`));
      const long = await createDeployed(service, loopOf(many, `${origin}/failing`));
      const failed = await execute(service, one, {});
      const failedShort = await execute(service, short, {});
      const failedLong = await execute(service, long, {});
      for (const executionId of [failed, failedShort, failedLong]) await follow(service, executionId);
      const executed: number[] = [];
      const retried: number[] = [];
      const retriedShort: number[] = [];
      const retriedLong: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        executed.push(await measureFirst(() => execute(service, one, {})));
        retried.push(await measureFirst(() => retry(failed)));
        retriedShort.push(await measureFirst(() => retry(failedShort)));
        retriedLong.push(await measureFirst(() => retry(failedLong)));
      }
      const delay = await createDeployed(service, oneDelay);
      const held = await createDeployed(service, oneCall(`${origin}/held`));
      const delays: number[] = [];
      const requests: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const waiting = await execute(service, delay, {});
        await followUntil(service, waiting, ({ status }) => status === 'waiting');
        delays.push(await measureCancel(service, waiting, Promise.resolve()));
        const came = new Promise<void>((resolve) => (heard = resolve));
        const ended = new Promise<void>((resolve) => (closed = resolve));
        const asking = await execute(service, held, {});
        await came;
        requests.push(await measureCancel(service, asking, ended));
      }
      const base = 'execute to the first request of a node';
      return [
        { name: base, values: [median(executed)], unit: 'ms' },
        {
          name: 'retry to the first request of a node',
          values: [median(retried)],
          unit: 'ms',
          comparedTo: base,
          aim: 'at most 1.2 ×',
        },
        {
          name: 'retry in the second turn of a loop',
          values: [median(retriedShort)],
          unit: 'ms',
          comparedTo: base,
        },
        {
          name: `retry in turn ${many.toLocaleString('en-US')} of a loop`,
          values: [median(retriedLong)],
          unit: 'ms',
          comparedTo: base,
          aim: 'at most 1.2 ×',
        },
        {
          name: 'cancel to the end of a delay, 99 of 100',
          values: [percentile(delays, 0.99)],
          unit: 'ms',
          aim: 'at most 1,000',
        },
        {
          name: 'cancel to the end of a request, 99 of 100',
          values: [percentile(requests, 0.99)],
          unit: 'ms',
          aim: 'at most 1,000',
        },
      ];
    } finally {
      await program.terminate();
      await removeDataFolder(dataFolder);
      await server.close();
    }
  },
};

/** Milliseconds until the execution is cancelled and `ended` has happened. */
async function measureCancel(service: Service, executionId: string, ended: Promise<void>): Promise<number> {
  const began = performance.now();
  await call(service, 'POST', `/v1/executions/${executionId}/cancel`);
  await follow(service, executionId);
  await ended;
  return performance.now() - began;
}
