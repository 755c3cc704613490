// A log of 350,000 lines, 100 MB as they come, as fast as a service sends them, in a real VS Code with the log's document and the channel open.
import * as v from 'valibot';
import type { Benchmark, Figure } from './benchmark.ts';
import { runProbe } from './probing.ts';

const rounds = 3;

const Cost = v.object({
  ms: v.number(),
  workMs: v.number(),
  longestBlock: v.number(),
  longestWork: v.number(),
  grown: v.number(),
});
const Bare = v.object({ bare: Cost });
const Ours = v.object({
  ours: Cost,
  followMs: v.number(),
  channelMs: v.number(),
  saveMs: v.number(),
  searchMs: v.number(),
  saved: v.number(),
  marks: v.number(),
});

const Seen = v.object({ bareSeen: v.array(v.number()), seen: v.array(v.number()) });

export const longLog: Benchmark = {
  name: 'A log of 350,000 lines',
  async measure() {
    const { bareSeen, seen } = await runProbe('seenLines', Seen);
    const bare: v.InferOutput<typeof Cost>[] = [];
    const runs: v.InferOutput<typeof Ours>[] = [];
    // Each in a VS Code of its own: what the first one leaves behind would be no growth of the second.
    for (let round = 0; round < rounds; round += 1) {
      bare.push((await runProbe('longLog', Bare, { WORKFLOW_BENCH_READER: 'bare' })).bare);
      runs.push(await runProbe('longLog', Ours));
    }
    const bareWriter = '20,000 lines on the screen, by a bare writer';
    const bareReader = 'a bare reader, which counts the lines';
    /** What a bare reader costs as well, and what we do. */
    const both = (
      name: string,
      cost: keyof v.InferOutput<typeof Cost>,
      unit: Figure['unit'],
      aim: string,
    ): Figure[] => [
      { name: `${name}, bare`, values: bare.map((each) => each[cost]), unit },
      { name: `${name}, ours`, values: runs.map(({ ours }) => ours[cost]), unit, aim },
    ];
    return [
      { name: bareWriter, values: bareSeen, unit: 'ms' },
      { name: 'by us', values: seen, unit: 'ms', comparedTo: bareWriter, aim: 'at most 1.3 ×' },
      { name: bareReader, values: bare.map(({ ms }) => ms), unit: 'ms' },
      {
        name: 'followed to its end',
        values: runs.map(({ followMs }) => followMs),
        unit: 'ms',
        comparedTo: bareReader,
        aim: 'at most 6 ×',
      },
      {
        name: 'until the file of the channel has its end',
        values: runs.map(({ channelMs }) => channelMs),
        unit: 'ms',
        comparedTo: bareReader,
        aim: 'at most 6 ×',
      },
      {
        name: 'lines in the saved file',
        values: runs.map(({ saved }) => saved),
        unit: 'lines',
        aim: '350,000',
      },
      {
        name: 'of them each once and in order',
        values: runs.map(({ marks }) => marks),
        unit: 'lines',
        aim: '350,000',
      },
      ...both('extension host, memory grown', 'grown', 'MB', 'at most 96'),
      ...both('event loop, longest block', 'longestBlock', 'ms', 'at most 100 more'),
      ...both('own work', 'workMs', 'ms', 'at most 6 ×'),
      ...both('own work in one turn, longest', 'longestWork', 'ms', 'at most 100 more'),
      { name: 'saved whole', values: runs.map(({ saveMs }) => saveMs), unit: 'ms' },
      { name: 'searched whole', values: runs.map(({ searchMs }) => searchMs), unit: 'ms' },
    ];
  },
};
