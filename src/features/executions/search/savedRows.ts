// The rows of saved searches, above the executions.
import * as vscode from 'vscode';
import { offerCommand } from '../../../editor/commands.ts';
import { tooltip } from '../../../editor/markdown.ts';
import type { RowElement } from '../../../editor/tree/treeElements.ts';
import { joined, plainLine } from '../../../base/format.ts';
import type { SavedSearch } from '../../../model/search/savedSearches.ts';
import type { SearchCount } from '../../../model/search/searchCounts.ts';
import { formats } from '../../../words/formats.ts';

export interface SavedSearchElement extends RowElement {
  readonly kind: 'savedSearch';
  readonly connectionId: string;
  readonly query: string;
}

export function savedSearchElement(connectionId: string, { query }: SavedSearch): SavedSearchElement {
  const key = `${connectionId}/savedSearch/${query}`;
  return { invokedBy: 'person', kind: 'savedSearch', key, connectionId, query };
}

/** "12", or "100+". */
function renderCount({ count, hasMore }: SearchCount): string {
  return `${formats.number(count)}${hasMore ? '+' : ''}`;
}

/** count: of what it finds, if that's counted. */
export function renderSavedSearch(
  element: SavedSearchElement,
  { name, query, isCounted }: SavedSearch,
  count: SearchCount | undefined,
): vscode.TreeItem {
  const label = plainLine(name, 120);
  const item = new vscode.TreeItem(label);
  const shown = count === undefined ? undefined : renderCount(count);
  const found = shown === undefined ? undefined : vscode.l10n.t('{0} found', shown);
  item.iconPath = new vscode.ThemeIcon(isCounted ? 'bell' : 'search');
  item.description = shown ?? '';
  item.contextValue = joined(['savedSearch', isCounted ? 'counted' : 'uncounted'], ',');
  item.tooltip = tooltip(label, [query === name ? undefined : query, found]);
  item.accessibilityInformation = { label: joined([vscode.l10n.t('Saved search {0}', label), found], ', ') };
  item.command = offerCommand('savedSearch.run', element, { title: vscode.l10n.t('Run Saved Search') });
  return item;
}

/** The sum of what is counted; undefined for none. */
export function badgeOf(
  saved: readonly SavedSearch[],
  counts: ReadonlyMap<string, SearchCount>,
): vscode.ViewBadge | undefined {
  const counted = saved.flatMap(({ name, query, isCounted }) => {
    const count = isCounted ? counts.get(query) : undefined;
    return count === undefined ? [] : [{ name, ...count }];
  });
  const value = counted.reduce((sum, { count }) => sum + count, 0);
  if (value === 0) return undefined;
  const lines = counted
    .filter(({ count }) => count > 0)
    .map(({ name, ...count }) => `${plainLine(name, 120)}: ${renderCount(count)}`);
  return { value, tooltip: lines.join('\n') };
}
