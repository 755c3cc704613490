// Executes a workflow at once with the input at hand, from its definition's document.
import * as vscode from 'vscode';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { ExecuteResult } from '../../editor/commands/declared/members.ts';
import { Cancelled, choose, type Choice } from '../../editor/prompts/prompts.ts';
import { parseInput } from '../../model/inputs/inputText.ts';
import type { App } from '../../ui/app.ts';
import { deployInteractively } from '../../ui/deployInteractively.ts';
import { differs } from '../../ui/fileDifference.ts';
import { findServiceDocument, readOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import { pushFile } from '../../ui/pushFile.ts';
import type { Executor } from './execute.ts';
import { type InputDocuments, textAtHand } from './inputDocuments.ts';
import { InputMismatch } from './inputMismatch.ts';

export type AtOnceDeps = Pick<
  App,
  'actions' | 'commands' | 'connections' | 'definitionTargets' | 'drafts' | 'services' | 'workflows'
>;

/** Prepares what was chosen, and returns whether it's executed as a draft. */
type VersionChoice = Choice<() => Promise<boolean>>;

/**
 * Asks which version to execute, and deploys the definition first if that's the answer. Returns whether to execute a draft instead.
 * edited: its document, if it isn't saved.
 */
function askVersion(
  deps: AtOnceDeps,
  target: WorkflowTarget,
  edited: vscode.TextDocument | undefined,
): Promise<boolean> {
  const canDraft = deps.services.offers(target.connectionId, 'draft');
  return chooseVersion(vscode.l10n.t('The definition has been edited since it was deployed'), [
    {
      icon: 'rocket',
      label: edited ? vscode.l10n.t('Save, Deploy and Execute') : vscode.l10n.t('Deploy and Execute'),
      detail: vscode.l10n.t('Executes the definition as you see it.'),
      value: async () => {
        if (edited && !(await edited.save())) throw new Cancelled();
        await deployInteractively(deps, target);
        return false;
      },
    },
    ...(canDraft ? [draftChoice()] : []),
    deployedChoice(vscode.l10n.t('Executes the deployed version, without your latest edits.')),
  ]);
}

/** The same for a linked file that differs from what the service has. */
function askFileVersion(
  deps: AtOnceDeps,
  target: WorkflowTarget,
  { uri }: vscode.TextDocument,
): Promise<boolean> {
  const { services, workflows } = deps;
  const canDeploy = !services.notOffered(target.connectionId).current.has('deployWorkflow');
  const isDeployed = workflows.find(target)?.isDeployed !== false;
  return chooseVersion(vscode.l10n.t('The file differs from what the service has'), [
    ...(services.offers(target.connectionId, 'draft') ? [draftChoice()] : []),
    ...(canDeploy
      ? [
          {
            icon: 'rocket',
            label: vscode.l10n.t('Push, Deploy and Execute'),
            detail: vscode.l10n.t('Changes the workflow on the service to what the file says.'),
            value: async () => {
              await pushFile(deps, 'files.pushAndDeployFile', uri);
              return false;
            },
          },
        ]
      : []),
    ...(isDeployed
      ? [deployedChoice(vscode.l10n.t('Executes the deployed version, without the changes in this file.'))]
      : []),
  ]);
}

async function chooseVersion(question: string, choices: readonly VersionChoice[]): Promise<boolean> {
  const prepare = await choose(question, choices);
  return prepare();
}

function deployedChoice(detail: string): VersionChoice {
  const label = vscode.l10n.t('Execute Deployed Version');
  return { icon: 'play', label, detail, value: () => Promise.resolve(false) };
}

function draftChoice(): VersionChoice {
  return {
    icon: 'beaker',
    label: vscode.l10n.t('Execute as Draft'),
    detail: vscode.l10n.t('A draft is executed as you see it, and nothing is deployed.'),
    value: () => Promise.resolve(true),
  };
}

/**
 * Shows the input document if there's no input at hand, or if it doesn't match the trigger's schema or the service
 * doesn't accept it. Asks one question at most. The local
 * service gets a saved definition without a question: nobody else depends on what is deployed there.
 */
export async function executeAtOnce(
  deps: AtOnceDeps,
  executor: Executor,
  documents: InputDocuments,
  target: WorkflowTarget,
): Promise<ExecuteResult | undefined> {
  const { drafts } = deps;
  const input = parseInput(textAtHand(drafts, target) ?? '');
  if (input === undefined) {
    await documents.open(target);
    return undefined;
  }
  const isDraft = await decideVersion(deps, target);
  try {
    if (isDraft)
      return await executor.executeDraft(
        target,
        { definition: readOpenDefinition(deps, target), input },
        { isInteractive: true },
      );
    return await executor.execute(target, input, { isInteractive: true });
  } catch (error) {
    if (isServiceError(error, 'invalid') || error instanceof InputMismatch) await documents.open(target);
    throw error;
  }
}

/** Asks where that has to be asked. Returns whether to execute a draft. */
async function decideVersion(deps: AtOnceDeps, target: WorkflowTarget): Promise<boolean> {
  const { connections, definitionTargets, services, workflows } = deps;
  const { isDeployed, hasUndeployedChanges } = await workflows.get(target);
  const open = definitionTargets.findOpen(target);
  if (open !== undefined && (await isUnpushed(deps, target, open))) return askFileVersion(deps, target, open);
  const document = findServiceDocument(target);
  const edited = document?.isDirty === true ? document : undefined;
  const mayDeploy = !services.notOffered(target.connectionId).current.has('deployWorkflow');
  const isLocal = connections.find(target.connectionId)?.kind === 'local';
  if (isDeployed === false && edited && !services.offers(target.connectionId, 'draft'))
    await deployInteractively(deps, target);
  else if (isDeployed !== false && mayDeploy && (edited || hasUndeployedChanges === true)) {
    if (!isLocal || edited) return askVersion(deps, target, edited);
    await deployInteractively(deps, target);
  }
  return false;
}

/** True for a linked file that says something else than the service has. */
async function isUnpushed(
  { definitionTargets, workflows }: Pick<AtOnceDeps, 'definitionTargets' | 'workflows'>,
  target: WorkflowTarget,
  document: vscode.TextDocument,
): Promise<boolean> {
  if (!definitionTargets.isLinkedFile(document.uri) || definitionTargets.isPushed(document)) return false;
  const known = workflows.find(target);
  return differs(document.getText(), known?.hasDefinition === true ? known : await workflows.read(target));
}
