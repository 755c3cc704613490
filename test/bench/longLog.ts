// A log of 350,000 lines, 100 MB as they come, as fast as a service sends them, in a real VS Code with the log's document and the channel open.
import * as v from 'valibot';
import type { Benchmark, Figure } from './benchmark.ts';
import { runProbe } from './probing.ts';

const Cost = v.object({
  ms: v.number(),
  workMs: v.number(),
  longestBlock: v.number(),
  longestWork: v.number(),
  grown: v.number(),
});
const Result = v.object({
  bare: Cost,
  ours: Cost,
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
    const { bare, ours, saveMs, searchMs, saved, marks } = await runProbe('longLog', Result);
    const bareWriter = '20,000 lines on the screen, by a bare writer';
    const bareReader = 'a bare reader, which counts the lines';
    /** What a bare reader costs as well, and what we do. */
    const both = (name: string, cost: keyof typeof ours, unit: Figure['unit'], aim: string): Figure[] => [
      { name: `${name}, bare`, values: [bare[cost]], unit },
      { name: `${name}, ours`, values: [ours[cost]], unit, aim },
    ];
    return [
      { name: bareWriter, values: bareSeen, unit: 'ms' },
      { name: 'by us', values: seen, unit: 'ms', comparedTo: bareWriter, aim: 'at most 1.3 ×' },
      { name: bareReader, values: [bare.ms], unit: 'ms' },
      {
        name: 'followed to its end',
        values: [ours.ms],
        unit: 'ms',
        comparedTo: bareReader,
        aim: 'at most 6 ×',
      },
      { name: 'lines in the saved file', values: [saved], unit: 'lines', aim: '350,000' },
      { name: 'of them each once and in order', values: [marks], unit: 'lines', aim: '350,000' },
      // The bare reader comes first, and the engine has its memory for short-lived objects from then on.
      ...both('extension host, memory grown', 'grown', 'MB', 'at most 96'),
      ...both('event loop, longest block', 'longestBlock', 'ms', 'at most 100 more'),
      ...both('own work', 'workMs', 'ms', 'at most 6 ×'),
      ...both('own work in one turn, longest', 'longestWork', 'ms', 'at most 100 more'),
      { name: 'saved whole', values: [saveMs], unit: 'ms' },
      { name: 'searched whole', values: [searchMs], unit: 'ms' },
    ];
  },
};
