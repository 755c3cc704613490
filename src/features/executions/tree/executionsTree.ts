// The data of the Executions view: the newest first, under each its node runs.
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Observable } from '../../../base/observable.ts';
import type { ExecutionChange } from '../../../model/executions/executions.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import {
  executionElement,
  type ExecutionElement,
  executionKey,
  KnownElements,
  moreElement,
  type MoreElement,
  type NodeRunElement,
  noteElement,
  type NoteElement,
} from '../../../ui/rows/elements.ts';
import { listNodeRunRows } from '../../../ui/rows/nodeRunRows.ts';
import { goneItem, renderExecution, renderSharedRow } from '../../../ui/rows/renderRows.ts';
import type { ShownScope } from './viewScope.ts';
import { welcomeState, type WelcomeState } from './viewState.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';

export type ExecutionsElement = ExecutionElement | NodeRunElement | MoreElement | NoteElement;

export type ExecutionsTreeDeps = Pick<App, 'services' | 'workflows' | 'executions' | 'following'>;

/** The editor asks for every row at once, so there is an end to loading more. */
export const maximumRows = 1000;

export class ExecutionsTree implements vscode.TreeDataProvider<ExecutionsElement>, Disposable {
  readonly #deps: ExecutionsTreeDeps;
  readonly #scope: Observable<ShownScope | null>;
  readonly #elements = new KnownElements<ExecutionsElement>();
  readonly #owned = new DisposableStore();
  readonly #lifetime = new AbortController();
  readonly #changes = new vscode.EventEmitter<ExecutionsElement | ExecutionsElement[] | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(deps: ExecutionsTreeDeps, scope: Observable<ShownScope | null>) {
    this.#deps = deps;
    this.#scope = scope;
    this.#owned.add(this.#changes);
    this.#owned.add(scope.onDidChange(() => this.redrawAll()));
    this.#owned.add(
      deps.executions.onDidChange((change) => {
        if (change.kind !== 'list') this.#redraw(keysOf(change));
        else if (isSameScope(change.scope, scope.current)) this.redrawAll();
      }),
    );
    this.#owned.add(
      deps.following.onDidChange(({ target }) =>
        this.#redraw([executionKey(target.connectionId, target.executionId)]),
      ),
    );
    // Rows name their workflow.
    this.#owned.add(deps.workflows.onDidChangeItems(() => this.redrawAll()));
  }

  redrawAll(): void {
    this.#changes.fire(undefined);
  }

  /** What is said where there are no rows. */
  welcome(): WelcomeState {
    const { current } = this.#scope;
    if (current === null) return 'none';
    const notOffered = this.#deps.services.notOffered(current.connectionId);
    return welcomeState(
      current,
      this.#deps.executions.list(current),
      !notOffered.current.has('listExecutions'),
    );
  }

  getTreeItem(element: ExecutionsElement): vscode.TreeItem {
    const { workflows, executions, following } = this.#deps;
    if (element.kind !== 'execution') return renderSharedRow(element, executions, 'executions.loadMore');
    const execution = executions.find(element);
    if (execution === undefined) return goneItem(element);
    const follow = following.find(element)?.state.current;
    const name = workflowName(workflows, element.connectionId, execution.workflowId);
    return renderExecution(element, execution, follow, Date.now(), name);
  }

  getParent(element: ExecutionsElement): ExecutionsElement | undefined {
    return element.kind === 'nodeRun' ? element.parent : undefined;
  }

  async getChildren(element?: ExecutionsElement): Promise<ExecutionsElement[]> {
    if (element === undefined) return this.#executionRows();
    if (element.kind !== 'execution') return [];
    const rows = await listNodeRunRows(this.#deps, element, this.#lifetime.signal);
    return rows.map((row) => (row.kind === 'note' ? row : this.#elements.same(row)));
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#owned.dispose();
  }

  #redraw(keys: readonly string[]): void {
    const elements = keys.flatMap((key) => this.#elements.find(key) ?? []);
    if (elements.length > 0) this.#changes.fire(elements);
  }

  async #executionRows(): Promise<ExecutionsElement[]> {
    const scope = this.#scope.current;
    this.#elements.keepOnly(scope?.connectionId ?? null);
    if (scope === null) return [];
    await this.#readWhatWasNotAsked(scope);
    // What began meanwhile draws itself.
    if (scope !== this.#scope.current || this.welcome() === 'byWorkflow') return [];
    const { connectionId } = scope;
    const { items, nextCursor, error } = this.#deps.executions.list(scope);
    const named = [scope, ...items].flatMap(({ workflowId }) => workflowId ?? []);
    this.#deps.workflows.prefetchNames(connectionId, named);
    const rows = items
      .slice(0, maximumRows)
      .map(({ id, workflowId }) => this.#elements.same(executionElement(connectionId, workflowId, id)));
    if (error !== null) rows.unshift(note(connectionId, describeError(error, Date.now()).message, true));
    if (items.length >= maximumRows) rows.push(note(connectionId, describeEnd(), false));
    else if (nextCursor !== null) rows.push(moreElement(connectionId, null));
    return rows;
  }

  async #readWhatWasNotAsked(scope: ShownScope): Promise<void> {
    const { workflows, executions } = this.#deps;
    const { signal } = this.#lifetime;
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

function note(connectionId: string, text: string, isProblem: boolean): NoteElement {
  return noteElement(connectionId, `${connectionId}/${isProblem ? 'problem' : 'end'}`, text, isProblem);
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

function keysOf(change: Exclude<ExecutionChange, { readonly kind: 'list' }>): readonly string[] {
  return change.kind === 'rows'
    ? change.executionIds.map((executionId) => executionKey(change.connectionId, executionId))
    : [executionKey(change.target.connectionId, change.target.executionId)];
}
