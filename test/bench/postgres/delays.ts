// How soon a worker in another process begins, and how soon its log rows are read here.
import { silentLogger } from '../../../src/base/logger.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { Sandbox } from '../../../src/service/sandbox/sandbox.ts';
import type { Benchmark } from '../benchmark.ts';
import { BenchDatabase } from './benchDatabase.ts';
import { definition, input } from './rivals.ts';
import { Workers } from './workers.ts';

const warmUp = 20;
const executions = 200;

interface Delays {
  readonly first: number[];
  readonly read: number[];
}

/** Follows one execution to its end, as a stream does; both processes use the clock of this machine. */
async function follow(database: BenchDatabase, delays: Delays): Promise<void> {
  const { store } = database;
  const began = Date.now();
  const given = { workflowId: 'wf_bench', definition, input: JSON.stringify(input) };
  const triggered = await store.executions.trigger(given);
  if (triggered.kind !== 'created') throw new Error('The execution was not accepted.');
  const executionId = triggered.execution.id;
  let news = Promise.withResolvers<undefined>();
  const listener = store.subscribe(`execution:${executionId}`, () => news.resolve(undefined));
  let after = 0;
  let hasEnded = false;
  while (!hasEnded) {
    await news.promise;
    news = Promise.withResolvers<undefined>();
    const { rows } = await store.nodeRuns.listLogs({ executionId, after, limit: 100 });
    const now = Date.now();
    for (const row of rows) {
      if (row.sequence === 1) delays.first.push(Date.parse(row.startedAt ?? row.timestamp) - began);
      delays.read.push(now - Date.parse(row.timestamp));
      after = row.sequence;
      hasEnded ||= row.nodeId === 'answer' && row.completedAt !== null;
    }
  }
  listener.dispose();
}

function percentile(values: readonly number[], part: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
}

export const postgresDelays: Benchmark = {
  name: 'PostgreSQL: delays between processes',
  async measure() {
    const database = await BenchDatabase.start();
    const sandbox = new Sandbox();
    const engine = new Engine({
      secrets: new Secrets({ store: database.store, logger: silentLogger }),
      store: database.store,
      sandbox,
      logger: silentLogger,
      concurrency: 0,
    });
    try {
      const workers = await Workers.start('the service', 1, database.address.url);
      const delays: Delays = { first: [], read: [] };
      try {
        await workers.begin();
        for (let index = 0; index < warmUp; index += 1) await follow(database, { first: [], read: [] });
        for (let index = 0; index < executions; index += 1) await follow(database, delays);
      } finally {
        await workers.stop();
      }
      const { first, read } = delays;
      return [
        { name: 'execute to first node run, p50', values: [percentile(first, 0.5)], unit: 'ms' },
        { name: 'execute to first node run, p99', values: [percentile(first, 0.99)], unit: 'ms' },
        { name: 'log row to its reader, p50', values: [percentile(read, 0.5)], unit: 'ms' },
        {
          name: 'log row to its reader, p99',
          values: [percentile(read, 0.99)],
          unit: 'ms',
          aim: 'under 300 ms',
        },
      ];
    } finally {
      await engine.stop();
      await sandbox.dispose();
      await database.dispose();
    }
  },
};
