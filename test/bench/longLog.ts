// A log of 350,000 lines, 100 MB as they come, as fast as a service sends them, in a real VS Code with the log's document and the channel open.
import * as v from 'valibot';
import type { Benchmark } from './benchmark.ts';
import { runProbe } from './probing.ts';

const Result = v.object({
  ms: v.number(),
  bareMs: v.number(),
  bareGrown: v.number(),
  longestBlock: v.number(),
  longestWork: v.number(),
  grown: v.number(),
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
    const { ms, bareMs, ...rest } = await runProbe('longLog', Result);
    const { longestBlock, longestWork, bareGrown, grown, saveMs, searchMs, saved, marks } = rest;
    const bareReader = 'a bare reader that writes a file';
    const bareWriter = '20,000 lines on the screen, by a bare writer';
    return [
      { name: bareWriter, values: bareSeen, unit: 'ms' },
      { name: 'by us', values: seen, unit: 'ms', comparedTo: bareWriter, aim: 'at most 1.3 ×' },
      { name: bareReader, values: [bareMs], unit: 'ms' },
      { name: 'followed to its end', values: [ms], unit: 'ms', comparedTo: bareReader },
      { name: 'lines in the saved file', values: [saved], unit: 'lines', aim: '350,000' },
      { name: 'of them each once and in order', values: [marks], unit: 'lines', aim: '350,000' },
      // The bare reader comes first, and the engine has its memory for short-lived objects from then on.
      { name: 'extension host, highest memory above, by the bare reader', values: [bareGrown], unit: 'MB' },
      { name: 'by us, after it', values: [grown], unit: 'MB', aim: 'at most 64' },
      { name: 'event loop, longest block', values: [longestBlock], unit: 'ms', aim: 'at most 50' },
      { name: 'of its own work, at most in one turn', values: [longestWork], unit: 'ms', aim: 'at most 50' },
      { name: 'saved whole', values: [saveMs], unit: 'ms' },
      { name: 'searched whole', values: [searchMs], unit: 'ms' },
    ];
  },
};
