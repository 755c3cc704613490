// What a person waits for: the first node of an execution, and each log line, in a real VS Code on the local service.
import * as v from 'valibot';
import type { Benchmark } from './benchmark.ts';
import { runProbe } from './probing.ts';

const Result = v.object({ starts: v.array(v.number()), lines: v.array(v.number()) });

export const following: Benchmark = {
  name: 'Following an execution, loopback, on screen',
  async measure() {
    const { starts, lines } = await runProbe('following', Result);
    return [
      { name: 'execute call to first node run', values: starts, unit: 'ms', aim: 'under 100' },
      { name: 'log line said to log line seen', values: lines, unit: 'ms', aim: 'under 300' },
    ];
  },
};
