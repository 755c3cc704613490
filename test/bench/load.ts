// 2,000 executions from 12 clients of the local service, and what a list costs beside them.
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../src/base/json.ts';
import { chain, createDeployed, listAt, type Service } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  serviceOf,
  startProgram,
} from '../service/process/program.ts';
import type { Benchmark } from './benchmark.ts';

const rounds = 5;
const clientCount = 12;
const executions = 2000;
const warmUp = 100;
const listsAlone = 400;
const askEveryMs = 25;

export const definition = chain(
  ['start', 'trigger'],
  ['change', 'transform', { expression: '{"number": input.number + 1}' }],
  ['say', 'log', { message: 'Got {{ nodes.change.number }}' }],
  ['answer', 'output', { expression: 'nodes.change.number' }],
);

/** Counts calls that fail. It doesn't check answers otherwise, since that would take the time of the service. */
export class Calls {
  failed = 0;
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Returns the answer's text. */
  async ask(method: string, path: string, body?: string): Promise<string> {
    const response = await this.#service.app.request(path, {
      method,
      headers: { Authorization: `Bearer ${this.#service.key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) this.failed += 1;
    return response.text();
  }

  /** Returns how long a list takes, in milliseconds. */
  async list(): Promise<number> {
    const began = performance.now();
    await this.ask('GET', '/v1/executions?limit=50');
    return performance.now() - began;
  }

  /** Returns how many executions failed, at most 100. */
  async countFailed(): Promise<number> {
    const text = await this.ask('GET', '/v1/executions?limit=100&status=failed');
    return listAt(parseJson(text), 'data').length;
  }

  /** Returns true when no execution is unfinished. */
  async isIdle(): Promise<boolean> {
    const states = ['queued', 'running', 'waiting'];
    const lists = states.map((status) => this.ask('GET', `/v1/executions?limit=1&status=${status}`));
    return (await Promise.all(lists)).every((text) => text.includes('"data":[]'));
  }
}

/** Executes so often and waits for the last one's end; returns how many ended in a second. */
export async function execute(calls: Calls, workflowId: string, count: number): Promise<number> {
  const began = performance.now();
  let number = 0;
  const client = async (): Promise<void> => {
    while (number < count) {
      number += 1;
      await calls.ask('POST', `/v1/workflows/${workflowId}/execute`, JSON.stringify({ input: { number } }));
    }
  };
  await Promise.all(Array.from({ length: clientCount }, client));
  while (!(await calls.isIdle())) await pause(askEveryMs);
  return (count / (performance.now() - began)) * 1000;
}

/** Lists until the work is over; returns how long each list took, in milliseconds. */
async function listMeanwhile(calls: Calls, work: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const over = new AbortController();
  const end = (): void => over.abort();
  work.then(end, end);
  while (!over.signal.aborted) {
    times.push(await calls.list());
    await pause(askEveryMs);
  }
  return times;
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? Number.NaN;
}

export const load: Benchmark = {
  name: `Load of the local service: ${executions} executions of four nodes from ${clientCount} clients`,
  async measure() {
    const rates: number[] = [];
    const alone: number[] = [];
    const middle: number[] = [];
    const slow: number[] = [];
    const failed: number[] = [];
    const failedExecutions: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const dataFolder = await createDataFolder();
      const program = await startProgram(dataFolder, '--requests-per-minute', '1000000');
      try {
        const service = serviceOf(program, await createKey(dataFolder));
        const calls = new Calls(service);
        const workflowId = await createDeployed(service, definition);
        await execute(calls, workflowId, warmUp);
        const times: number[] = [];
        for (let count = 0; count < listsAlone; count += 1) times.push(await calls.list());
        alone.push(percentile(times, 0.5));
        const work = execute(calls, workflowId, executions);
        const beside = await listMeanwhile(calls, work);
        rates.push(await work);
        middle.push(percentile(beside, 0.5));
        slow.push(percentile(beside, 0.99));
        failedExecutions.push(await calls.countFailed());
        failed.push(calls.failed);
      } finally {
        await program.kill();
        await removeDataFolder(dataFolder);
      }
    }
    const listAlone = 'a list beside nothing, p50';
    return [
      { name: 'calls that fail', values: failed, unit: 'calls', aim: '0' },
      { name: 'executions that fail, up to 100', values: failedExecutions, unit: 'executions', aim: '0' },
      { name: 'executions', values: rates, unit: 'a second' },
      { name: listAlone, values: alone, unit: 'ms' },
      { name: 'a list beside them, p50', values: middle, unit: 'ms', comparedTo: listAlone },
      // Without an aim: 32 to 64 ms are soon enough for a person, and a multiple of an idle list says how the machine pauses.
      { name: 'a list beside them, p99', values: slow, unit: 'ms', comparedTo: listAlone },
    ];
  },
};
