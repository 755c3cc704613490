// The data of the Workflows view: workflows, under each its executions, under each its node runs.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { connectionState } from '../../model/connections/connectionState.ts';
import type { ExecutionChange } from '../../model/executions/executions.ts';
import { describeError } from '../../ui/words/describeError.ts';
import {
  executionElement,
  type ExecutionElement,
  executionKey,
  KnownElements,
  moreElement,
  noteElement,
} from '../../ui/rows/elements.ts';
import { listNodeRunRows } from '../../ui/rows/nodeRunRows.ts';
import { goneItem, renderExecution, renderSharedRow } from '../../ui/rows/renderRows.ts';
import { type TreeElement, workflowElement, type WorkflowElement, workflowKey } from './elements.ts';
import { renderWorkflow } from './renderWorkflow.ts';
import type { App } from '../../ui/app.ts';

export type WorkflowsTreeDeps = Pick<App, 'connections' | 'workflows' | 'executions' | 'following'>;

/** Rows are drawn from the model at the moment they are asked for; a change redraws only the rows it names. */
export class WorkflowsTree implements vscode.TreeDataProvider<TreeElement>, Disposable {
  readonly #deps: WorkflowsTreeDeps;
  readonly #elements = new KnownElements<TreeElement>();
  readonly #owned = new DisposableStore();
  readonly #lifetime = new AbortController();
  readonly #changes = new vscode.EventEmitter<TreeElement | TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(deps: WorkflowsTreeDeps) {
    this.#deps = deps;
    const { workflows, executions, following } = deps;
    this.#owned.add(this.#changes);
    this.#owned.add(
      workflows.onDidChangeItems((change) => {
        const { connectionId } = workflows.state.current;
        if (change.kind === 'list' || connectionId === null) this.#changes.fire(undefined);
        else this.#redraw(change.workflowIds.map((workflowId) => workflowKey({ connectionId, workflowId })));
      }),
    );
    this.#owned.add(executions.onDidChange((change) => this.#redraw(keysOf(change))));
    this.#owned.add(
      following.onDidChange(({ target }) =>
        this.#redraw([executionKey(target.connectionId, target.executionId)]),
      ),
    );
  }

  /** The row of an execution, for revealing it. */
  executionElement(connectionId: string, workflowId: string, executionId: string): TreeElement {
    return this.#elements.same(executionElement(connectionId, workflowId, executionId));
  }

  redrawAll(): void {
    this.#changes.fire(undefined);
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    const now = Date.now();
    const { workflows, executions, following } = this.#deps;
    switch (element.kind) {
      case 'workflow': {
        const workflow = workflows.find(element);
        return workflow === undefined ? goneItem(element) : renderWorkflow(element, workflow, now);
      }
      case 'execution': {
        const execution = executions.find(element);
        const follow = following.find(element)?.state.current;
        return execution === undefined ? goneItem(element) : renderExecution(element, execution, follow, now);
      }
      default:
        return renderSharedRow(element, executions, 'workflows.loadMore');
    }
  }

  getParent(element: TreeElement): TreeElement | undefined {
    if (element.kind === 'nodeRun') return element.parent;
    if (element.kind !== 'execution' || element.workflowId === null) return undefined;
    return this.#elements.same(workflowElement(element.connectionId, element.workflowId));
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    if (element === undefined) return this.#workflowRows();
    if (element.kind === 'workflow') return this.#executionRows(element);
    return element.kind === 'execution' ? this.#nodeRunRows(element) : [];
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#owned.dispose();
  }

  #redraw(keys: readonly string[]): void {
    const elements = keys.flatMap((key) => this.#elements.find(key) ?? []);
    if (elements.length > 0) this.#changes.fire(elements);
  }

  async #workflowRows(): Promise<TreeElement[]> {
    const { connections, workflows } = this.#deps;
    if (workflows.state.current.status === 'idle') await workflows.refresh(this.#lifetime.signal);
    const { connectionId, items, hasData, error, nextCursor } = workflows.state.current;
    this.#elements.keepOnly(connectionId);
    if (connectionId === null || connectionState(connections.active.current, hasData, error).kind !== 'ready')
      return [];
    const rows: TreeElement[] = items.map(({ id }) => this.#elements.same(workflowElement(connectionId, id)));
    return nextCursor === null ? rows : [...rows, moreElement(connectionId, null)];
  }

  async #executionRows(element: WorkflowElement): Promise<TreeElement[]> {
    const { connectionId, workflowId } = element;
    const scope = { connectionId, workflowId };
    const { executions } = this.#deps;
    if (executions.list(scope).status === 'idle') await executions.refresh(scope, this.#lifetime.signal);
    const { items, nextCursor, error, status } = executions.list(scope);
    const rows: TreeElement[] = items.map(({ id }) =>
      this.#elements.same(executionElement(connectionId, workflowId, id)),
    );
    if (error !== null) {
      rows.unshift(noteElement(connectionId, element.key, describeError(error, Date.now()).message, true));
    } else if (rows.length === 0 && status === 'loaded') {
      rows.push(noteElement(connectionId, element.key, vscode.l10n.t('Not executed yet'), false));
    }
    return nextCursor === null ? rows : [...rows, moreElement(connectionId, workflowId)];
  }

  async #nodeRunRows(element: ExecutionElement): Promise<TreeElement[]> {
    const rows = await listNodeRunRows(this.#deps, element, this.#lifetime.signal);
    return rows.map((row) => (row.kind === 'note' ? row : this.#elements.same(row)));
  }
}

function keysOf(change: ExecutionChange): readonly string[] {
  switch (change.kind) {
    case 'list': {
      const { connectionId, workflowId } = change.scope;
      return workflowId === null ? [] : [workflowKey({ connectionId, workflowId })];
    }
    case 'rows':
      return change.executionIds.map((executionId) => executionKey(change.connectionId, executionId));
    case 'nodeRuns':
      return [executionKey(change.target.connectionId, change.target.executionId)];
  }
}
