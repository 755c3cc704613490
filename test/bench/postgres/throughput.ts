// Executions beside bare OpenWorkflow, by the same number of processes on the same database: how many a second, and what one takes.
import { readProcessorTimeOf } from '../processorTime.ts';
import type { Benchmark, Figure } from '../benchmark.ts';
import { BenchDatabase } from './benchDatabase.ts';
import { type Kind, kinds } from './rivals.ts';
import { Workers } from './workers.ts';

const counts = [1, 2, 4];
const rounds = 3;
const warmUp = 60;
const executions = 150;

/** What is measured of each round. */
interface Round {
  readonly aSecond: number;
  /** Of the workers and the database, for one execution, in milliseconds. */
  readonly processorTime: number;
  /** Of one execution. */
  readonly statements: number;
}

type Measured = Readonly<Record<Kind, readonly Round[]>>;

/** Starts both, and lets them take turns. */
async function measureWith(
  count: number,
  database: BenchDatabase,
  done: Record<Kind, number>,
): Promise<readonly Figure[]> {
  const measured: Record<Kind, Round[]> = { 'bare OpenWorkflow': [], 'the service': [] };
  const all = new Map<Kind, Workers>();
  try {
    for (const kind of kinds) all.set(kind, await Workers.start(kind, count, database.address.url));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [kind, workers] of all) {
        const number = round === 0 ? warmUp * count : executions;
        done[kind] += number;
        const result = await measureRound(database, workers, kind, number, done[kind]);
        if (round > 0) measured[kind].push(result);
      }
    }
  } finally {
    for (const workers of all.values()) await workers.stop();
  }
  return figuresOf(measured, `${count} ${count === 1 ? 'worker' : 'workers'}`);
}

async function measureRound(
  database: BenchDatabase,
  workers: Workers,
  kind: Kind,
  number: number,
  done: number,
): Promise<Round> {
  const processorTimeOfAll = async (): Promise<number> => {
    const times = await Promise.all([database.pid, ...workers.pids].map(readProcessorTimeOf));
    return times.reduce((sum, time) => sum + time, 0);
  };
  const statementsBefore = await database.countStatements();
  const timeBefore = await processorTimeOfAll();
  await workers.begin();
  const began = await database.add(kind, number);
  const ended = await database.completed(kind, done);
  await workers.pause();
  return {
    aSecond: (number / (ended - began)) * 1000,
    processorTime: ((await processorTimeOfAll()) - timeBefore) / number,
    statements: ((await database.countStatements()) - statementsBefore) / number,
  };
}

function figuresOf(measured: Measured, workers: string): readonly Figure[] {
  const figures = (
    name: string,
    unit: Figure['unit'],
    aim: string | undefined,
    valueOf: (round: Round) => number,
  ): readonly Figure[] =>
    kinds.map((kind) => ({
      name: `${kind}, ${workers}${name}`,
      values: measured[kind].map(valueOf),
      unit,
      ...(kind === 'the service' && {
        comparedTo: `bare OpenWorkflow, ${workers}${name}`,
        ...(aim !== undefined && { aim }),
      }),
    }));
  return [
    ...figures('', 'a second', 'at least 0.75 ×', ({ aSecond }) => aSecond),
    ...figures(': processor', 'ms', 'at most 1.33 ×', ({ processorTime }) => processorTime),
    ...figures(': sent', 'statements', undefined, ({ statements }) => statements),
  ];
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
