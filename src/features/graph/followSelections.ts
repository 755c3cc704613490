// What the user selects in a tree or looks at in an editor is what the graph shows.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { RowSelection } from '../../editor/tree/rowSelection.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import { toSelectedId } from '../../model/selection/shownExecution.ts';
import type { RunTreeItem } from '../../model/runs/runItems.ts';
import type { App } from '../../ui/app.ts';
import { findSubject, type Subject } from '../../ui/subjects.ts';

interface RowView {
  readonly selection: Pick<RowSelection, 'onDidChoose'>;
}

export interface GraphFollowDeps extends Pick<App, 'definitionTargets' | 'executions' | 'selection'> {
  readonly views: Readonly<Record<'workflows' | 'executions', RowView>>;
}

/** Rows are of other features, so their members are read by name. */
function textIn(value: object, name: string): string | null {
  const found: unknown = new Map<string, unknown>(Object.entries(value)).get(name);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** The node whose run, or whose iterations, an item is about. */
function nodeOf(item: RunTreeItem | undefined): string | null {
  switch (item?.kind) {
    case 'run':
      return item.run.nodeId;
    case 'iteration':
    case 'range':
      return nodeOf(item.owner);
    default:
      return null;
  }
}

/** Returns what a row, or the subject of a document, is about; undefined if it names no workflow that's known. */
export function selectionOf(
  deps: Pick<App, 'executions'>,
  subject: Subject | RowElement,
): Omit<NodeSelection, 'by'> | undefined {
  const { executions } = deps;
  const [connectionId, executionId] = [textIn(subject, 'connectionId'), textIn(subject, 'executionId')];
  if (connectionId === null) return undefined;
  const execution: ExecutionTarget | null = executionId === null ? null : { connectionId, executionId };
  const ofExecution = execution === null ? null : (executions.find(execution)?.workflowId ?? null);
  const workflowId = textIn(subject, 'workflowId') ?? ofExecution;
  if (workflowId === null) return undefined;
  const nodeRunKey = textIn(subject, 'nodeRunKey');
  const itemKey = nodeRunKey ?? textIn(subject, 'itemKey');
  const tree = execution === null ? undefined : executions.logs(execution).runTree;
  const nodeId = itemKey === null ? null : nodeOf(tree?.find(itemKey));
  const target = { connectionId, workflowId };
  return { target, executionId: toSelectedId(deps, target, executionId), nodeId, nodeRunKey };
}

/** Selects in the model what is selected in the trees, and what the document in front is about. */
export function followSelections(deps: GraphFollowDeps): Disposable {
  const { views } = deps;
  const owned = new DisposableStore();
  const select = (subject: Subject | RowElement, by: NodeSelection['by']): void => {
    const selection = selectionOf(deps, subject);
    if (selection !== undefined) deps.selection.selectNode({ ...selection, by });
  };
  for (const { selection } of [views.workflows, views.executions])
    owned.add(
      selection.onDidChoose(([row, ...others]) => {
        if (row !== undefined && others.length === 0) select(row, 'tree');
      }),
    );
  const look = (editor: vscode.TextEditor | undefined): void => {
    // In a definition, its cursor says more.
    if (editor === undefined || deps.definitionTargets.of(editor.document.uri) !== undefined) return;
    const subject = findSubject(deps, editor.document.uri);
    if (subject !== undefined) select(subject, 'definition');
  };
  owned.add(vscode.window.onDidChangeActiveTextEditor(look));
  look(vscode.window.activeTextEditor);
  return owned;
}
