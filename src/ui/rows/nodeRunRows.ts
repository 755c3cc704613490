// The rows below an execution: its node runs, and the iterations of its loops.
import * as vscode from 'vscode';
import { offerCommand } from '../../editor/commands.ts';
import { joined, plainLine } from '../../base/format.ts';
import { tooltip } from '../../editor/markdown.ts';
import type { IterationItem, LoopItem, RangeItem, RunItem, RunTreeItem } from '../../model/runs/runItems.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import type { RunState } from '../../domain/status.ts';
import { countsSeconds, describeElapsed } from '../../words/executionWords.ts';
import {
  describeAttempt,
  describeDuration,
  explainHandled,
  explainAnswered,
  hasTakenResult,
  originWord,
  errorOfRun,
  runWord,
} from '../../words/nodeState.ts';
import { hasAnswerableRequest, hasPinnableOutput } from '../pinning.ts';
import { messageOf, renderIteration } from '../../words/renderLogLine.ts';
import { statusWord } from '../../words/status.ts';
import { type RunTreeElement, runTreeElement } from './executionElements.ts';
import { runIcon, statusIcon } from '../icons.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

function findItem(tree: RunTree, element: RunTreeElement): RunTreeItem | undefined {
  return tree.find(element.kind === 'nodeRun' ? element.nodeRunKey : element.itemKey);
}

export function listBelow(tree: RunTree, element: RunTreeElement): readonly RunTreeElement[] {
  const item = findItem(tree, element);
  return item === undefined ? [] : tree.childrenOf(item).map((child) => runTreeElement(element, child));
}

/** True while a node run's row counts up the seconds. now: epoch milliseconds. */
export function isCountingRun(tree: RunTree, element: RunTreeElement, now: number): boolean {
  const item = findItem(tree, element);
  return item?.kind === 'run' && countsSeconds(item.run.startedAt, item.run.status?.state ?? 'unknown', now);
}

/** undefined if the item isn't known. now: epoch milliseconds. hasEnded: the execution. */
export function renderRunTree(
  tree: RunTree,
  element: RunTreeElement,
  now: number,
  hasEnded = false,
): vscode.TreeItem | undefined {
  const item = findItem(tree, element);
  if (item === undefined) return undefined;
  if (item.kind !== 'run') return renderIterations(lookOf(tree, item));
  const row = renderNodeRun(item, now, hasEnded);
  // A click on a row with rows below unfolds it.
  if (element.kind === 'nodeRun' && item.iterations === null)
    row.command = offerCommand('nodeRun.open', element, { title: vscode.l10n.t('Open Node Run') });
  return row;
}

/** "40 iterations", or "3 of 40 failed"; "40 runs" of a node that ran several times, in no loop that's known. */
function describeIterations(
  { total, failed }: { readonly total: number; readonly failed: number },
  isOfLoop: boolean,
): string {
  if (failed > 0) return vscode.l10n.t('{0} of {1} failed', failed, total);
  if (!isOfLoop) return vscode.l10n.t('{0} runs', total);
  return total === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', total);
}

/** False for a node that ran several times without a loop's numbers. */
function isOfLoop(item: RunItem | LoopItem): boolean {
  return !('attempts' in item);
}

interface IterationsLook {
  readonly label: string;
  readonly spoken: string;
  readonly state: RunState;
  readonly description: string;
}

function lookOf(tree: RunTree, item: LoopItem | IterationItem | RangeItem): IterationsLook {
  switch (item.kind) {
    case 'loop': {
      const label = item.name === '' ? vscode.l10n.t('Loop') : plainLine(item.name, 120);
      const { iterations } = item;
      return {
        label,
        spoken: label,
        state: iterations.state,
        description: describeIterations(iterations, isOfLoop(item)),
      };
    }
    case 'iteration':
      return {
        label: `[${item.index + 1}]`,
        spoken: vscode.l10n.t('Iteration {0}', item.index + 1),
        state: item.state,
        description: reasonIn(item) ?? '',
      };
    case 'range': {
      const range = tree.summarize(item);
      return {
        label: `[${range.first + 1} … ${range.last + 1}]`,
        spoken: isOfLoop(item.owner)
          ? vscode.l10n.t('Iterations {0} to {1}', range.first + 1, range.last + 1)
          : vscode.l10n.t('Runs {0} to {1}', range.first + 1, range.last + 1),
        state: range.state,
        description: range.failed > 0 ? describeIterations(range, isOfLoop(item.owner)) : '',
      };
    }
  }
}

/** Why an iteration failed. */
function reasonIn({ scope }: IterationItem): string | undefined {
  const failed = scope.items.find(
    (item) => item.kind === 'run' && item.state === 'failed' && !item.run.isHandled,
  );
  if (failed?.kind !== 'run') return undefined;
  return joined([plainLine(failed.run.nodeName, 80), errorOfRun(failed.run)], ': ');
}

function renderIterations({ label, spoken, state, description }: IterationsLook): vscode.TreeItem {
  const item = new vscode.TreeItem(label, Collapsed);
  const word = statusWord(state);
  item.iconPath = statusIcon(state);
  item.description = description;
  item.contextValue = `iterations,${state}`;
  item.tooltip = tooltip(label, [word, description]);
  item.accessibilityInformation = { label: joined([spoken, word, description], ', ') };
  return item;
}

function renderNodeRun(
  { run, iterations, repeats, index }: RunItem,
  now: number,
  hasEnded: boolean,
): vscode.TreeItem {
  const name = plainLine(run.nodeName, 120);
  // The rows above have the iterations.
  const label = repeats === null ? name : `${name} [${index + 1}]`;
  const state = run.status?.state ?? 'unknown';
  const word = runWord(run);
  const item = new vscode.TreeItem(label, iterations === null ? None : Collapsed);
  const attempt = describeAttempt(run);
  const ended = describeDuration(run);
  const duration = ended ?? describeElapsed(run.startedAt, state, now);
  const reason = errorOfRun(run);
  const count = iterations === null ? undefined : describeIterations(iterations, true);
  const origin = originWord(run);
  // Dimmed: nothing ran here.
  item.iconPath = hasTakenResult(run)
    ? new vscode.ThemeIcon(runIcon(run).id, new vscode.ThemeColor('disabledForeground'))
    : runIcon(run);
  // The icons of what was skipped or handled are no well-known ones.
  const shownWord = state === 'skipped' || run.isHandled ? word : undefined;
  item.description = joined([count, shownWord, origin, duration, attempt, reason], ' · ');
  const canRetry = hasEnded && state !== 'skipped' && state !== 'unknown';
  item.contextValue = joined(
    [
      'nodeRun',
      state,
      run.exchange === undefined ? undefined : 'request',
      canRetry ? 'retryable' : undefined,
      hasPinnableOutput(run) ? 'pinnable' : undefined,
      hasAnswerableRequest(run) ? 'answerable' : undefined,
      run.children.length > 0 ? 'parent' : undefined,
    ],
    ',',
  );
  item.tooltip = tooltip(label, [
    word,
    count,
    run.error?.message,
    explainHandled(run),
    explainAnswered(run),
    run.nodeType === null ? undefined : vscode.l10n.t('Node type: {0}', run.nodeType),
    ...run.logs.slice(-5).map((log) => plainLine(messageOf(log))),
  ]);
  item.accessibilityInformation = {
    label: joined(
      [label + renderIteration(run.iteration), word, origin, count, ended, attempt, reason],
      ', ',
    ),
  };
  return item;
}
