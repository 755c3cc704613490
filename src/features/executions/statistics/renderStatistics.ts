// Renders how a workflow's executions usually go, with links to those that stand out.
import * as l10n from '@vscode/l10n';
import { joined, plainLine } from '../../../base/format.ts';
import type { Execution } from '../../../domain/execution.ts';
import { measureExecutions, longestExecutions } from '../../../model/statistics/executionStatistics.ts';
import type { NodeStatistics } from '../../../model/statistics/nodeStatistics.ts';
import type { NodesRead } from '../../../model/statistics/workflowStatistics.ts';
import type { NewestOfWorkflow } from '../../../model/executions/connectionExecutions.ts';
import { beginOf } from '../../../words/executionWords.ts';
import { formats } from '../../../words/formats.ts';
import { shortId } from '../../../words/names.ts';
import { describeDurations } from '../../../words/statistics.ts';
import { formatDuration } from '../../../words/time.ts';

/** Where the text leads to an execution, or to a node run of it. */
export interface StatisticsLink {
  readonly line: number;
  readonly begin: number;
  readonly end: number;
  readonly executionId: string;
  readonly nodeRunKey?: string;
}

export interface RenderedStatistics {
  readonly text: string;
  readonly links: readonly StatisticsLink[];
}

/** How many of the longest ones, and of the newest failures, are listed. */
const listed = 5;
/** Not a dash of another length: the editor marks those as ambiguous. */
const none = '-';

interface Cell {
  readonly text: string;
  readonly link?: Pick<StatisticsLink, 'executionId' | 'nodeRunKey'>;
  readonly isRight?: boolean;
}

/** Lines and their links, as they're written. */
class Page {
  readonly #lines: string[] = [];
  readonly #links: StatisticsLink[] = [];

  line(text = ''): void {
    this.#lines.push(text);
  }

  /** Rows in columns, indented. The last column isn't padded: wide characters would shift those after it. */
  table(rows: readonly (readonly Cell[])[]): void {
    const columns = Math.max(0, ...rows.map((row) => row.length));
    const widths = Array.from({ length: columns }, (_, at) =>
      Math.max(0, ...rows.map((row) => row[at]?.text.length ?? 0)),
    );
    for (const row of rows) {
      let text = '';
      for (const [at, { text: word, link, isRight = false }] of row.entries()) {
        const width = at === row.length - 1 ? 0 : (widths[at] ?? 0);
        const begin = text.length + 2 + (isRight ? Math.max(0, width - word.length) : 0);
        text += `  ${isRight ? word.padStart(width) : word.padEnd(width)}`;
        if (link !== undefined)
          this.#links.push({ line: this.#lines.length, begin, end: begin + word.length, ...link });
      }
      this.#lines.push(text.trimEnd());
    }
  }

  end(): RenderedStatistics {
    return { text: [...this.#lines, ''].join('\n'), links: this.#links };
  }
}

/** Whole ones. 100 are all: of many the few others would seem to be none. */
function percentOf(count: number, all: number): number {
  return count === all ? 100 : Math.min(99, Math.max(1, Math.round((count / all) * 100)));
}

function renderCounts(page: Page, executions: readonly Execution[]): void {
  const { ended, completed, failed, cancelled, durations } = measureExecutions(executions);
  const share = (count: number): string =>
    count === 0 ? '0' : `${formats.number(count)} (${percentOf(count, ended)}%)`;
  const facts: (readonly [label: string, text: string])[] = [
    [l10n.t('Completed:'), share(completed)],
    [l10n.t('Failed:'), share(failed)],
    [l10n.t('Cancelled:'), share(cancelled)],
    [
      l10n.t('Duration:'),
      durations === null
        ? none
        : joined(
            [describeDurations(durations), l10n.t('longest {0}', formatDuration(durations.longest))],
            ', ',
          ),
    ],
  ];
  page.table(facts.map(([label, text]) => [{ text: label }, { text }]));
}

function timeOf(execution: Execution): string {
  const began = beginOf(execution);
  return began === null ? none : formats.time(began);
}

/** The rows of executions, each of which leads to its timeline. */
function renderExecutions(page: Page, title: string, rows: readonly (readonly [Execution, Cell])[]): void {
  if (rows.length === 0) return;
  page.line();
  page.line(title);
  page.table(
    rows.map(([execution, cell]) => [
      { text: shortId(execution.id), link: { executionId: execution.id } },
      { text: timeOf(execution) },
      cell,
    ]),
  );
}

function renderNode({ nodeName, runs, failed, durations, longest }: NodeStatistics): readonly Cell[] {
  const right = (text: string): Cell => ({ text, isRight: true });
  return [
    right(formats.number(runs)),
    right(formats.number(failed)),
    right(durations === null ? none : formatDuration(durations.median)),
    right(durations === null ? none : formatDuration(durations.p95)),
    longest === null
      ? right(none)
      : {
          ...right(formatDuration(longest.durationMs)),
          link: { executionId: longest.executionId, nodeRunKey: longest.key },
        },
    { text: plainLine(nodeName, 80) },
  ];
}

function describeRead({ read, wanted }: NodesRead): string {
  return read < wanted
    ? l10n.t('Nodes · read from {0} of the {1} newest executions…', read, wanted)
    : l10n.t('Nodes · of the {0} newest executions', wanted);
}

/** reason: why the nodes of no more executions are read. */
function renderNodes(page: Page, nodes: NodesRead, reason: string | undefined): void {
  if (nodes.wanted === 0) return;
  page.line();
  page.line(describeRead(nodes));
  if (reason !== undefined) page.line(`  ${reason}`);
  if (nodes.nodes.length === 0) return;
  const head = [l10n.t('Runs'), l10n.t('Failed'), l10n.t('Median'), '95%', l10n.t('Longest')];
  page.table([
    [...head.map((text): Cell => ({ text, isRight: true })), { text: l10n.t('Node') }],
    ...nodes.nodes.map(renderNode),
  ]);
}

function describeCount({ executions, isAll }: NewestOfWorkflow): string {
  const count = formats.number(executions.length);
  if (executions.length === 1) return l10n.t('1 execution');
  return isAll ? l10n.t('{0} executions', count) : l10n.t('the {0} newest executions', count);
}

/** name: of the workflow, sanitized for display. reason: why the nodes of no more executions are read. */
export function renderStatistics(
  name: string,
  newest: NewestOfWorkflow,
  nodes: NodesRead,
  reason?: string,
): RenderedStatistics {
  const { executions } = newest;
  const page = new Page();
  page.line(`${name} · ${describeCount(newest)}`);
  if (executions.length === 0) {
    page.line();
    page.line(l10n.t('Not executed yet'));
    return page.end();
  }
  page.line();
  renderCounts(page, executions);
  const failures = executions.filter(({ status }) => status.state === 'failed').slice(0, listed);
  renderExecutions(
    page,
    l10n.t('Longest executions'),
    longestExecutions(executions, listed).map((each) => [
      each,
      { text: formatDuration(each.durationMs ?? 0) },
    ]),
  );
  renderExecutions(
    page,
    l10n.t('Newest failures'),
    failures.map((each) => [each, { text: plainLine(each.error?.message ?? none, 120) }]),
  );
  renderNodes(page, nodes, reason);
  return page.end();
}
