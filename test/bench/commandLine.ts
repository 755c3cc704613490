// A pipeline starts the command line again and again: what each start costs.
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../rig/paths.ts';
import { answering, serve } from '../support/servers.ts';
import type { Benchmark } from './benchmark.ts';

const runs = 7;
const mark = 'processor time: ';
/** Writes the processor time of the whole process, in microseconds, when it ends. */
const watch = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('${mark}' + (user + system)); })`;

async function processorTimes(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const times: number[] = [];
  const before = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, join(root, 'dist/cli.js')];
  for (let run = 0; run < runs; run += 1) {
    const { stderr } = await promisify(execFile)(process.execPath, [...before, ...words], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: tmpdir(), ...environment },
    });
    times.push(Number(stderr.slice(stderr.indexOf(mark) + mark.length)) / 1000);
  }
  return times;
}

export const commandLine: Benchmark = {
  name: 'Command line, processor time',
  async measure() {
    const server = await serve(answering(200, { data: [] }));
    try {
      const listing = await processorTimes(['workflow', 'list', '--json'], {
        WORKFLOW_BASE_URL: `http://127.0.0.1:${server.port}/v1`,
        WORKFLOW_API_KEY: 'svc_sk_of-a-benchmark',
      });
      return [
        { name: 'help', values: await processorTimes(['help'], {}), unit: 'ms', aim: 'at most 150' },
        { name: 'a list that is empty', values: listing, unit: 'ms', aim: 'at most 300' },
      ];
    } finally {
      await server.close();
    }
  },
};
