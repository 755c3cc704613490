// Executes a workflow from its definition with the input at hand, without showing the input first.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { ExecuteResult } from '../../editor/commandResults.ts';
import { Cancelled, choose, type Choice } from '../../editor/prompts.ts';
import { parseInput } from '../../model/inputs/inputText.ts';
import type { App } from '../../ui/app.ts';
import { findOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import type { Executor } from './execute.ts';
import { findOpenInput, type InputDocuments } from './inputDocuments.ts';

export type AtOnceDeps = Pick<App, 'commands' | 'drafts' | 'services' | 'workflows'>;

/** The text of the open input document, or else the draft or the last input. Undefined if there's none, or none that can be sent. */
function inputAtHand({ drafts }: AtOnceDeps, target: WorkflowTarget): JsonObject | undefined {
  return parseInput(findOpenInput(target)?.getText() ?? drafts.read(target) ?? '');
}

/** Deploys as the command does, which asks about unsaved edits and shows errors. Rejects with Cancelled if nothing was deployed. */
async function deploy({ commands }: AtOnceDeps, target: WorkflowTarget): Promise<void> {
  const deployed = await commands.run('workflow.deploy', { ...target, invokedBy: 'person' });
  if (deployed === undefined) throw new Cancelled();
}

/** Asks which version to execute. The answer is what must happen before. */
async function askVersion(
  deps: AtOnceDeps,
  target: WorkflowTarget,
  document: vscode.TextDocument | undefined,
): Promise<void> {
  const isEdited = document?.isDirty === true;
  const choices: readonly Choice<() => Promise<void>>[] = [
    {
      icon: 'rocket',
      label: isEdited ? vscode.l10n.t('Save, Deploy and Execute') : vscode.l10n.t('Deploy and Execute'),
      detail: vscode.l10n.t('Executes the definition as you see it.'),
      value: async () => {
        if (isEdited && !(await document.save())) throw new Cancelled();
        await deploy(deps, target);
      },
    },
    {
      icon: 'play',
      label: vscode.l10n.t('Execute What Is Deployed'),
      detail: vscode.l10n.t('Executes the deployed version, without your latest edits.'),
      value: () => Promise.resolve(),
    },
  ];
  const prepare = await choose(vscode.l10n.t('The definition was edited since it was deployed'), choices);
  await prepare();
}

/** Shows the input document if there's no input at hand, or if the service doesn't accept it. Asks one question at most. */
export async function executeAtOnce(
  deps: AtOnceDeps,
  executor: Executor,
  documents: InputDocuments,
  target: WorkflowTarget,
): Promise<ExecuteResult | undefined> {
  const { services, workflows } = deps;
  const input = inputAtHand(deps, target);
  if (input === undefined) {
    await documents.open(target);
    return undefined;
  }
  const document = findOpenDefinition(target);
  const { isDeployed, hasUndeployedChanges } = await workflows.get(target);
  const isEdited = document?.isDirty === true;
  const mayDeploy = !services.notOffered(target.connectionId).current.has('deployWorkflow');
  if (isDeployed === false && isEdited) await deploy(deps, target);
  else if (isDeployed !== false && mayDeploy && (isEdited || hasUndeployedChanges === true))
    await askVersion(deps, target, document);
  try {
    return await executor.execute(target, input, true);
  } catch (error) {
    if (isServiceError(error, 'invalid')) await documents.open(target);
    throw error;
  }
}
