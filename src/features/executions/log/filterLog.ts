// Chooses what of a log is shown: rows of a level and above, of one node, and with a text.
import * as vscode from 'vscode';
import type { LogFilter } from '../../../domain/logEntry.ts';
import { type LogLevel, logLevels } from '../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { plainLine } from '../../../base/format.ts';
import { askText, type Choice, choose } from '../../../editor/prompts/prompts.ts';
import { isFiltered, wholeFilter } from './logView.ts';

function levelLabel(level: LogLevel): string {
  switch (level) {
    case 'debug':
      return vscode.l10n.t('All levels');
    case 'info':
      return vscode.l10n.t('Without debug lines');
    case 'warn':
      return vscode.l10n.t('Warnings and errors');
    case 'error':
      return vscode.l10n.t('Errors');
  }
}

const levelIcons: Readonly<Record<LogLevel, string>> = {
  debug: 'list-unordered',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/** The name and the id of each node that has runs, in the order of its first run. */
function nodesOf(nodeRuns: readonly NodeRun[]): ReadonlyMap<string, string> {
  return new Map(nodeRuns.toReversed().map(({ nodeId, nodeName }) => [nodeId, nodeName]));
}

/** What the filter lets pass, in words; empty for all. */
export function describeFilter({ level, nodeId, text }: LogFilter, nodeRuns: readonly NodeRun[]): string {
  const levels = level === null ? [] : [levelLabel(level)];
  const nodes = nodeId === null ? [] : [plainLine(nodesOf(nodeRuns).get(nodeId) ?? nodeId, 60)];
  const texts = text === null ? [] : [`"${plainLine(text, 60)}"`];
  return [...levels, ...nodes, ...texts].join(' · ');
}

type ChosenFilter = LogFilter | 'text';

const separator = (label: string): Choice<ChosenFilter> => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
  value: wholeFilter,
});

/** Empty for all lines. */
async function askFilterText(current: LogFilter): Promise<LogFilter> {
  const text = await askText({
    prompt: vscode.l10n.t('Show only lines with this text'),
    value: current.text ?? '',
  });
  return { ...current, text: text === '' ? null : text };
}

/** Asks for a level, a node or a text; the others stay as they are. */
export async function askLogFilter(current: LogFilter, nodeRuns: readonly NodeRun[]): Promise<LogFilter> {
  const chosen = (isChosen: boolean) => (isChosen ? { description: vscode.l10n.t('current') } : {});
  const levels = logLevels.map((level) => {
    const value = level === 'debug' ? null : level;
    return {
      label: levelLabel(level),
      icon: levelIcons[level],
      ...chosen(current.level === value),
      value: { ...current, level: value },
    };
  });
  const nodes = [...nodesOf(nodeRuns)].toReversed().map(([nodeId, name]) => ({
    label: plainLine(name === '' ? nodeId : name, 80),
    icon: 'symbol-event',
    ...chosen(current.nodeId === nodeId),
    value: { ...current, nodeId },
  }));
  const allNodes = {
    label: vscode.l10n.t('All nodes'),
    icon: 'list-unordered',
    ...chosen(current.nodeId === null),
    value: { ...current, nodeId: null },
  };
  const clear = { label: vscode.l10n.t('Show all lines'), icon: 'clear-all', value: wholeFilter };
  const text: Choice<ChosenFilter> = {
    label: vscode.l10n.t('Lines with a text…'),
    icon: 'search',
    ...(current.text === null ? {} : { description: plainLine(current.text, 60) }),
    value: 'text',
  };
  const chosenFilter = await choose<ChosenFilter>(vscode.l10n.t('Select the lines to show'), [
    ...(isFiltered(current) ? [clear] : []),
    text,
    separator(vscode.l10n.t('Levels')),
    ...levels,
    separator(vscode.l10n.t('Nodes')),
    allNodes,
    ...nodes,
  ]);
  return chosenFilter === 'text' ? askFilterText(current) : chosenFilter;
}
