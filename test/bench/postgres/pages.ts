// What a page of each list costs among a thousand executions and among a hundred thousand.
import type { ExecutionQuery } from '../../../src/service/store/executions.ts';
import type { Store } from '../../../src/service/store/store.ts';
import type { WorkflowQuery } from '../../../src/service/store/workflows.ts';
import type { Benchmark, Figure } from '../benchmark.ts';
import { BenchDatabase } from './benchDatabase.ts';
import {
  busyWorkflow,
  fillExecutions,
  fillWorkflows,
  loggedExecution,
  quietWorkflow,
  startOf,
  workflows,
} from './fill.ts';

const few = 1000;
const many = 100_000;
const limit = 50;
/** Each round has a p99, so that a busy moment of the machine spoils only one of them. */
const rounds = 5;
const repetitions = 100;

/** Reads a page; the number is that of the executions, and `part` where the page begins: 1 is the newest. */
type Read = (store: Store, number: number, part: number) => Promise<unknown>;

const executions =
  (query: (number: number) => Omit<ExecutionQuery, 'limit' | 'before'>): Read =>
  (store, number, part) =>
    store.executions.list({ ...query(number), limit, ...before(number, part) });
const workflowPages =
  (query: Omit<WorkflowQuery, 'limit' | 'before'>): Read =>
  (store, _number, part) =>
    store.workflows.list({ ...query, limit, ...before(workflows, part) });
const portalEvents =
  (filter: { readonly type?: string; readonly workflowId?: string }): Read =>
  (store, number, part) =>
    store.portalEvents.list(filter, { limit, ...before(number, 1 - (1 - part) / 100) });
const logs =
  (nodeId?: string): Read =>
  (store, number, part) =>
    store.nodeRuns.listLogs({
      executionId: loggedExecution,
      after: Math.floor(number * (1 - part)),
      nodeId,
      limit,
    });

const lists: Readonly<Record<string, Read>> = {
  executions: executions(() => ({})),
  'of a busy workflow': executions(() => ({ workflowId: busyWorkflow })),
  'of a quiet workflow': executions(() => ({ workflowId: quietWorkflow })),
  'that failed': executions(() => ({ status: 'failed' })),
  'that run': executions(() => ({ status: 'running' })),
  'that wait (none)': executions(() => ({ status: 'waiting' })),
  'that failed, of a workflow': executions(() => ({ workflowId: busyWorkflow, status: 'failed' })),
  'of an event': executions((number) => ({ eventId: `evt_${number / 2}` })),
  'of an event, of a workflow': executions((number) => ({
    eventId: `evt_${number / 2}`,
    workflowId: busyWorkflow,
  })),
  'started after the first ones': executions(() => ({ startedAfter: startOf(100) })),
  'started after most': executions((number) => ({ startedAfter: startOf(number - 10) })),
  'started before most': executions(() => ({ startedBefore: startOf(100) })),
  'started before half': executions((number) => ({ startedBefore: startOf(number / 2) })),
  'started in an hour': executions((number) => ({
    startedAfter: startOf(number / 2),
    startedBefore: startOf(number / 2 + 360),
  })),
  'of a workflow, started in an hour': executions((number) => ({
    workflowId: busyWorkflow,
    startedAfter: startOf(number / 2),
    startedBefore: startOf(number / 2 + 360),
  })),
  'of a workflow, started before half': executions((number) => ({
    workflowId: busyWorkflow,
    startedBefore: startOf(number / 2),
  })),
  'that failed, started before half': executions((number) => ({
    status: 'failed',
    startedBefore: startOf(number / 2),
  })),
  'that failed, started after most': executions((number) => ({
    status: 'failed',
    startedAfter: startOf(number - 10),
  })),
  workflows: workflowPages({}),
  'workflows that are deployed': workflowPages({ deployed: true }),
  'workflows by a search': workflowPages({ search: 'job 99' }),
  'portal events': portalEvents({}),
  'portal events of a type': portalEvents({ type: 'execution.failed' }),
  'portal events of a workflow': portalEvents({ workflowId: busyWorkflow }),
  'portal events of both': portalEvents({ type: 'execution.failed', workflowId: busyWorkflow }),
  'log rows': logs(),
  'log rows of a node': logs('node_3'),
};

function before(number: number, part: number): { before?: number } {
  return part === 1 ? {} : { before: Math.ceil(number * part) };
}

/** The p99 in milliseconds of first and later pages. */
async function measureRound(read: Read, store: Store, number: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < repetitions; index += 1) {
    const began = performance.now();
    await read(store, number, index % 2 === 0 ? 1 : 0.5);
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99) - 1] ?? Number.NaN;
}

/** The p99 of each round, by list. */
async function measureAll(store: Store, number: number): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const [name, read] of Object.entries(lists)) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1) values.push(await measureRound(read, store, number));
    found.set(name, values);
  }
  return found;
}

export const postgresPages: Benchmark = {
  name: 'PostgreSQL: pages of the lists, p99',
  async measure() {
    const database = await BenchDatabase.start(false);
    try {
      await fillWorkflows(database.sql);
      await fillExecutions(database.sql, 0, few);
      const atFew = await measureAll(database.store, few);
      await fillExecutions(database.sql, few, many);
      const atMany = await measureAll(database.store, many);
      return Object.keys(lists).flatMap((name): readonly Figure[] => [
        { name: `${name}, 1,000`, values: atFew.get(name) ?? [], unit: 'ms' },
        {
          name: `${name}, 100,000`,
          values: atMany.get(name) ?? [],
          unit: 'ms',
          comparedTo: `${name}, 1,000`,
          aim: 'at most 2 ×',
        },
      ]);
    } finally {
      await database.dispose();
    }
  },
};
