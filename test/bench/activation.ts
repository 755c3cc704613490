// An extension that is slow to activate slows every window, and whoever opens a view waits for its first row; ours is held against an empty and a lean one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { viewIds } from '../../src/editor/ids.ts';
import { findDesktopForTests } from '../rig/desktop.ts';
import { root } from '../rig/paths.ts';
import { runInVsCode } from '../rig/hostRun.ts';
import { say } from '../rig/say.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { copyOurs, writeEmpty, writeLean } from './peerExtensions.ts';
import { type Peer, StartTimes, type Time } from './startTimes.ts';

const leanPeer = (name: string): Peer => ({
  id: `bench.${name}`,
  view: { container: name, id: `${name}.view0` },
});

const ours: Peer = {
  id: 'workflow-automation.workflow-automation',
  view: { container: 'workflowAutomation', id: viewIds.workflows },
};
const lean = leanPeer('lean');
const empty: Peer = { id: 'bench.empty' };
/** Comes first and isn't counted: it pays for what any first activation and any first view in a host pay. */
const warmUp = leanPeer('warm-up');
const starts = 9;

/** One fresh host; the three in an order that differs from start to start. */
async function measureOnce(folder: string, order: readonly Peer[], installedPaths: string[]) {
  const result = join(folder, 'times.json');
  const isDone = await runInVsCode({
    developmentPath: join(folder, 'host'),
    installedPaths,
    testsPath: join(root, 'dist', 'test', 'bench', 'activationProbe.cjs'),
    environment: {
      WORKFLOW_BENCH_RESULT: result,
      WORKFLOW_BENCH_PEERS: JSON.stringify([warmUp, ...order]),
    },
    desktop: await findDesktopForTests(),
    isVerbose: false,
  });
  if (!isDone) throw new Error('The extensions could not be measured.');
  return v.parse(StartTimes, JSON.parse(readFileSync(result, 'utf8')));
}

/** The figures of one of the things that are measured, in elapsed and in processor time. */
function figuresOf(
  what: string,
  runs: readonly StartTimes[],
  {
    read,
    peers,
    aim,
  }: {
    readonly read: (times: StartTimes[string]) => Time | undefined;
    readonly peers: readonly Peer[];
    readonly aim: string;
  },
): readonly Figure[] {
  const units = { [what]: 'elapsed', [`${what}, processor time`]: 'processor' } as const;
  return Object.entries(units).flatMap(([title, unit]) =>
    peers.map((peer) => {
      const times = runs.map(({ [peer.id]: time }) => time && read(time));
      const name = `${title}: ${peer.id.split('.').at(-1)}`;
      const values = times.map((time) => time?.[unit] ?? Number.NaN);
      if (peer !== ours) return { name, values, unit: 'ms' };
      return { name, values, unit: 'ms', comparedTo: `${title}: lean`, aim };
    }),
  );
}

export const activation: Benchmark = {
  name: `Activation and the first view beside a lean extension with as many commands and trees, ${starts} fresh hosts`,
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-bench-'));
    try {
      writeEmpty(join(folder, 'host'), 'host');
      const installedPaths = [
        writeLean(join(folder, 'warm-up'), 'warm-up', { commandCount: 0, viewCount: 1 }),
        writeEmpty(join(folder, 'empty'), 'empty'),
        writeLean(join(folder, 'lean'), 'lean'),
        copyOurs(join(folder, 'ours')),
      ];
      const orders = [
        [empty, lean, ours],
        [lean, ours, empty],
        [ours, empty, lean],
      ];
      const runs: StartTimes[] = [];
      for (let start = 0; start < starts; start++) {
        say(`Start ${start + 1} of ${starts}`);
        runs.push(await measureOnce(folder, orders[start % orders.length] ?? [], installedPaths));
      }
      return [
        ...figuresOf('activation', runs, {
          read: (times) => times.activation,
          peers: [empty, lean, ours],
          aim: 'at most 1.25 × lean',
        }),
        ...figuresOf('first view', runs, {
          read: (times) => times.firstView,
          peers: [lean, ours],
          aim: 'at most 1.2 × lean',
        }),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
