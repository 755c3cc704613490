// The timeline of an execution: a lane for each node, with a bar for each of its runs, to scale. Pure.
import * as l10n from '@vscode/l10n';
import { joined, plainLine } from '../../editor/format.ts';
import { worstState } from '../../model/runs/nodeSummary.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import type { TimedRun, Timeline } from '../../model/runs/timeline.ts';
import {
  describeAttempt,
  describeDuration,
  hasTakenResult,
  originWord,
  runWord,
} from '../../ui/words/nodeState.ts';
import { formatDuration } from '../../ui/words/time.ts';
import type { Bar, Lane } from '../../webview/graph/messages.ts';
import { lookOf } from './renderNodes.ts';

/** A lane with more runs has several in each bar: no screen has more room. */
export const maximumBars = 200;

/** "Iteration 3, attempt 2: failed, 1.2 s", "completed, reused". */
function labelOf({ run }: TimedRun): string {
  const place = joined(
    [
      run.iteration.length === 0
        ? undefined
        : l10n.t('iteration {0}', run.iteration.map((index) => index + 1).join('.')),
      describeAttempt(run),
    ],
    ', ',
  );
  return joined([place, joined([runWord(run), originWord(run), describeDuration(run)], ', ')], ': ');
}

/** Alternately what the run worked and what it waited. `isEarlier`: another attempt followed. */
function barsOf(timed: TimedRun, isEarlier: boolean): readonly Bar[] {
  const { run, from, to, waits, isOpen } = timed;
  const isDimmed = hasTakenResult(run);
  const shared = { state: lookOf(run), nodeRunKey: run.key, isDimmed } as const;
  const label = labelOf(timed);
  const bars: Bar[] = [];
  let at = from;
  const work = (end: number): void => {
    if (end > at || bars.length === 0)
      bars.push({ ...shared, from: at, to: end, isOpen: false, kind: isEarlier ? 'earlier' : 'work', label });
    at = end;
  };
  for (const wait of waits) {
    if (wait.from > at) work(wait.from);
    const length = formatDuration(wait.to - wait.from);
    const label = l10n.t('waiting, {0}', length);
    bars.push({ ...shared, ...wait, isOpen: false, kind: 'wait', label });
    at = wait.to;
  }
  work(to);
  return bars.map((bar, index) => (index === bars.length - 1 ? { ...bar, isOpen } : bar));
}

/** One bar for successive runs. */
function mergeRuns(runs: readonly TimedRun[]): readonly Bar[] {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return [];
  const states = runs.flatMap(({ run }) => (run.isHandled ? [] : (run.status?.state ?? 'unknown')));
  const failed = states.filter((state) => state === 'failed').length;
  const count = l10n.t('{0} runs', runs.length);
  return [
    {
      from: first.from,
      to: runs.reduce((latest, { to }) => Math.max(latest, to), first.to),
      isOpen: last.isOpen,
      state: states.length === 0 ? 'handled' : worstState(states),
      kind: 'work',
      label: failed === 0 ? count : joined([count, l10n.t('{0} failed', failed)], ', '),
      nodeRunKey: null,
      isDimmed: false,
    },
  ];
}

function renderBars(runs: readonly TimedRun[], tree: RunTree): readonly Bar[] {
  if (runs.length <= maximumBars)
    return runs.flatMap((timed) => barsOf(timed, tree.findRun(timed.run.key)?.isSuperseded === true));
  // A power of two, so that a growing loop changes its bars seldom.
  const size = 2 ** Math.ceil(Math.log2(runs.length / maximumBars));
  return Array.from({ length: Math.ceil(runs.length / size) }, (_, index) =>
    mergeRuns(runs.slice(index * size, (index + 1) * size)),
  ).flat();
}

/** How long the node's runs took together; "…" while none has ended. */
function describeLength(runs: readonly TimedRun[]): string {
  const ended = runs.filter(({ isOpen }) => !isOpen);
  const length = ended.reduce((sum, { run, from, to }) => sum + (run.durationMs ?? to - from), 0);
  return ended.length === 0 ? '…' : formatDuration(length);
}

function renderLane(id: string, runs: readonly TimedRun[], whole: number, tree: RunTree): Lane {
  const [first] = runs;
  const name = plainLine(first?.run.nodeName ?? '', 80) || plainLine(id, 80);
  const start = first === undefined ? undefined : `+${formatDuration(first.from - whole)}`;
  const last = runs.at(-1);
  const count = runs.length > 1 ? l10n.t('{0} runs', runs.length) : undefined;
  const word = last === undefined ? undefined : runWord(last.run);
  const origin = last !== undefined && runs.length === 1 ? originWord(last.run) : undefined;
  return {
    id,
    name,
    // What didn't run took no time.
    detail: origin ?? describeLength(runs),
    aloud: joined([word, count, start], ', '),
    bars: renderBars(runs, tree),
  };
}

function renderQueue({ whole, queuedMs }: Timeline): readonly Lane[] {
  if (whole === null || queuedMs === null || queuedMs === 0) return [];
  const name = l10n.t('In the queue');
  const detail = formatDuration(queuedMs);
  const bar: Bar = {
    from: whole.from,
    to: whole.from + queuedMs,
    isOpen: false,
    state: 'queued',
    kind: 'wait',
    label: detail,
    nodeRunKey: null,
    isDimmed: false,
  };
  return [{ id: '', name, detail, aloud: '', bars: [bar] }];
}

/** In the order of the nodes' first starts, after the time in the queue. Skipped nodes took no time, so they have no lane. */
export function renderLanes(timeline: Timeline, tree: RunTree): readonly Lane[] {
  const { whole, timed } = timeline;
  if (whole === null) return [];
  const ran = timed.filter(({ run }) => run.status?.state !== 'skipped');
  const byNode = Map.groupBy(ran, ({ run }) => run.nodeId);
  const lanes = [...byNode].map(([id, runs]) => renderLane(id, runs, whole.from, tree));
  return [...renderQueue(timeline), ...lanes];
}
