// The frame of the Executions view: title, message and welcome view.
import * as vscode from 'vscode';
import type { ExecutionPeriod } from '../../../domain/queries.ts';
import type { ViewFrame } from '../../../editor/tree.ts';
import type { PagedListState } from '../../../model/list/pagedList.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { isFiltered, type ViewFilter } from './activeFilter.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { RunState } from '../../../domain/status.ts';

const hour = 3_600_000;

/** The periods that have their own label, in milliseconds. */
export const periods = { hour, day: 24 * hour, week: 7 * 24 * hour } as const;

/** none: there is no connection. byWorkflow: the service only lists executions by workflow, and no workflow is chosen. */
export type ExecutionsWelcome = 'none' | 'loading' | 'failed' | 'byWorkflow' | 'empty' | 'filtered' | 'ready';

/** canList: false if the service can't list executions at all. */
export function welcomeState(
  filter: ViewFilter,
  list: PagedListState<Execution>,
  canList: boolean,
): Exclude<ExecutionsWelcome, 'none'> {
  if (list.items.length > 0) return 'ready';
  if (list.error !== null) {
    const isByWorkflow = list.error.reason.kind === 'notOffered' && filter.workflowId === null;
    return isByWorkflow && canList ? 'byWorkflow' : 'failed';
  }
  if (!list.hasData) return 'loading';
  return isFiltered(filter) ? 'filtered' : 'empty';
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

export function describeStatus(status: RunState): string {
  return statusWord(status, '');
}

/** Returns an empty text without a filter. workflow: the name of the filter's workflow, sanitized for display. */
export function describeFilter({ workflowId, filter }: ViewFilter, workflow: string): string {
  const words = [
    ...(workflowId === null ? [] : [workflow]),
    ...(filter.status === null ? [] : [describeStatus(filter.status)]),
    ...(filter.period === null ? [] : [describePeriod(filter.period)]),
  ];
  return words.join(' · ');
}

/** filter: null without a connection. workflow: the name of the filter's workflow, sanitized for display. */
export function executionsFrame(
  filter: ViewFilter | null,
  welcome: ExecutionsWelcome,
  workflow: string,
): ViewFrame {
  const words = filter === null ? '' : describeFilter(filter, workflow);
  // The editor shows no welcome view beside a message, so the filter is shown in the title then.
  const isBesideTitle = welcome === 'filtered' || welcome === 'byWorkflow';
  return {
    welcome: ['executionsState', welcome],
    contexts: [['hasExecutionFilter', filter !== null && isFiltered(filter)]],
    message:
      words === '' || isBesideTitle ? '' : vscode.l10n.t('Filter: {0}. The funnel above clears it.', words),
    description: isBesideTitle ? words : '',
  };
}
