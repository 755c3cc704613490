// The rows of the Executions view while it shows a search: those of found executions, and below each where the text stands in it.
import * as vscode from 'vscode';
import { offerCommand } from '../../../editor/commands.ts';
import { tooltip } from '../../../editor/markdown.ts';
import {
  actionElement,
  moreElement,
  noteElement,
  problemElement,
  type RowElement,
  type TreeRow,
} from '../../../editor/tree/treeElements.ts';
import { foldText } from '../../../domain/findText.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { Execution } from '../../../domain/execution.ts';
import { plainLine } from '../../../base/format.ts';
import { maximumFound } from '../../../model/search/searchWork.ts';
import { type ExecutionElement, executionElement } from '../../../ui/rows/executionElements.ts';
import { formats } from '../../../words/formats.ts';
import { describePlace } from '../../../words/foundPlaces.ts';
import type { SearchInView } from './shownSearch.ts';

/** One place in a found execution. `at`: its index among them. */
export interface FoundPlaceElement extends RowElement {
  readonly kind: 'foundPlace';
  readonly connectionId: string;
  readonly executionId: string;
  readonly at: number;
  readonly parent: ExecutionElement;
}

/** Enter on the row, and a click, open the first place. */
function foundElement(connectionId: string, { id, workflowId, found = [] }: Execution): ExecutionElement {
  const element = executionElement(connectionId, workflowId, id);
  return found.length === 0 ? element : { ...element, opens: 'execution.openFound' };
}

export function placeElements(
  parent: ExecutionElement,
  found: Execution['found'] = [],
): readonly FoundPlaceElement[] {
  const { connectionId, executionId } = parent;
  return found.map((_, at) => ({
    invokedBy: 'person',
    kind: 'foundPlace',
    key: `${parent.key}/found/${at}`,
    connectionId,
    executionId,
    at,
    parent,
  }));
}

export const openFoundTitle = (): string => vscode.l10n.t('Open Where It Was Found');

/** Returns undefined if the search no longer has the place. text: what was searched for. nodeRuns: those that are known. */
export function renderPlace(
  element: FoundPlaceElement,
  execution: Execution | undefined,
  text: string,
  nodeRuns: readonly NodeRun[],
): vscode.TreeItem | undefined {
  const place = execution?.found?.[element.at];
  if (place === undefined) return undefined;
  const nodeName = nodeRuns.find(({ nodeId }) => nodeId === place.nodeId)?.nodeName;
  const where = describePlace(place, nodeName);
  const label = plainLine(place.excerpt, 200);
  const folded = foldText(plainLine(text));
  const begin = folded === '' ? -1 : foldText(label).indexOf(folded);
  const item = new vscode.TreeItem({
    label,
    highlights: begin === -1 ? [] : [[begin, begin + folded.length]],
  });
  item.iconPath = new vscode.ThemeIcon('search');
  item.description = where;
  item.tooltip = tooltip(where, [label]);
  item.contextValue = 'foundPlace';
  item.command = offerCommand('execution.openFound', element, { title: openFoundTitle() });
  item.accessibilityInformation = { label: `${label}, ${where}` };
  return item;
}

/** isOfService: the service searches, which takes no longer than any other request. reason: why the search failed, in words. */
export function listSearch(
  { connectionId, state }: SearchInView,
  isOfService: boolean,
  reason: string | undefined,
): readonly TreeRow<ExecutionElement>[] {
  const { status, found, hasMore } = state;
  const rows: TreeRow<ExecutionElement>[] = [actionElement('executions.clearSearch')];
  if (status === 'searching' && !isOfService) rows.push(actionElement('executions.pauseSearch'));
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
