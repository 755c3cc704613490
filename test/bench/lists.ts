// Whoever has ten thousand workflows and executions must not wait longer for the first of them than whoever has ten.
import * as v from 'valibot';
import type { Benchmark, Figure } from './benchmark.ts';
import { runProbe } from './probing.ts';

/** Milliseconds to the first workflow and to the first execution, a pair each round. */
const Rounds = v.array(v.tuple([v.number(), v.number()]));
const Result = v.object({ few: Rounds, many: Rounds });

export const lists: Benchmark = {
  name: 'First rows after switching to a connection, on screen',
  async measure() {
    const { few, many } = await runProbe('lists', Result);
    return ['workflows', 'executions'].flatMap((what, index): readonly Figure[] => [
      { name: `10 ${what}`, values: few.map((round) => round[index] ?? Number.NaN), unit: 'ms' },
      {
        name: `10,000 ${what}`,
        values: many.map((round) => round[index] ?? Number.NaN),
        unit: 'ms',
        comparedTo: `10 ${what}`,
        aim: 'as fast as 10',
      },
    ]);
  },
};
