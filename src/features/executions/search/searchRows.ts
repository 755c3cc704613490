// The rows of the Executions view while it shows a search.
import * as vscode from 'vscode';
import {
  actionElement,
  moreElement,
  noteElement,
  problemElement,
  type TreeRow,
} from '../../../editor/tree/treeElements.ts';
import { maximumFound } from '../../../model/search/searchWork.ts';
import type { ExecutionElement } from '../../../ui/rows/executionElements.ts';
import { formats } from '../../../words/formats.ts';
import { foundElement } from './foundRows.ts';
import type { SearchInView } from './shownSearch.ts';

/** reason: why the search failed, in words. */
export function listSearch(
  { connectionId, state }: SearchInView,
  reason: string | undefined,
): readonly TreeRow<ExecutionElement>[] {
  const { status, searched, found, hasMore } = state;
  const rows: TreeRow<ExecutionElement>[] = [actionElement('executions.clearSearch')];
  // A service that searches by itself takes no longer than any other request.
  if (status === 'searching' && searched !== null) rows.push(actionElement('executions.pauseSearch'));
  if (status === 'paused' || status === 'failed') rows.push(actionElement('executions.resumeSearch'));
  if (reason !== undefined) rows.push(problemElement(connectionId, reason));
  rows.push(...found.map((execution) => foundElement(connectionId, execution)));
  if (found.length >= maximumFound) rows.push(noteElement(connectionId, describeEnd()));
  else if (status === 'ended' && hasMore) rows.push(moreElement('executions.loadMoreFound', connectionId));
  return rows;
}

function describeEnd(): string {
  return vscode.l10n.t(
    'The newest {0} are shown. Narrow the search to see others.',
    formats.number(maximumFound),
  );
}
