// The rows of executions and their node runs, for any view.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Execution } from '../../domain/execution.ts';
import type { ExecutionScope } from '../../domain/targets.ts';
import type { ListTree } from '../../editor/tree.ts';
import { noteElement, problemElement, type Row, type RowElement } from '../../editor/treeElements.ts';
import type { App } from '../app.ts';
import { describeError } from '../words/describeError.ts';
import { type ExecutionElement, executionKey, nodeRunElement, type NodeRunElement } from './elements.ts';
import { renderExecution, renderNodeRun } from './renderExecution.ts';

export type ExecutionRowsDeps = Pick<App, 'executions' | 'following' | 'clock'>;

/** Lists the rows below an execution: read when it's expanded, live while it's followed. Empty when cancelled. */
export async function listNodeRuns(
  { executions, following, clock }: ExecutionRowsDeps,
  element: ExecutionElement,
  signal: AbortSignal,
): Promise<readonly Row<NodeRunElement>[]> {
  const { key } = element;
  const isLive = following.isFollowing(element);
  const feed = executions.logs(element);
  const mayHaveMore = feed.rows.length === 0 || executions.find(element)?.status.isTerminal !== true;
  if (!isLive && mayHaveMore) {
    try {
      await executions.readLogs(element, signal);
    } catch (error) {
      if (signal.aborted) return [];
      return [problemElement(key, describeError(error, clock.now()).message)];
    }
  }
  const rows = feed.nodeRuns.map((run) => nodeRunElement(element, run.key));
  if (rows.length > 0) return rows;
  return [
    noteElement(
      key,
      isLive ? vscode.l10n.t('Waiting for the first node…') : vscode.l10n.t('No node has run'),
    ),
  ];
}

/** Renders a row; undefined if its execution or node run isn't known. nameOwner: returns the owner for renderExecution. */
export function renderExecutionRow(
  { executions, following }: ExecutionRowsDeps,
  element: ExecutionElement | NodeRunElement,
  now: number,
  nameOwner?: (execution: Execution) => string,
): vscode.TreeItem | undefined {
  if (element.kind === 'nodeRun') {
    const run = executions.logs(element).findNodeRun(element.nodeRunKey);
    return run && renderNodeRun(element, run);
  }
  const execution = executions.find(element);
  return (
    execution &&
    renderExecution(execution, following.find(element)?.state.current, now, nameOwner?.(execution))
  );
}

/** Redraws executions that changed or whose node runs changed. Calls `onList` for changed lists. */
export function watchExecutions<T extends RowElement>(
  { executions, following }: ExecutionRowsDeps,
  tree: ListTree<T>,
  onList: (scope: ExecutionScope) => void,
): Disposable {
  const owned = new DisposableStore();
  owned.add(
    executions.onDidChange((change) => {
      if (change.kind === 'list') onList(change.scope);
      else if (change.kind === 'nodeRuns') tree.redraw([executionKey(change.target)]);
      else {
        const { connectionId, executionIds } = change;
        tree.redraw(executionIds.map((executionId) => executionKey({ connectionId, executionId })));
      }
    }),
  );
  owned.add(following.onDidChange(({ target }) => tree.redraw([executionKey(target)])));
  return owned;
}
