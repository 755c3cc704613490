// An extension that is slow to activate slows every window; ours is held against an empty and a lean one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import { findDesktopForTests } from '../rig/desktop.ts';
import { root } from '../rig/paths.ts';
import { runInVsCode } from '../rig/hostRun.ts';
import { say } from '../rig/say.ts';
import type { Benchmark } from './benchmark.ts';
import { copyOurs, writeEmpty, writeLean } from './peerExtensions.ts';

const ours = 'workflow-automation.workflow-automation';
const lean = 'bench.lean';
const empty = 'bench.empty';
/** Activated first and not counted: it pays for what any first activation in a host pays. */
const warmUp = 'bench.warm-up';
const starts = 9;

/** One fresh host; the three in an order that differs from start to start. */
async function measureOnce(
  folder: string,
  order: readonly string[],
  installedPaths: string[],
): Promise<Map<string, number>> {
  const result = join(folder, 'times.json');
  const isDone = await runInVsCode({
    developmentPath: join(folder, 'host'),
    installedPaths,
    testsPath: join(root, 'dist', 'test', 'bench', 'activationProbe.cjs'),
    environment: { WORKFLOW_BENCH_RESULT: result, WORKFLOW_BENCH_ORDER: [warmUp, ...order].join(',') },
    desktop: await findDesktopForTests(),
    isVerbose: false,
  });
  if (!isDone) throw new Error('The extensions could not be activated.');
  const times = parseJson(readFileSync(result, 'utf8'));
  if (!isJsonObject(times)) throw new Error('The probe wrote no times.');
  return new Map(Object.entries(times).map(([id, value]) => [id, Number(value)]));
}

export const activation: Benchmark = {
  name: `Activation, ${starts} fresh extension hosts`,
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-bench-'));
    try {
      writeEmpty(join(folder, 'host'), 'host');
      const installedPaths = [
        writeEmpty(join(folder, 'warm-up'), 'warm-up'),
        writeEmpty(join(folder, 'empty'), 'empty'),
        writeLean(join(folder, 'lean')),
        copyOurs(join(folder, 'ours')),
      ];
      const orders = [
        [empty, lean, ours],
        [lean, ours, empty],
        [ours, empty, lean],
      ];
      const runs: Map<string, number>[] = [];
      for (let start = 0; start < starts; start++) {
        say(`Start ${start + 1} of ${starts}`);
        runs.push(await measureOnce(folder, orders[start % orders.length] ?? [], installedPaths));
      }
      const of = (id: string): number[] => runs.map((times) => times.get(id) ?? Number.NaN);
      return [
        { name: 'lean, with as many commands and trees', values: of(lean), unit: 'ms' },
        { name: 'empty extension', values: of(empty), unit: 'ms' },
        {
          name: 'ours',
          values: of(ours),
          unit: 'ms',
          comparedTo: 'lean, with as many commands and trees',
          aim: 'at most 1.25 × lean',
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
