// Renders the log of an execution, with the line ranges of its node runs.
import * as l10n from '@vscode/l10n';
import { plainLine } from '../../../base/format.ts';
import { formats } from '../../../words/formats.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { nameBegin, renderNodeName } from '../../../words/renderLogLine.ts';
import type { RenderedRuns, RunSection } from '../documents/followedSource.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { LogLine } from '../../../domain/logEntry.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { formatDuration, renderTime } from '../../../words/time.ts';
import { isFiltered } from './logView.ts';
import type { LogWindow, ReadWindow } from './logWindow.ts';

export interface LogFacts extends ReadWindow {
  readonly execution: Execution;
  readonly runOf: (line: LogLine) => NodeRun | undefined;
}

export interface RenderedLog extends RenderedRuns {
  readonly window: LogWindow;
  /** The position of the row that each line of the text shows; -1 for one that shows none. */
  readonly positions: readonly number[];
}

/** The text below the node logs: how the execution ended, or that there are none. */
function renderEnd({ status, completedAt, durationMs, error }: Execution, hasRows: boolean): string {
  if (!status.isTerminal) return hasRows ? '' : l10n.t('No log lines yet.');
  const word = wordOfStatus(status);
  const end = durationMs === null ? word : l10n.t('{0} in {1}', word, formatDuration(durationMs));
  const reason = error === null ? '' : `: ${plainLine(error.message, 2000)}`;
  const time = completedAt === null ? '' : `${renderTime(completedAt)} `;
  const level = status.state === 'failed' ? 'error' : 'info';
  const nothing = hasRows ? '' : `${l10n.t('This execution has no log.')}\n`;
  return `${nothing}${time}[${level}] ${end}${reason}`;
}

/** Stands for rows of the beginning that are gone. In ASCII, like the lines. */
export function renderGone(goneRows: number): string {
  return l10n.t('... the first {0} log lines are no longer kept on this machine', formats.number(goneRows));
}

/** What stands above the lines: where the log's beginning is, so that a part is never taken for the whole. */
function renderBefore({ from, goneRows, filter, hasEarlier }: LogWindow): string[] {
  const gone = goneRows === 0 ? [] : [renderGone(goneRows)];
  if (isFiltered(filter)) return hasEarlier ? [...gone, l10n.t('... earlier matching lines')] : gone;
  return hasEarlier ? [...gone, l10n.t('... {0} earlier log lines', formats.number(from - goneRows))] : gone;
}

function renderAfter({ to, rowCount, filter }: LogWindow): string {
  if (isFiltered(filter)) return l10n.t('... more matching lines');
  return l10n.t('... {0} later log lines', formats.number(rowCount - to));
}

export function renderLog({ execution, window, lines: shown, runOf }: LogFacts): RenderedLog {
  const { rowCount, hasLater, filter } = window;
  const before = renderBefore(window);
  if (shown.some(({ hasMaskedKeys }) => hasMaskedKeys))
    before.push(l10n.t('... API keys in these lines are masked'));
  const texts = [...before];
  const positions = before.map(() => -1);
  const sections: RunSection[] = [];
  for (const line of shown) {
    const firstLine = positions.length;
    positions.push(...line.text.split('\n').map(() => line.position));
    addSection(sections, line, [firstLine, positions.length - 1], runOf(line));
    texts.push(line.text);
  }
  const nothingPasses = isFiltered(filter) && shown.length === 0 && rowCount > 0;
  const end = nothingPasses ? l10n.t('No lines match the filter.') : renderEnd(execution, rowCount > 0);
  const after = hasLater ? renderAfter(window) : end;
  const text = [...texts, after].map((each) => (each === '' ? '' : `${each}\n`)).join('');
  return { text, sections, window, positions };
}

/** Adds the lines to the last section if they go on with the same node run. */
function addSection(
  sections: RunSection[],
  { text }: LogLine,
  [firstLine, lastLine]: readonly [number, number],
  run: NodeRun | undefined,
): void {
  if (run === undefined) return;
  const last = sections.at(-1);
  const begin = nameBegin(text);
  const link = [begin, begin + renderNodeName(run).length] as const;
  if (last?.run === run && last.lastLine === firstLine - 1)
    sections[sections.length - 1] = { ...last, lastLine };
  else sections.push({ run, firstLine, lastLine, link });
}
