// How far the search in the view is, in words.
import * as l10n from '@vscode/l10n';
import { joined, plainLine } from '../../../base/format.ts';
import type { SearchState } from '../../../model/search/executionSearch.ts';
import { maximumFound } from '../../../model/search/searchWork.ts';
import { formats } from '../../../words/formats.ts';
import type { SearchInView } from './shownSearch.ts';

/** "120 of 800 searched, since Nov 27, 2026, 10:00:00 AM"; undefined where the service searches by itself. */
function describeSearched({ searched, listed, isWholeListed, since }: SearchState): string | undefined {
  if (searched === null) return undefined;
  const done = formats.number(searched);
  const count =
    listed === null || listed <= searched
      ? l10n.t('{0} searched', done)
      : isWholeListed
        ? l10n.t('{0} of {1} searched', done, formats.number(listed))
        : l10n.t('{0} of {1} or more searched', done, formats.number(listed));
  return since === null ? count : joined([count, l10n.t('back to {0}', formats.time(since))], ', ');
}

function describeCount({ found, status, hasMore }: SearchState): string {
  const count = formats.number(found.length);
  const isAll = status === 'ended' && !hasMore && found.length < maximumFound;
  if (isAll && found.length === 0) return l10n.t('No executions found');
  if (isAll) return found.length === 1 ? l10n.t('1 execution found') : l10n.t('{0} executions found', count);
  if (status === 'ended') return l10n.t('The {0} newest found', count);
  return l10n.t('{0} found so far', count);
}

function describeProgress(state: SearchState): string {
  const count = describeCount(state);
  const searched = describeSearched(state);
  switch (state.status) {
    case 'searching':
      return joined(
        [
          state.waitsUntil === null ? l10n.t('Searching…') : l10n.t('Waiting for the request limit…'),
          searched,
          count,
        ],
        ' · ',
      );
    case 'paused':
      return joined([l10n.t('Paused'), searched, count], ' · ');
    case 'cancelled':
      return joined([l10n.t('Cancelled'), searched, count], ' · ');
    case 'failed':
      return joined([l10n.t('The search failed'), searched, count], ' · ');
    case 'ended':
      return joined([count, state.hasMore ? searched : undefined], ' · ');
  }
}

/** The message of the view. name: of the saved search with this query. */
export function describeSearch({ query, state }: SearchInView, name = query): string {
  const { partlySearched } = state;
  return joined(
    [
      `${plainLine(name, 80)}: ${describeProgress(state)}`,
      partlySearched === 0 ? undefined : l10n.t('searched only in part: {0}', formats.number(partlySearched)),
    ],
    ' · ',
  );
}
