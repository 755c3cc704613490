import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { looksChanged } from './files/definitionFile.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import { serviceTarget, isOf, isTheirs } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { findServiceDocument } from '../../ui/pickers/openDefinition.ts';
import { findDocument } from '../../editor/documents/documents.ts';
import type { DefinitionFiles } from './files/definitionFiles.ts';
import type { OpenDefinitions } from './files/openDefinitions.ts';

export type FollowChangesDeps = Pick<App, 'workflows' | 'actions' | 'logger'>;

/**
 * Refreshes open definitions without unsaved edits when the workflow list changes. Definitions that aren't open are forgotten,
 * and read again when opened.
 */
export function followChanges(
  deps: FollowChangesDeps,
  files: Pick<DefinitionFiles, 'refresh'>,
  open: OpenDefinitions,
): Disposable {
  /** The definitions that are being read, and whether something was announced of each since. */
  const refreshing = new Map<string, boolean>();
  const refresh = async (uri: vscode.Uri): Promise<void> => {
    const key = uri.toString();
    const isRead = refreshing.has(key);
    refreshing.set(key, isRead);
    if (isRead) return;
    try {
      await files.refresh(uri);
    } catch (error) {
      if (!isAbortError(error) && !isServiceError(error, 'notFound'))
        deps.logger.warn(`A definition could not be read again: ${String(error)}`);
    } finally {
      const mayBeOld = refreshing.get(key) === true;
      refreshing.delete(key);
      if (mayBeOld) check(uri);
    }
  };
  const check = (uri: vscode.Uri): void => {
    const target = serviceTarget(uri);
    const row = target && deps.workflows.find(target);
    const shown = open.shown(uri);
    if (row === undefined || shown === undefined || !looksChanged(shown, row)) return;
    const document = findDocument(uri);
    if (document === undefined) open.forget(uri);
    else if (!document.isDirty) void refresh(uri);
  };
  const allOwn = () => open.uris.filter((uri) => !isTheirs(uri));
  let listed: Pick<WorkflowsState, 'connectionId' | 'items'> = { connectionId: null, items: [] };
  /** A workflow that has left the list is either deleted or filtered out, so its open definition is read once. */
  const checkListed = ({ status, connectionId, items }: WorkflowsState): void => {
    if (status !== 'loaded' || items === listed.items) return;
    const before = listed.connectionId === connectionId ? listed.items : [];
    listed = { connectionId, items };
    for (const uri of allOwn()) {
      const target = serviceTarget(uri);
      const isIn = (list: readonly Workflow[]) => list.some(({ id }) => id === target?.workflowId);
      if (target?.connectionId === connectionId && isIn(before) && !isIn(items) && findDocument(uri))
        void refresh(uri);
    }
  };
  return combine(
    deps.workflows.onDidChangeItems(() => {
      for (const uri of allOwn()) check(uri);
    }),
    deps.workflows.state.onDidChange(checkListed),
    deps.actions.onDidDelete((target) => {
      const shown = findServiceDocument(target)?.uri;
      if (shown !== undefined) open.markGone(shown);
      for (const uri of open.uris) if (isOf(uri, target) && !findDocument(uri)) open.forget(uri);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // An event without content changes means that the document isn't dirty, for example after a revert.
      if (contentChanges.length === 0 && !document.isDirty) check(document.uri);
    }),
  );
}
