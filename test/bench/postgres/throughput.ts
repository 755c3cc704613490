// Executions a second beside bare OpenWorkflow, by the same number of processes on the same database.
import type { Benchmark, Figure } from '../benchmark.ts';
import { BenchDatabase } from './benchDatabase.ts';
import { type Kind, kinds } from './rivals.ts';
import { Workers } from './workers.ts';

const counts = [1, 2, 4];
const rounds = 3;
const warmUp = 60;
const executions = 150;

/** Starts both, and lets them take turns. */
async function measureWith(
  count: number,
  database: BenchDatabase,
  done: Record<Kind, number>,
): Promise<readonly Figure[]> {
  const rates: Record<Kind, number[]> = { 'bare OpenWorkflow': [], 'the service': [] };
  const all = new Map<Kind, Workers>();
  try {
    for (const kind of kinds) all.set(kind, await Workers.start(kind, count, database.address.url));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [kind, workers] of all) {
        const number = round === 0 ? warmUp * count : executions;
        await workers.begin();
        const began = await database.add(kind, number);
        done[kind] += number;
        const ended = await database.completed(kind, done[kind]);
        await workers.pause();
        if (round > 0) rates[kind].push((number / (ended - began)) * 1000);
      }
    }
  } finally {
    for (const workers of all.values()) await workers.stop();
  }
  const nameOf = (kind: Kind): string => `${kind}, ${count} ${count === 1 ? 'worker' : 'workers'}`;
  return kinds.map((kind) => ({
    name: nameOf(kind),
    values: rates[kind],
    unit: 'a second',
    ...(kind === 'the service' && {
      comparedTo: nameOf('bare OpenWorkflow'),
      aim: 'at least 0.75 ×',
    }),
  }));
}

export const postgresThroughput: Benchmark = {
  name: 'PostgreSQL: executions of five nodes',
  async measure() {
    const database = await BenchDatabase.start();
    try {
      const done: Record<Kind, number> = { 'bare OpenWorkflow': 0, 'the service': 0 };
      const figures: Figure[] = [];
      for (const count of counts) figures.push(...(await measureWith(count, database, done)));
      return figures;
    } finally {
      await database.dispose();
    }
  },
};
