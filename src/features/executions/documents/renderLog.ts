// Renders the log of an execution, with the line ranges of its node runs.
import * as l10n from '@vscode/l10n';
import { plainLine } from '../../../editor/format.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { saysOnlyStart } from '../../../model/executions/logLines.ts';
import { renderLogLine, renderNodeName } from '../../../ui/words/renderLogLine.ts';
import type { RenderedRuns, RunFacts, RunSection } from './followedDocuments.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import { formatDuration, renderTime } from '../../../ui/words/time.ts';

/** The text below the node logs: how the execution ended, or that there are none. */
function renderEnd({ status, completedAt, durationMs, error }: Execution, hasRows: boolean): string {
  if (!status.isTerminal) return hasRows ? '' : l10n.t('No log lines yet.');
  const word = statusWord(status.state, plainLine(status.word, 40));
  const end = durationMs === null ? word : l10n.t('{0} in {1}', word, formatDuration(durationMs));
  const reason = error === null ? '' : `: ${plainLine(error.message, 2000)}`;
  const time = completedAt === null ? '' : `${renderTime(completedAt)} `;
  const level = status.state === 'failed' ? 'error' : 'info';
  const nothing = hasRows ? '' : `${l10n.t('This execution has no log.')}\n`;
  return `${nothing}${time}[${level}] ${end}${reason}`;
}

/** Where the node's name stands in its line. */
function nameIn(line: string, row: NodeLog): readonly [begin: number, end: number] {
  const begin = line.indexOf('] ') + 2;
  return [begin, begin + renderNodeName(row).length];
}

/** Caches the lines of each node log, so that a growing log costs only its new lines. */
export class LogRenderer {
  readonly #lines = new WeakMap<NodeLog, string>();

  render({ execution, rows, nodeRuns }: RunFacts): RenderedRuns {
    const runOf = new Map(nodeRuns.flatMap((run) => run.logs.map((row) => [row, run] as const)));
    const sections: RunSection[] = [];
    const lines: string[] = [];
    let count = 0;
    for (const row of rows) {
      const run = runOf.get(row);
      // A node run that says more is not announced first, so that a short one is one line.
      if (saysOnlyStart(row) && run?.logs.at(-1) !== row) continue;
      const line = this.#lineOf(row);
      const firstLine = count;
      count += line.split('\n').length;
      lines.push(line);
      const last = sections.at(-1);
      if (run === undefined) continue;
      const goesOn = last?.run === run && last.lastLine === firstLine - 1;
      const section = goesOn
        ? { ...last, lastLine: count - 1 }
        : { run, firstLine, lastLine: count - 1, link: nameIn(line, row) };
      if (goesOn) sections[sections.length - 1] = section;
      else sections.push(section);
    }
    const end = renderEnd(execution, rows.length > 0);
    return { text: [...lines, end].map((line) => (line === '' ? '' : `${line}\n`)).join(''), sections };
  }

  #lineOf(row: NodeLog): string {
    const line = this.#lines.get(row) ?? renderLogLine('', row);
    this.#lines.set(row, line);
    return line;
  }
}
