// Renders a line for each node run, with its bar on a common scale.
import * as l10n from '@vscode/l10n';
import type { Execution } from '../../../domain/execution.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { joined, plainLine } from '../../../base/format.ts';
import { measureTimeline, type Span, type TimedRun, type Timeline } from '../../../model/runs/timeline.ts';
import {
  describeDuration,
  hasTakenResult,
  originWord,
  errorOfRun,
  runWord,
} from '../../../words/nodeState.ts';
import { describeGoneRuns, describeNoNodes, draftWord, retryWords } from '../../../words/executionWords.ts';
import { renderNodeName } from '../../../words/renderLogLine.ts';
import { statusWord, wordOfStatus } from '../../../words/status.ts';
import { formatDuration, renderTime } from '../../../words/time.ts';
import type { RenderedRuns, RunFacts } from './followedSource.ts';

/** One line of the table. The name comes last, so that wide characters don't shift other columns. */
interface Line {
  /** One character, which the timeline's grammar colors the line by. */
  readonly mark: string;
  readonly state: string;
  readonly start: string;
  readonly duration: string;
  readonly bar: string;
  readonly name: string;
  /** Why the node failed; it follows the name. */
  readonly reason: string;
}

/** Not a dash of another length: the editor marks those as ambiguous. */
const unknown = '-';
const longestShown = 2;
/** A name in the list of the longest, which has one line for all. */
const longestName = 24;

/** The width of a bar that covers the whole time span, in characters. */
export const barWidth = 40;

/** Characters that every monospaced font has. */
export const barMarks = { work: '█', wait: '░', moment: '│' } as const;

/** Returns exactly `barWidth` characters. A run shorter than half a character is drawn as a single mark. */
export function renderBar({ from, to, waits }: Pick<TimedRun, 'from' | 'to' | 'waits'>, whole: Span): string {
  const cell = Math.max(1, whole.to - whole.from) / barWidth;
  const place = (time: number): number => (time - whole.from) / cell;
  const cells = Array.from({ length: barWidth }, () => ' ');
  if (to - from < cell / 2) {
    cells[Math.min(Math.floor(place(from)), barWidth - 1)] = barMarks.moment;
    return cells.join('');
  }
  const first = Math.min(Math.round(place(from)), barWidth - 1);
  const end = Math.max(Math.round(place(to)), first + 1);
  cells.fill(barMarks.work, first, end);
  for (const wait of waits)
    cells.fill(barMarks.wait, Math.max(first, Math.round(place(wait.from))), Math.round(place(wait.to)));
  return cells.join('');
}

/** The labels at both ends of the scale, as wide as a bar. */
export function renderScale(first: string, last: string): string {
  return `${first} ${last.padStart(barWidth - first.length - 1)}`;
}

function describeTime({ status, durationMs, startedAt }: Execution, whole: Span | null): string {
  const word = wordOfStatus(status);
  const began = startedAt?.getTime() ?? whole?.from;
  if (durationMs !== null) return l10n.t('{0} in {1}', word, formatDuration(durationMs));
  if (status.isTerminal || whole === null || began === undefined) return word;
  return l10n.t('{0}, {1} so far', word, formatDuration(whole.to - began));
}

function renderTitle(workflowName: string, execution: Execution, whole: Span | null): string {
  const words = [workflowName, draftWord(execution), describeTime(execution, whole), retryWords(execution)];
  return joined(words, ' · ');
}

function renderShare(duration: number, whole: Span): string {
  const percent = Math.round((duration / Math.max(1, whole.to - whole.from)) * 100);
  return `${formatDuration(duration)} (${percent}%)`;
}

function renderStart(startedAt: Date, queuedMs: number | null): string {
  const time = renderTime(startedAt);
  return queuedMs === null || queuedMs === 0
    ? time
    : l10n.t('{0}, queued for {1}', time, formatDuration(queuedMs));
}

function lengthOf({ run, from, to }: TimedRun): number {
  return run.durationMs ?? to - from;
}

function renderLongest(timed: readonly TimedRun[], whole: Span): string {
  return timed
    .filter((each) => lengthOf(each) > 0)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, longestShown)
    .map(
      (each) => `${plainLine(renderNodeName(each.run), longestName)} ${renderShare(lengthOf(each), whole)}`,
    )
    .join(', ');
}

/** The lines above the table: a label and its text each. */
function renderFacts(
  { startedAt }: Execution,
  { whole, timed, queuedMs, waitingMs }: Timeline,
): readonly string[] {
  if (whole === null || timed.length === 0) return [];
  const { work, wait, moment } = barMarks;
  const facts: (readonly [label: string, text: string])[] = [
    [l10n.t('Started:'), renderStart(startedAt ?? new Date(whole.from), queuedMs)],
    [l10n.t('Longest:'), renderLongest(timed, whole)],
    [l10n.t('Idle:'), waitingMs > 0 ? renderShare(waitingMs, whole) : ''],
    [l10n.t('Bars:'), l10n.t('{0} running   {1} waiting   {2} too short for a bar', work, wait, moment)],
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.filter(([, text]) => text !== '').map(([label, text]) => `${label.padEnd(width)}  ${text}`);
}

/** The service's own word follows the name, where its width doesn't shift other columns. */
function renderName(run: NodeRun): string {
  const { status } = run;
  const isReported =
    status !== null && status.word !== '' && (status.state === 'unknown' || status.hasWarning);
  return renderNodeName(run) + (isReported ? ` (${plainLine(status.word, 40)})` : '');
}

/** The service's own word follows the name. */
function stateWord(run: NodeRun): string {
  const word = run.isHandled ? runWord(run) : statusWord(run.status?.state ?? 'unknown');
  return joined([word, originWord(run)], ' · ');
}

function markOf(run: NodeRun): string {
  // Dimmed: nothing ran here.
  if (hasTakenResult(run)) return '=';
  if (run.isHandled) return ' ';
  switch (run.status?.state) {
    case 'failed':
      return '!';
    case 'running':
      return '>';
    case 'waiting':
      return '~';
    default:
      return ' ';
  }
}

function renderReason(run: NodeRun): string {
  return run.error === null ? '' : `: ${errorOfRun(run, 200) ?? ''}`;
}

function renderTimed(timed: TimedRun, whole: Span): Line {
  const { run, from, isOpen } = timed;
  const isSkipped = run.status?.state === 'skipped';
  const hasEnded = !isSkipped && (run.durationMs !== null || run.completedAt !== null);
  return {
    mark: markOf(run),
    state: stateWord(run),
    start: `+${formatDuration(from - whole.from)}`,
    duration: hasEnded ? formatDuration(lengthOf(timed)) : isOpen ? '…' : unknown,
    bar: renderBar(timed, whole),
    name: renderName(run),
    reason: renderReason(run),
  };
}

function renderUntimed(run: NodeRun): Line {
  return {
    mark: markOf(run),
    state: stateWord(run),
    start: unknown,
    duration: describeDuration(run) ?? unknown,
    bar: l10n.t('start unknown').padEnd(barWidth),
    name: renderName(run),
    reason: renderReason(run),
  };
}

function renderHead(whole: Span | null): Line {
  return {
    mark: ' ',
    state: l10n.t('Status'),
    start: l10n.t('Start'),
    duration: l10n.t('Duration'),
    bar: whole === null ? ''.padEnd(barWidth) : renderScale('0', formatDuration(whole.to - whole.from)),
    name: l10n.t('Node'),
    reason: '',
  };
}

/** Returns each line up to its name, padded to columns. */
function alignLines(lines: readonly Line[]): readonly string[] {
  const width = (cell: (line: Line) => string): number => Math.max(...lines.map((line) => cell(line).length));
  const state = width((line) => line.state);
  const start = width((line) => line.start);
  const duration = width((line) => line.duration);
  return lines.map(
    (line) =>
      `${line.mark} ${line.state.padEnd(state)}  ${line.start.padStart(start)}  ${line.duration.padStart(duration)}  ${line.bar}  `,
  );
}

/** Renders what's known of the execution; the result doesn't depend on the current time. workflowName: sanitized for display. */
export function renderTimeline(
  workflowName: string,
  { execution, rows, nodeRuns, goneRuns }: RunFacts,
): RenderedRuns {
  const timeline = measureTimeline(execution, rows, nodeRuns);
  const { whole, timed, untimed } = timeline;
  const above = [
    renderTitle(workflowName, execution, whole),
    ...renderFacts(execution, timeline),
    ...(goneRuns > 0 ? [`... ${describeGoneRuns(goneRuns)}`] : []),
    '',
  ];
  if (nodeRuns.length === 0) {
    const text = [...above, describeNoNodes(execution.status), ''].join('\n');
    return { text, sections: [] };
  }
  const table = [
    renderHead(whole),
    ...(whole === null ? [] : timed.map((each) => renderTimed(each, whole))),
    ...untimed.map(renderUntimed),
  ];
  const aligned = alignLines(table);
  const lines = table.map(({ name, reason }, at) => `${aligned[at] ?? ''}${name}${reason}`);
  const sections = [...timed.map(({ run }) => run), ...untimed].map((run, at) => {
    const line = above.length + 1 + at;
    const begin = aligned[at + 1]?.length ?? 0;
    return {
      run,
      firstLine: line,
      lastLine: line,
      link: [begin, begin + (table[at + 1]?.name.length ?? 0)] as const,
    };
  });
  return { text: [...above, ...lines, ''].join('\n'), sections };
}
