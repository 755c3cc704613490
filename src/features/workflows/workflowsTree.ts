import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { ListTree, type ListTreeView, type TreeSource, type ViewFrame } from '../../editor/tree/tree.ts';
import {
  actionElement,
  moreElement,
  noteElement,
  problemElement,
  type TreeRow,
} from '../../editor/tree/treeElements.ts';
import { isFiltered } from '../../model/workflows/workflowFilter.ts';
import { measureExecutions } from '../../model/statistics/executionStatistics.ts';
import type { LocalService } from '../../model/localService.ts';
import type { App } from '../../ui/app.ts';
import {
  type ExecutionElement,
  type RunTreeElement,
  executionElement,
} from '../../ui/rows/executionElements.ts';
import {
  isCountingRow,
  listNodeRuns,
  renderExecutionRow,
  watchExecutions,
} from '../../ui/rows/executionRows.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { describeStatistics } from '../../words/statistics.ts';
import { renderWorkflow, workflowElement, type WorkflowElement, workflowKey } from './workflowRow.ts';
import { workflowsFrame, connectionState } from './workflowsFrame.ts';

export type WorkflowsElement = WorkflowElement | ExecutionElement | RunTreeElement;

export interface WorkflowsTreeDeps extends Pick<
  App,
  'connections' | 'workflows' | 'executions' | 'following' | 'services' | 'clock' | 'contextKeys' | 'ages'
> {
  readonly localService: Pick<LocalService, 'state'>;
}

/** The workflows of the active connection, below each its executions, and below each of those its node runs. */
export function createWorkflowsTree(view: ListTreeView, deps: WorkflowsTreeDeps): ListTree<WorkflowsElement> {
  return new ListTree(view, new WorkflowsSource(deps), deps);
}

class WorkflowsSource implements TreeSource<WorkflowsElement> {
  readonly #deps: WorkflowsTreeDeps;

  constructor(deps: WorkflowsTreeDeps) {
    this.#deps = deps;
  }

  children(
    parent: WorkflowsElement | undefined,
    signal: AbortSignal,
  ): readonly TreeRow<WorkflowsElement>[] | Promise<readonly TreeRow<WorkflowsElement>[]> {
    switch (parent?.kind) {
      case undefined:
        return this.#workflows(signal);
      case 'workflow':
        return this.#executions(parent, signal);
      case 'execution':
      case 'nodeRun':
      case 'iterations':
        return listNodeRuns(this.#deps, parent, signal);
    }
  }

  render(element: WorkflowsElement, now: number): vscode.TreeItem | undefined {
    if (element.kind !== 'workflow') return renderExecutionRow(this.#deps, element, now);
    const { workflows, executions } = this.#deps;
    const workflow = workflows.find(element);
    if (workflow === undefined) return undefined;
    const { executions: newest, isAll } = executions.newestOf(element);
    const usual = describeStatistics(measureExecutions(newest), isAll);
    return renderWorkflow(workflow, executions.latest(element), now, usual);
  }

  isCounting(element: WorkflowsElement): boolean {
    return element.kind !== 'workflow' && isCountingRow(this.#deps, element);
  }

  parent(element: WorkflowsElement): WorkflowsElement | undefined {
    if (element.kind === 'nodeRun' || element.kind === 'iterations') return element.parent;
    if (element.kind !== 'execution' || element.workflowId === null) return undefined;
    return workflowElement(element.connectionId, element.workflowId);
  }

  frame(now: number): ViewFrame {
    return workflowsFrame(this.#deps, now);
  }

  watch(tree: ListTree<WorkflowsElement>): Disposable {
    const { connections, workflows, executions, localService } = this.#deps;
    const owned = new DisposableStore();
    owned.add(
      workflows.onDidChangeItems((change) => {
        const { connectionId } = workflows.state.current;
        if (change.kind === 'list' || connectionId === null) tree.redrawAll();
        else tree.redraw(change.workflowIds.map((workflowId) => workflowKey({ connectionId, workflowId })));
      }),
    );
    owned.add(
      watchExecutions(this.#deps, tree, ({ connectionId, workflowId }) => {
        if (workflowId !== null) tree.redraw([workflowKey({ connectionId, workflowId })]);
        // The rows of workflows show their latest execution.
        else tree.redrawChanged();
      }),
    );
    owned.add(
      executions.onDidChange((change) => {
        if (change.kind !== 'rows') return;
        const { connectionId, executionIds } = change;
        const owners = executionIds.flatMap((executionId) => {
          const workflowId = executions.find({ connectionId, executionId })?.workflowId ?? null;
          return workflowId === null ? [] : workflowKey({ connectionId, workflowId });
        });
        tree.redrawChanged(new Set(owners));
      }),
    );
    const showFrame = (): void => tree.showFrame();
    owned.add(workflows.state.onDidChange(showFrame));
    owned.add(connections.active.onDidChange(showFrame));
    owned.add(localService.state.onDidChange(showFrame));
    return owned;
  }

  async #workflows(signal: AbortSignal): Promise<readonly TreeRow<WorkflowsElement>[]> {
    const { connections, workflows } = this.#deps;
    if (workflows.state.current.status === 'idle') await workflows.refresh(signal);
    const { connectionId, items, hasData, error, nextCursor, filter } = workflows.state.current;
    const { kind } = connectionState(connections.active.current, hasData, error);
    if (connectionId === null || kind !== 'ready') return [];
    const rows: TreeRow<WorkflowsElement>[] = items.map(({ id }) => workflowElement(connectionId, id));
    if (rows.length > 0 && isFiltered(filter)) rows.unshift(actionElement('workflows.clearFilter'));
    return nextCursor === null ? rows : [...rows, moreElement('workflows.loadMore', connectionId)];
  }

  async #executions(
    { key, connectionId, workflowId }: WorkflowElement,
    signal: AbortSignal,
  ): Promise<readonly TreeRow<WorkflowsElement>[]> {
    const { executions, clock } = this.#deps;
    const scope = { connectionId, workflowId };
    if (executions.list(scope).status === 'idle') await executions.refresh(scope, signal);
    const { items, nextCursor, error, hasData } = executions.list(scope);
    const rows: TreeRow<WorkflowsElement>[] = items.map(({ id }) =>
      executionElement(connectionId, workflowId, id),
    );
    if (error !== null) rows.unshift(problemElement(key, describeError(error, clock.now()).message));
    else if (rows.length === 0)
      rows.push(noteElement(key, hasData ? vscode.l10n.t('Not executed yet') : vscode.l10n.t('Loading…')));
    return nextCursor === null
      ? rows
      : [...rows, moreElement('workflows.loadMore', connectionId, workflowId)];
  }
}
