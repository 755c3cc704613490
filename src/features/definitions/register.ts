// Definitions as documents: opening, saving, refreshing and resolving conflicts.
import * as vscode from 'vscode';
import { registerChecks } from './checks/register.ts';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { DefinitionStore } from '../../model/workflows/definitionStore.ts';
import { settings } from '../../editor/settings.ts';
import { RememberedBases } from './files/rememberedBases.ts';
import { SavedTexts } from './files/savedTexts.ts';
import { findServiceDocument, serviceUri } from '../../ui/pickers/openDefinition.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { registerCode } from './code/register.ts';
import { registerDefinitionHelp } from './completion/register.ts';
import { registerCompareWithDeployed } from './compareWithDeployed.ts';
import { DefinitionProblems } from './checks/definitionProblems.ts';
import { DefinitionFiles } from './files/definitionFiles.ts';
import { registerExecuteNode } from './drafts/executeNode.ts';
import { registerPins } from './pins/register.ts';
import { registerExpressions } from './expressions/register.ts';
import { followChanges } from './followChanges.ts';
import { forgetDeleted } from './files/forgetDeleted.ts';
import { registerHints } from './hints/register.ts';
import { registerNodeIds } from './nodeIds/register.ts';
import { registerLenses } from './lenses.ts';
import { registerLinks } from './links/register.ts';
import { DrawnExecutions } from './shownExecution/drawnExecutions.ts';
import { registerShownExecution } from './shownExecution/register.ts';
import { registerNodeSelection } from './nodeSelection.ts';
import { OpenDefinitions, type ReadDefinition } from './files/openDefinitions.ts';
import { closeSides, RefusedSaves } from './files/refusedSaves.ts';
import { showNode } from './showNode.ts';
import type { App } from '../../ui/app.ts';

export type DefinitionsDeps = Pick<
  App,
  | 'commands'
  | 'workflows'
  | 'actions'
  | 'definitionFiles'
  | 'definitionHelp'
  | 'definitionTargets'
  | 'definitionSymbols'
  | 'definitionTexts'
  | 'deployedDocuments'
  | 'definitionBases'
  | 'globalState'
  | 'pinFiles'
  | 'codeFiles'
  | 'contextKeys'
  | 'linkedFiles'
  | 'pins'
  | 'logger'
  | 'connections'
  | 'services'
  | 'clock'
  | 'ages'
  | 'evaluator'
  | 'executions'
  | 'extensionFolder'
  | 'following'
  | 'ranDefinitions'
  | 'secrets'
  | 'selection'
  | 'testFiles'
>;

function registerOpen(deps: DefinitionsDeps, read: ReadDefinition): Disposable {
  return deps.commands.register('workflow.open', {
    ask: () => pickWorkflow(deps),
    run: async ({ nodeId, isFile, ...target }, { isInteractive }) => {
      const file = (isFile ?? isInteractive) ? await deps.definitionTargets.openFile(target) : undefined;
      const { uri } = file ?? (await read(target));
      if (nodeId === undefined) await vscode.window.showTextDocument(uri, { preview: false });
      else await showNode(deps.definitionTexts, uri, nodeId);
      return uri.toString();
    },
  });
}

export function registerDefinitions(deps: DefinitionsDeps): Disposable {
  const { commands, workflows, actions } = deps;
  const drawnExecutions = new DrawnExecutions(deps);
  const store = new DefinitionStore({ workflows, actions });
  const texts = new SavedTexts(deps.globalState, settings.keyPrefix);
  const bases = new RememberedBases({
    records: deps.definitionBases,
    clock: deps.clock,
    keyPrefix: settings.keyPrefix,
  });
  const open = new OpenDefinitions(bases, texts, deps);
  /** Reads a definition into its open document, or else into a new one. */
  const read: ReadDefinition = async (target) => {
    const document = findServiceDocument(target);
    const reading = store.read(target);
    if (document !== undefined)
      return { uri: document.uri, snapshot: await open.receiveFrom(document.uri, reading) };
    const snapshot = await reading;
    const uri = serviceUri(deps, target, snapshot.workflow.name);
    open.receive(uri, snapshot);
    return { uri, snapshot };
  };
  const recreate = async (
    connectionId: string,
    definition: JsonObject,
    text: string,
  ): Promise<vscode.Uri> => {
    const { id } = await actions.create(connectionId, definition);
    const target = { connectionId, workflowId: id };
    const snapshot = await store.read(target);
    const uri = serviceUri(deps, target, snapshot.workflow.name);
    await open.acceptSaved(uri, text, snapshot);
    return uri;
  };
  const problems = new DefinitionProblems(deps.definitionTexts);
  const refused = new RefusedSaves(open, commands, recreate);
  const files = new DefinitionFiles(store, open, refused, problems);
  return combine(
    open,
    problems,
    files,
    deps.definitionFiles.attach(files),
    combine(followChanges(deps, files, open), forgetDeleted(deps, texts, bases)),
    vscode.workspace.onDidSaveTextDocument((document) => void closeSides(document)),
    registerOpen(deps, read),
    registerCompareWithDeployed(deps, open, read),
    registerChecks(deps, problems, read),
    drawnExecutions,
    combine(registerNodeSelection(deps), registerCode(deps)),
    registerLenses(drawnExecutions, deps),
    combine(registerExecuteNode(drawnExecutions, deps), registerPins(drawnExecutions, deps)),
    registerExpressions(drawnExecutions, deps, read),
    registerShownExecution(drawnExecutions, deps),
    combine(registerDefinitionHelp(deps, drawnExecutions), registerNodeIds(deps)),
    combine(registerHints(deps, drawnExecutions), registerNodeTypesPage(deps), registerLinks(deps)),
  );
}

function registerNodeTypesPage({
  commands,
  extensionFolder,
}: Pick<App, 'commands' | 'extensionFolder'>): Disposable {
  const page = vscode.Uri.joinPath(extensionFolder, 'media', 'node-types.md');
  // Not at a heading: the preview scrolls there before it's laid out, and ends up elsewhere.
  return commands.registerPlain('nodeTypes.open', async () => {
    await vscode.commands.executeCommand('markdown.showPreview', page);
    return undefined;
  });
}
