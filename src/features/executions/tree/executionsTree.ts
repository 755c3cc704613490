import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { ListTree, type ListTreeView, type TreeSource, type ViewFrame } from '../../../editor/tree/tree.ts';
import {
  actionElement,
  moreElement,
  noteElement,
  problemElement,
  type TreeRow,
} from '../../../editor/tree/treeElements.ts';
import type { SearchCounts } from '../../../model/search/searchCounts.ts';
import type { PagedListState } from '../../../model/list/pagedList.ts';
import type { App } from '../../../ui/app.ts';
import {
  type ExecutionElement,
  type RunTreeElement,
  executionElement,
} from '../../../ui/rows/executionElements.ts';
import {
  isCountingRow,
  listNodeRuns,
  renderExecutionRow,
  watchExecutions,
} from '../../../ui/rows/executionRows.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import { workflowName } from '../../../words/names.ts';
import { describeSearch } from '../search/describeSearch.ts';
import {
  type FoundPlaceElement,
  listSearch,
  openFoundTitle,
  placeElements,
  renderPlace,
} from '../search/foundRows.ts';
import {
  badgeOf,
  renderSavedSearch,
  type SavedSearchElement,
  savedSearchElement,
} from '../search/savedRows.ts';
import type { SearchInView, ShownSearch } from '../search/shownSearch.ts';
import {
  type ActiveFilter,
  describeViewFilter,
  isViewFiltered,
  type ShownScope,
  type ViewFilter,
} from './viewFilter.ts';

export type ExecutionsElement = ExecutionElement | RunTreeElement | FoundPlaceElement | SavedSearchElement;

type TreeDeps = Pick<
  App,
  'services' | 'workflows' | 'executions' | 'following' | 'clock' | 'contextKeys' | 'ages' | 'savedSearches'
>;

/** What the view shows in place of its list, and what is counted in its badge. */
export interface ViewSearch {
  readonly shown: ShownSearch;
  readonly counts: SearchCounts['counts'];
}

/** The editor requests every row at once, so the number of rows is limited. */
export const maximumRows = 1000;

/** none: there is no connection. byWorkflow: the service only lists executions by workflow, and no workflow is chosen. */
type ExecutionsWelcome = 'none' | 'loading' | 'failed' | 'byWorkflow' | 'empty' | 'filtered' | 'ready';

/** canList: false if the service can't list executions at all. */
export function executionsWelcome(
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
  // "Load More…" is a row as well: only the read pages have nothing that passes.
  if (list.nextCursor !== null) return 'ready';
  return isViewFiltered(filter) ? 'filtered' : 'empty';
}

/** The welcome view to show. */
export function welcomeOf(
  { services, executions }: Pick<App, 'services' | 'executions'>,
  { scope }: ActiveFilter,
): ExecutionsWelcome {
  const { current } = scope;
  if (current === null) return 'none';
  const notOffered = services.notOffered(current.connectionId);
  return executionsWelcome(current, executions.list(current), !notOffered.current.has('listExecutions'));
}

/** filter: null without a connection. workflow: the name of the filter's workflow, sanitized for display. */
export function executionsFrame(
  filter: ViewFilter | null,
  welcome: ExecutionsWelcome,
  workflow: string,
): ViewFrame {
  const words = filter === null ? '' : describeViewFilter(filter, workflow);
  // The editor shows no welcome view beside a message, so the filter is shown in the title then.
  const isBesideTitle = welcome === 'filtered' || welcome === 'byWorkflow';
  // "Only" fits what is shown, and not what is left out.
  const showing =
    filter?.filter.withoutDrafts === true
      ? vscode.l10n.t('Filter: {0}', words)
      : vscode.l10n.t('Showing {0} only', words);
  return {
    welcome: ['executionsState', welcome],
    contexts: [['hasExecutionFilter', filter !== null && isViewFiltered(filter)]],
    message: words === '' || isBesideTitle ? '' : showing,
    description: isBesideTitle ? words : '',
  };
}

class ExecutionsSource implements TreeSource<ExecutionsElement> {
  readonly #deps: TreeDeps;
  readonly #filter: ActiveFilter;
  readonly #search: ViewSearch;

  constructor(deps: TreeDeps, filter: ActiveFilter, search: ViewSearch) {
    this.#deps = deps;
    this.#filter = filter;
    this.#search = search;
  }

  async children(
    parent: ExecutionsElement | undefined,
    signal: AbortSignal,
  ): Promise<readonly TreeRow<ExecutionsElement>[]> {
    if (parent !== undefined) return this.#below(parent, signal);
    const search = this.#search.shown.shown.current;
    if (search !== null) return this.#found(search);
    const scope = this.#filter.scope.current;
    if (scope === null) return [];
    await this.#readMissing(scope, signal);
    // A scope that was set in the meantime is drawn on its own.
    const isStale = scope !== this.#filter.scope.current;
    return isStale || welcomeOf(this.#deps, this.#filter) === 'byWorkflow' ? [] : this.#rows(scope);
  }

  render(element: ExecutionsElement, now: number): vscode.TreeItem | undefined {
    const { shown, counts } = this.#search;
    const { connectionId } = element;
    if (element.kind === 'savedSearch') {
      const saved = this.#deps.savedSearches.find(connectionId, element.query);
      return saved && renderSavedSearch(element, saved, counts.current.get(element.query));
    }
    const found = shown.find(element);
    if (element.kind === 'foundPlace') {
      const text = shown.shown.current?.filter.text ?? '';
      return renderPlace(element, found, text, this.#deps.executions.logs(element).nodeRuns);
    }
    const nameOwner = ({ workflowId }: Execution): string | undefined =>
      workflowId === null ? undefined : workflowName(this.#deps.workflows, connectionId, workflowId);
    const item = renderExecutionRow(this.#deps, element, now, { nameOwner, found });
    if (item !== undefined && element.opens !== undefined)
      item.command = offerCommand(element.opens, element, { title: openFoundTitle() });
    return item;
  }

  isCounting(element: ExecutionsElement): boolean {
    const isOfExecution = element.kind !== 'foundPlace' && element.kind !== 'savedSearch';
    return isOfExecution && isCountingRow(this.#deps, element);
  }

  parent(element: ExecutionsElement): ExecutionsElement | undefined {
    return 'parent' in element ? element.parent : undefined;
  }

  frame(): ViewFrame {
    const search = this.#search.shown.shown.current;
    const list = this.#listFrame();
    const connectionId = this.#filter.scope.current?.connectionId ?? '';
    const badge = badgeOf(this.#deps.savedSearches.list(connectionId), this.#search.counts.current);
    const contexts = [...list.contexts, ['executionSearch', search?.state.status ?? ''] as const];
    if (search === null) return { ...list, contexts, badge };
    const [key] = list.welcome;
    const saved = this.#deps.savedSearches.find(search.connectionId, search.query);
    const message = describeSearch(search, saved?.name);
    return { welcome: [key, 'ready'], contexts, message, description: '', badge };
  }

  #listFrame(): ViewFrame {
    const { scope } = this.#filter;
    const { connectionId = '', workflowId = null } = scope.current ?? {};
    const name = workflowName(this.#deps.workflows, connectionId, workflowId);
    return executionsFrame(scope.current, welcomeOf(this.#deps, this.#filter), name);
  }

  watch(tree: ListTree<ExecutionsElement>): Disposable {
    const owned = new DisposableStore();
    const { scope } = this.#filter;
    owned.add(scope.onDidChange(() => tree.redrawAll()));
    owned.add(
      watchExecutions(this.#deps, tree, (changed) => {
        if (isSameScope(changed, scope.current)) tree.redrawAll();
        else tree.showFrame();
      }),
    );
    owned.add(watchSearch(this.#search.shown, tree));
    owned.add(this.#search.counts.onDidChange(() => tree.redrawAll()));
    owned.add(this.#deps.savedSearches.onDidChange(() => tree.redrawAll()));
    // Rows show the names of workflows.
    owned.add(this.#deps.workflows.onDidChangeItems(() => tree.redrawAll()));
    return owned;
  }

  async #below(
    parent: ExecutionsElement,
    signal: AbortSignal,
  ): Promise<readonly TreeRow<ExecutionsElement>[]> {
    if (parent.kind === 'foundPlace' || parent.kind === 'savedSearch') return [];
    const runs = await listNodeRuns(this.#deps, parent, signal);
    if (parent.kind !== 'execution') return runs;
    return [...placeElements(parent, this.#search.shown.find(parent)?.found), ...runs];
  }

  #found(search: SearchInView): readonly TreeRow<ExecutionsElement>[] {
    const { workflows, clock } = this.#deps;
    const { error, found } = search.state;
    workflows.prefetchNames(
      search.connectionId,
      found.flatMap(({ workflowId }) => workflowId ?? []),
    );
    const isOfService = this.#deps.services.offers(search.connectionId, 'search');
    const reason = error === null ? undefined : describeError(error, clock.now()).message;
    return listSearch(search, isOfService, reason);
  }

  #saved(connectionId: string): readonly SavedSearchElement[] {
    return this.#deps.savedSearches
      .list(connectionId)
      .map((saved) => savedSearchElement(connectionId, saved));
  }

  #rows(scope: ShownScope): readonly TreeRow<ExecutionsElement>[] {
    const { workflows, executions, clock } = this.#deps;
    const { connectionId } = scope;
    const { items, nextCursor, error } = executions.list(scope);
    const named = [scope, ...items].flatMap(({ workflowId }) => workflowId ?? []);
    workflows.prefetchNames(connectionId, named);
    const rows: TreeRow<ExecutionsElement>[] = items
      .slice(0, maximumRows)
      .map(({ id, workflowId }) => executionElement(connectionId, workflowId, id));
    if (error !== null) rows.unshift(problemElement(connectionId, describeError(error, clock.now()).message));
    if (isViewFiltered(scope) && (rows.length > 0 || nextCursor !== null))
      rows.unshift(actionElement('executions.clearFilter'));
    if (items.length >= maximumRows) rows.push(noteElement(connectionId, describeEnd()));
    else if (nextCursor !== null) rows.push(moreElement('executions.loadMore', connectionId));
    // Alone they would stand in place of the welcome view.
    return rows.length === 0 ? rows : [...this.#saved(connectionId), ...rows];
  }

  async #readMissing(scope: ShownScope, signal: AbortSignal): Promise<void> {
    const { workflows, executions } = this.#deps;
    try {
      await Promise.all([
        executions.list(scope).status === 'idle' ? executions.refresh(scope, signal) : undefined,
        workflows.state.current.status === 'idle' ? workflows.refresh(signal) : undefined,
      ]);
    } catch (error) {
      if (!isAbortError(error)) throw error;
    }
  }
}

function describeEnd(): string {
  return vscode.l10n.t(
    'The newest {0} are shown. Filter by workflow, status or time to see others.',
    maximumRows,
  );
}

function isSameScope(scope: ExecutionScope, shown: ShownScope | null): boolean {
  return (
    scope.connectionId === shown?.connectionId &&
    scope.workflowId === shown.workflowId &&
    scope.filter === shown.filter
  );
}

/** The executions, newest first, and below each its node runs. */
export function createExecutionsTree(
  view: ListTreeView,
  deps: TreeDeps,
  activeFilter: ActiveFilter,
  search: ViewSearch,
): ListTree<ExecutionsElement> {
  return new ListTree(view, new ExecutionsSource(deps, activeFilter, search), deps);
}

/** Up to so many rows are drawn again with each that's found. */
const manyRows = 1000;

/** Draws the rows again where there are others, and else what is said of the search. */
function watchSearch({ shown }: ShownSearch, tree: ListTree<ExecutionsElement>): Disposable {
  let drawn = shown.current;
  return shown.onDidChange((search) => {
    if (hasSameRows(search, drawn)) {
      tree.showFrame();
      return;
    }
    drawn = search;
    tree.redrawAll();
  });
}

/** The editor draws all rows of a view again, so many of them wait until there are half as many more. */
function hasSameRows(search: SearchInView | null, drawn: SearchInView | null): boolean {
  if (search === null || drawn === null) return search === drawn;
  const isSame =
    search.query === drawn.query &&
    search.state.status === drawn.state.status &&
    search.state.hasMore === drawn.state.hasMore;
  const { length } = drawn.state.found;
  const waitsForMore = length >= manyRows && search.state.found.length < 1.5 * length;
  return isSame && (search.state.found === drawn.state.found || waitsForMore);
}
