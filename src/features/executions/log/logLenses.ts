// Lenses at both ends of a log of which only a part is shown: what is shown, and what leads to the rest.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { schemes } from '../../../editor/ids.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { describeFilter } from './filterLog.ts';
import type { LogTexts } from './logTexts.ts';
import { isFiltered } from './logView.ts';
import type { LogWindow } from './logWindow.ts';
import { formats } from '../../../words/formats.ts';

const noLenses = { above: [], below: [] } as const;

/** "Log lines 20,001–25,000 of 350,000", of which each is a row; with a filter how many of them are shown, or of those that match it. */
export function describeWindow(
  { filter, from, to, rowCount, shownRows, matchingRows }: LogWindow,
  nodeRuns: readonly NodeRun[],
): string {
  const total = formats.number(rowCount);
  if (!isFiltered(filter))
    return vscode.l10n.t('Log lines {0}–{1} of {2}', formats.number(from + 1), formats.number(to), total);
  const shown = formats.number(shownRows);
  const words = describeFilter(filter, nodeRuns);
  return shownRows < matchingRows
    ? vscode.l10n.t('{0} of {1} matching log lines: {2}', shown, formats.number(matchingRows), words)
    : vscode.l10n.t('{0} of {1} log lines: {2}', shown, total, words);
}

/** The lenses above the first line and above the last one. None while the whole log is shown. */
export function renderLogLenses(
  target: ExecutionTarget,
  window: LogWindow,
  nodeRuns: readonly NodeRun[],
): { readonly above: readonly vscode.Command[]; readonly below: readonly vscode.Command[] } {
  const { hasEarlier, hasLater, filter, goneRows } = window;
  if (!hasEarlier && !hasLater && goneRows === 0 && !isFiltered(filter)) return noLenses;
  const earlier = offerCommand('execution.showEarlierLines', target, {
    title: `$(arrow-up) ${vscode.l10n.t('Earlier Lines')}`,
  });
  const later = offerCommand('execution.showLaterLines', target, {
    title: `$(arrow-down) ${vscode.l10n.t('Later Lines')}`,
  });
  const latest = offerCommand('execution.showLatestLines', target, { title: vscode.l10n.t('Latest Lines') });
  return {
    above: [
      { title: describeWindow(window, nodeRuns), command: '' },
      ...(hasEarlier ? [earlier] : []),
      ...(hasLater ? [later] : []),
      offerCommand('execution.openFirstError', target, { title: vscode.l10n.t('First Error') }),
      offerCommand('execution.searchLog', target, { title: vscode.l10n.t('Search…') }),
      offerCommand('execution.filterLog', target, { title: vscode.l10n.t('Filter…') }),
      offerCommand('execution.saveLog', target, { title: vscode.l10n.t('Save Whole Log…') }),
    ],
    below: hasLater ? [later, latest] : [],
  };
}

export function registerLogLenses({ executions }: Pick<App, 'executions'>, logs: LogTexts): Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: schemes.execution, language: 'log' },
    {
      provideCodeLenses: (document) => {
        const target = executionAddress(document.uri)?.target;
        if (target === undefined) return [];
        const window = logs.find(target)?.window;
        if (window === undefined) return [];
        const { above, below } = renderLogLenses(target, window, executions.logs(target).nodeRuns);
        const lensesAt = (line: number, commands: readonly vscode.Command[]) =>
          commands.map((command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
        return [...lensesAt(0, above), ...lensesAt(Math.max(0, document.lineCount - 1), below)];
      },
    },
  );
}
