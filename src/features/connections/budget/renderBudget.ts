import * as vscode from 'vscode';
import { tooltip } from '../../../editor/format.ts';
import type { BudgetLook } from './budgetLook.ts';
import type { BudgetUsage, Purpose } from '../../../domain/budget.ts';
import { secondsUntil } from '../../../ui/words/time.ts';

interface RenderedBudget {
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly accessibleName: string;
}

const purposeWords: Readonly<Record<Purpose, () => string>> = {
  asked: () => vscode.l10n.t('What you asked for'),
  following: () => vscode.l10n.t('Following executions'),
  portalEvents: () => vscode.l10n.t('Portal events'),
  workflows: () => vscode.l10n.t('Keeping workflows up to date'),
  executions: () => vscode.l10n.t('Keeping executions up to date'),
  definitions: () => vscode.l10n.t('Node states in open definitions'),
};

function textOf(look: BudgetLook): string {
  return look.kind === 'left'
    ? vscode.l10n.t('{0} of {1} left', look.remaining, look.limit)
    : vscode.l10n.t('resumes in {0} s', secondsUntil(look.inMs, 0));
}

/** Undefined for a count of 0. */
function row(label: string, count: number): string | undefined {
  return count === 0 ? undefined : vscode.l10n.t('{0}: {1}', label, count);
}

/** Renders the status bar item. backgroundWaitMs: until requests that the user didn't make may be sent. */
export function renderBudget(
  connectionName: string,
  look: BudgetLook,
  usage: BudgetUsage,
  backgroundWaitMs: number,
): RenderedBudget {
  const text = textOf(look);
  const { remaining, limit, pausedUntil, purposes, otherWindows, otherClients } = usage;
  const words = Object.entries(purposeWords) as readonly (readonly [Purpose, () => string])[];
  return {
    text: `$(dashboard) ${text}`,
    accessibleName: vscode.l10n.t('Requests to {0}: {1}', connectionName, text),
    tooltip: tooltip(vscode.l10n.t('Requests to {0}', connectionName), [
      pausedUntil === null
        ? vscode.l10n.t('{0} of {1} are left this minute.', remaining, limit)
        : vscode.l10n.t('The service asked to wait.'),
      look.kind === 'left' && backgroundWaitMs > 0
        ? vscode.l10n.t(
            'The rest is kept for what you do. Following and refreshing go on in {0} s.',
            secondsUntil(backgroundWaitMs, 0),
          )
        : undefined,
      ...words.map(([purpose, word]) => row(word(), purposes[purpose] ?? 0)),
      row(vscode.l10n.t('Sent by other windows'), otherWindows),
      row(vscode.l10n.t('Sent by other programs or machines with this key'), otherClients),
    ]),
  };
}
