import * as vscode from 'vscode';
import { isAbortError } from '../../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';
import { ListTree, type ListTreeView, type TreeSource, type ViewFrame } from '../../../editor/tree.ts';
import { moreElement, noteElement, problemElement, type Row } from '../../../editor/treeElements.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { executionElement, type ExecutionElement, listNodeRuns, type NodeRunElement, renderExecutionRow, watchExecutions } from '../../../ui/rows/executionRows.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import type { ActiveFilter, ShownScope } from './activeFilter.ts';
import { executionsFrame, type ExecutionsWelcome, welcomeState } from './executionsFrame.ts';

export type ExecutionsElement = ExecutionElement | NodeRunElement;

export type ExecutionsTreeDeps = Pick<
  App,
  'services' | 'workflows' | 'executions' | 'following' | 'clock' | 'contextKeys'
>;

/** The editor requests every row at once, so the number of rows is limited. */
export const maximumRows = 1000;

/** The executions, newest first, and below each its node runs. */
export function createExecutionsTree(
  view: ListTreeView,
  deps: ExecutionsTreeDeps,
  activeFilter: ActiveFilter,
): ListTree<ExecutionsElement> {
  return new ListTree(view, new ExecutionsSource(deps, activeFilter), deps);
}

/** The welcome view to show; "none": there is no connection. */
export function welcomeOf(
  { services, executions }: Pick<App, 'services' | 'executions'>,
  { scope }: ActiveFilter,
): ExecutionsWelcome {
  const { current } = scope;
  if (current === null) return 'none';
  const notOffered = services.notOffered(current.connectionId);
  return welcomeState(current, executions.list(current), !notOffered.current.has('listExecutions'));
}

class ExecutionsSource implements TreeSource<ExecutionsElement> {
  readonly #deps: ExecutionsTreeDeps;
  readonly #filter: ActiveFilter;

  constructor(deps: ExecutionsTreeDeps, filter: ActiveFilter) {
    this.#deps = deps;
    this.#filter = filter;
  }

  async children(
    parent: ExecutionsElement | undefined,
    signal: AbortSignal,
  ): Promise<readonly Row<ExecutionsElement>[]> {
    const scope = this.#filter.scope.current;
    if (parent?.kind === 'execution') return listNodeRuns(this.#deps, parent, signal);
    if (parent !== undefined || scope === null) return [];
    await this.#readMissing(scope, signal);
    // A scope that was set in the meantime is drawn on its own.
    const isStale = scope !== this.#filter.scope.current;
    return isStale || welcomeOf(this.#deps, this.#filter) === 'byWorkflow' ? [] : this.#rows(scope);
  }

  render(element: ExecutionsElement, now: number): vscode.TreeItem | undefined {
    return renderExecutionRow(this.#deps, element, now, ({ workflowId }) =>
      workflowName(this.#deps.workflows, element.connectionId, workflowId),
    );
  }

  parent(element: ExecutionsElement): ExecutionElement | undefined {
    return element.kind === 'nodeRun' ? element.parent : undefined;
  }

  frame(): ViewFrame {
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
    // Rows show the names of workflows.
    owned.add(this.#deps.workflows.onDidChangeItems(() => tree.redrawAll()));
    return owned;
  }

  #rows(scope: ShownScope): readonly Row<ExecutionsElement>[] {
    const { workflows, executions, clock } = this.#deps;
    const { connectionId } = scope;
    const { items, nextCursor, error } = executions.list(scope);
    const named = [scope, ...items].flatMap(({ workflowId }) => workflowId ?? []);
    workflows.prefetchNames(connectionId, named);
    const rows: Row<ExecutionsElement>[] = items
      .slice(0, maximumRows)
      .map(({ id, workflowId }) => executionElement(connectionId, workflowId, id));
    if (error !== null) rows.unshift(problemElement(connectionId, describeError(error, clock.now()).message));
    if (items.length >= maximumRows) rows.push(noteElement(connectionId, describeEnd()));
    else if (nextCursor !== null) rows.push(moreElement('executions.loadMore', connectionId));
    return rows;
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
