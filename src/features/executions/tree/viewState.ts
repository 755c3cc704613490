// Which welcome view is shown and what the line above the rows says; pure but for the words.
import * as vscode from 'vscode';
import type { ExecutionPeriod } from '../../../domain/executionFilter.ts';
import type { PagedListState } from '../../../model/list/pagedList.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { isNarrowed, type Narrowing } from './viewScope.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { RunState } from '../../../domain/status.ts';

const hour = 3_600_000;

/** The periods that have a name, in milliseconds. */
export const periods = { hour, day: 24 * hour, week: 7 * 24 * hour } as const;

export type WelcomeState = 'none' | 'loading' | 'failed' | 'byWorkflow' | 'empty' | 'filtered' | 'ready';

/**
 * The value of the context key that the welcome views are chosen by; "none": there is no connection.
 * canList: false once the service was found to list executions nowhere; one that lists them below their workflow must be told which.
 */
export function welcomeState(
  narrowing: Narrowing,
  list: PagedListState<Execution>,
  canList: boolean,
): Exclude<WelcomeState, 'none'> {
  if (list.items.length > 0) return 'ready';
  if (list.error !== null) {
    const isByWorkflow = list.error.reason.kind === 'notOffered' && narrowing.workflowId === null;
    return isByWorkflow && canList ? 'byWorkflow' : 'failed';
  }
  if (!list.hasData) return 'loading';
  return isNarrowed(narrowing) ? 'filtered' : 'empty';
}

export function describePeriod(period: ExecutionPeriod): string {
  if (period.kind === 'since') return vscode.l10n.t('since {0}', new Date(period.time).toLocaleString());
  switch (period.milliseconds) {
    case periods.hour:
      return vscode.l10n.t('last hour');
    case periods.day:
      return vscode.l10n.t('last 24 hours');
    case periods.week:
      return vscode.l10n.t('last 7 days');
    default:
      return vscode.l10n.t('last {0} h', Math.round(period.milliseconds / hour));
  }
}

/** A state in the list of the filter's choices and above the rows. */
export function describeStatus(status: RunState): string {
  return statusWord(status, '');
}

/** What the list is narrowed to; empty when it is not. workflow: its name, fit for the screen. */
export function describeNarrowing({ workflowId, filter }: Narrowing, workflow: string): string {
  const words = [
    ...(workflowId === null ? [] : [workflow]),
    ...(filter.status === null ? [] : [describeStatus(filter.status)]),
    ...(filter.period === null ? [] : [describePeriod(filter.period)]),
  ];
  return words.join(' · ');
}

/** The line above the rows, with the way to clear it, and what stands beside the view's title. */
export function viewLines(
  welcome: WelcomeState,
  narrowing: string,
): { readonly message: string; readonly description: string } {
  // The editor shows no welcome view beside a message, so the title tells of the filter then.
  if (welcome === 'filtered' || welcome === 'byWorkflow') return { message: '', description: narrowing };
  const message =
    narrowing === '' ? '' : vscode.l10n.t('Filter: {0}. The funnel above clears it.', narrowing);
  return { message, description: '' };
}
