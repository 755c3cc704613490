import * as vscode from 'vscode';
import type { BudgetState, BudgetUsage, Purpose } from '../../domain/budget.ts';
import { tooltip } from '../../editor/markdown.ts';
import { secondsUntil } from '../../ui/words/time.ts';

/** left: few requests are left. resumes: even a request of the user has to wait, inMs milliseconds. */
export type BudgetLook =
  | { readonly kind: 'left'; readonly remaining: number; readonly limit: number }
  | { readonly kind: 'resumes'; readonly inMs: number };

/**
 * Undefined while enough requests are left. waitMs: until a request of the user may be sent. Once shown, it stays until half of
 * the limit is left, to avoid flicker.
 */
export function lookAt(
  { limit, remaining }: BudgetState,
  waitMs: number,
  isShown: boolean,
): BudgetLook | undefined {
  if (waitMs > 0) return { kind: 'resumes', inMs: waitMs };
  const plenty = isShown ? limit / 2 : limit / 3;
  return remaining < plenty ? { kind: 'left', remaining, limit } : undefined;
}

/** Milliseconds until the text may change without an event, because requests become available again. Longer while the window isn't focused. */
export function nextLookMs(look: BudgetLook, isFocused: boolean): number {
  if (look.kind === 'resumes') return isFocused ? Math.min(1000, look.inMs) : look.inMs;
  return isFocused ? 5000 : 60_000;
}

interface RenderedBudget {
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly accessibleName: string;
}

function textOf(look: BudgetLook): string {
  return look.kind === 'left'
    ? vscode.l10n.t('{0} of {1} left', look.remaining, look.limit)
    : vscode.l10n.t('resumes in {0} s', secondsUntil(look.inMs, 0));
}

/** Undefined for a count of 0. */
function row(label: string, count = 0): string | undefined {
  return count === 0 ? undefined : vscode.l10n.t('{0}: {1}', label, count);
}

function describePurposes(counts: BudgetUsage['purposes']): readonly (string | undefined)[] {
  const rows: Readonly<Record<Purpose, string | undefined>> = {
    asked: row(vscode.l10n.t('Your commands'), counts.asked),
    following: row(vscode.l10n.t('Following executions'), counts.following),
    portalEvents: row(vscode.l10n.t('Portal events'), counts.portalEvents),
    workflows: row(vscode.l10n.t('Keeping workflows up to date'), counts.workflows),
    executions: row(vscode.l10n.t('Keeping executions up to date'), counts.executions),
    definitions: row(vscode.l10n.t('Node statuses in open definitions'), counts.definitions),
    tests: row(vscode.l10n.t('Tests of workflows'), counts.tests),
  };
  return Object.values(rows);
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
  return {
    text: `$(dashboard) ${text}`,
    accessibleName: vscode.l10n.t('Requests to {0}: {1}', connectionName, text),
    tooltip: tooltip(vscode.l10n.t('Requests to {0}', connectionName), [
      pausedUntil === null
        ? vscode.l10n.t('{0} of {1} are left this minute.', remaining, limit)
        : vscode.l10n.t('The service asked to wait.'),
      look.kind === 'left' && backgroundWaitMs > 0
        ? vscode.l10n.t(
            'The rest is reserved for your commands. Following and refreshing continue in {0} s.',
            secondsUntil(backgroundWaitMs, 0),
          )
        : undefined,
      ...describePurposes(purposes),
      row(vscode.l10n.t('Sent by other windows'), otherWindows),
      row(vscode.l10n.t('Sent by other apps or machines with this key'), otherClients),
    ]),
  };
}
