// Definitions as documents: opened, saved as updates, kept true to the service, and conflicts put to the person.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import { DefinitionStore } from '../../model/definitions/definitionStore.ts';
import { RememberedBases, looksChanged } from '../../model/definitions/shownDefinition.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import { findOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import { workflowArgument } from '../../ui/pickers/workflowPicker.ts';
import { type ReadDefinition, registerCompareWithDeployed } from './compareWithDeployed.ts';
import { DefinitionFiles } from './definitionFiles.ts';
import { createDefinitionProblems } from './definitionProblems.ts';
import { registerDeployedDocuments } from './deployedDocuments.ts';
import { registerDeploymentLenses } from './deploymentLenses.ts';
import { registerLastRun } from './lastRun/register.ts';
import { OpenDefinitions } from './openDefinitions.ts';
import { createConflictResolver } from './resolveConflict.ts';
import { createDeletionResolver } from './resolveDeletion.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { App } from '../../ui/app.ts';
import { definitionTarget, definitionUri, isOf, isTheirs } from '../../ui/addresses.ts';
import { connectionName } from '../../ui/words/names.ts';
import { findDocument } from '../../editor/documents.ts';

export type DefinitionsDeps = Pick<
  App,
  | 'commands'
  | 'workflows'
  | 'actions'
  | 'definitionFiles'
  | 'deployedDocuments'
  | 'workspaceState'
  | 'logger'
  | 'connections'
  | 'services'
  | 'clock'
  | 'executions'
  | 'following'
>;

/** Open documents without unsaved edits follow what the view learns; what is not open is read anew when it is. */
function followChanges(deps: DefinitionsDeps, files: DefinitionFiles, open: OpenDefinitions): Disposable {
  const refreshing = new Set<string>();
  const refresh = async (uri: vscode.Uri): Promise<void> => {
    const key = uri.toString();
    if (refreshing.has(key)) return;
    refreshing.add(key);
    try {
      await files.refresh(uri);
    } catch (error) {
      if (!isAbortError(error) && !isServiceError(error, 'notFound'))
        deps.logger.warn(`A definition could not be read again: ${String(error)}`);
    } finally {
      refreshing.delete(key);
    }
  };
  const check = (uri: vscode.Uri): void => {
    const target = definitionTarget(uri);
    const row = target && deps.workflows.find(target);
    const shown = open.shown(uri);
    if (row === undefined || shown === undefined || !looksChanged(shown, row)) return;
    const document = findDocument(uri);
    if (document === undefined) open.forget(uri);
    else if (!document.isDirty) void refresh(uri);
  };
  const allOwn = () => open.all.map(({ uri }) => uri).filter((uri) => !isTheirs(uri));
  let listed: Pick<WorkflowsState, 'connectionId' | 'items'> = { connectionId: null, items: [] };
  /** What the list showed and shows no more may be deleted, or only filtered away: the service is asked once. */
  const checkListed = ({ status, connectionId, items }: WorkflowsState): void => {
    if (status !== 'loaded' || items === listed.items) return;
    const before = listed.connectionId === connectionId ? listed.items : [];
    listed = { connectionId, items };
    for (const uri of allOwn()) {
      const target = definitionTarget(uri);
      const isIn = (list: readonly Workflow[]) => list.some(({ id }) => id === target?.workflowId);
      if (target?.connectionId === connectionId && isIn(before) && !isIn(items) && findDocument(uri))
        void refresh(uri);
    }
  };
  const owned = new DisposableStore();
  owned.add(
    deps.workflows.onDidChangeItems(() => {
      for (const uri of allOwn()) check(uri);
    }),
  );
  owned.add(deps.workflows.state.onDidChange(checkListed));
  owned.add(
    deps.actions.onDidDelete((target) => {
      const shown = findOpenDefinition(target)?.uri;
      if (shown !== undefined) open.markGone(shown);
      for (const { uri } of open.all) if (isOf(uri, target) && !findDocument(uri)) open.forget(uri);
    }),
  );
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // An event without changes tells that the document is clean again, as after a revert.
      if (contentChanges.length === 0 && !document.isDirty) check(document.uri);
    }),
  );
  return owned;
}

export function registerDefinitions(deps: DefinitionsDeps): Disposable {
  const { commands, connections, workflows, actions } = deps;
  const owned = new DisposableStore();
  const store = new DefinitionStore({
    read: (target, signal) => workflows.read(target, signal),
    update: (target, changes, signal) => actions.update(target, changes, signal),
  });
  const open = owned.add(new OpenDefinitions(new RememberedBases(deps.workspaceState), deps.logger));
  const problems = owned.add(createDefinitionProblems());
  const onConflict = createConflictResolver(open, (error) => commands.present(error));
  /** Reads a definition into the document that is open already, else into a new one. */
  const read = async (target: WorkflowTarget): Promise<ReadDefinition> => {
    const openUri = findOpenDefinition(target)?.uri;
    const before = openUri && open.shown(openUri);
    const snapshot = await store.read(target);
    const folder = connectionName(connections, target.connectionId);
    const uri = openUri ?? definitionUri(target, folder, snapshot.workflow.name);
    // A save in between has read something newer.
    if (openUri === undefined || open.shown(openUri) === before) open.receive(uri, snapshot);
    return { uri, snapshot };
  };
  const onDeletion = createDeletionResolver(
    async (connectionId, definition, text) => {
      const { id } = await actions.create(connectionId, definition);
      const target = { connectionId, workflowId: id };
      const snapshot = await store.read(target);
      const folder = connectionName(connections, connectionId);
      const uri = definitionUri(target, folder, snapshot.workflow.name);
      open.acceptSaved(uri, text, snapshot);
      return uri;
    },
    (error) => commands.present(error),
  );
  const files = owned.add(new DefinitionFiles({ store, open, problems, onConflict, onDeletion }));
  owned.add(deps.definitionFiles.attach(files));
  owned.add(followChanges(deps, files, open));
  owned.add(
    commands.register('workflow.open', {
      ...workflowArgument(deps),
      run: async (target) => {
        const { uri } = await read(target);
        await vscode.window.showTextDocument(uri, { preview: false });
        return uri.toString();
      },
    }),
  );
  owned.add(registerCompareWithDeployed(deps, read));
  owned.add(registerDeployedDocuments(deps, open));
  owned.add(registerDeploymentLenses(deps));
  owned.add(registerLastRun(deps));
  return owned;
}
