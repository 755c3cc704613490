// What stands above a definition of its workflow: to execute and fill it in, and how the text stands to what is deployed.
import * as vscode from 'vscode';
import { plainLine, withoutIcons } from '../../base/format.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { offerCommand } from '../../editor/commands.ts';
import { unarchiveCommand } from '../../ui/unarchive.ts';
import { formatAge } from '../../words/time.ts';

export interface DefinitionFacts {
  readonly target: WorkflowTarget;
  readonly workflow: Workflow;
  /** The text differs from what is saved. */
  readonly isEdited: boolean;
  /** The service offers to deploy. */
  readonly mayDeploy: boolean;
}

function executeCommand(target: WorkflowTarget): vscode.Command {
  return offerCommand(
    'workflow.execute',
    { ...target, isAtOnce: true },
    {
      title: vscode.l10n.t('$(play) Execute'),
      tooltip: vscode.l10n.t('Execute the workflow with its last input'),
    },
  );
}

function inputCommand(target: WorkflowTarget): vscode.Command {
  return offerCommand('workflow.openInput', target, {
    title: vscode.l10n.t('Input'),
    tooltip: vscode.l10n.t('Open the input of the workflow'),
  });
}

function deployCommand(target: WorkflowTarget, isDeployed: boolean): vscode.Command {
  const tooltip = isDeployed
    ? vscode.l10n.t('Executions use the deployed version until you deploy again.')
    : vscode.l10n.t('A workflow must be deployed before it can be executed.');
  return offerCommand('workflow.deploy', target, { title: vscode.l10n.t('$(rocket) Deploy'), tooltip });
}

function aged(words: string, date: Date | null, now: number): string {
  return date === null ? words : `${words} · ${formatAge(date, now)}`;
}

/** Whether the text is deployed. Undefined if the service doesn't say. now: epoch milliseconds. */
function stateCommand(facts: DefinitionFacts, now: number): vscode.Command | undefined {
  const { target, workflow, isEdited } = facts;
  if (workflow.isDeployed === null) return undefined;
  if (!workflow.isDeployed) return { title: vscode.l10n.t('Not deployed'), command: '' };
  if (isEdited || workflow.hasUndeployedChanges === true) {
    const edited = vscode.l10n.t('$(diff) Edited since deployed');
    return offerCommand('workflow.compareWithDeployed', target, {
      title: isEdited ? edited : aged(edited, workflow.updatedAt, now),
      tooltip: vscode.l10n.t('Compare the draft with the deployed version'),
    });
  }
  const deployed =
    workflow.hasUndeployedChanges === null ? vscode.l10n.t('Deployed') : vscode.l10n.t('$(check) Deployed');
  return { title: aged(deployed, workflow.deployedAt, now), command: '' };
}

/** now: epoch milliseconds. */
export function renderDefinitionLenses(facts: DefinitionFacts, now: number): readonly vscode.Command[] {
  const { target, workflow, isEdited, mayDeploy } = facts;
  if (workflow.isArchived === true)
    return [unarchiveCommand(target), { title: vscode.l10n.t('$(archive) Archived'), command: '' }];
  const isDeployed = workflow.isDeployed !== false;
  // Where the service doesn't say whether the draft differs, it may.
  const mayDiffer = isEdited || (workflow.hasUndeployedChanges ?? workflow.isDeployed === true);
  const state = stateCommand(facts, now);
  return [
    executeCommand(target),
    inputCommand(target),
    ...(mayDeploy && (!isDeployed || mayDiffer) ? [deployCommand(target, isDeployed)] : []),
    ...(state === undefined ? [] : [state]),
  ];
}

/** The same for a linked file. isDifferent: from what the service has; undefined if that isn't known. now: epoch milliseconds. */
export function renderFileLenses(
  facts: DefinitionFacts,
  uri: vscode.Uri,
  isDifferent: boolean | undefined,
  now: number,
): readonly vscode.Command[] {
  const { target, workflow, mayDeploy } = facts;
  if (isDifferent === false || workflow.isArchived === true) return renderDefinitionLenses(facts, now);
  const file = { linkedFile: uri.toString() };
  const pushed = offerCommand('files.pushAndDeployFile', file, {
    title: vscode.l10n.t('$(rocket) Push and Deploy'),
    tooltip: vscode.l10n.t('Saving changes the file only. This changes the workflow on the service.'),
  });
  const changed = offerCommand('files.compare', file, {
    title: vscode.l10n.t('$(diff) Not pushed'),
    tooltip: vscode.l10n.t('Compare the file with what the service has'),
  });
  return [
    executeCommand(target),
    inputCommand(target),
    ...(mayDeploy ? [pushed] : []),
    ...(isDifferent === true ? [changed] : []),
  ];
}

const shownFiles = 3;

/** The files that are linked to the workflow, above the definition that the service has. */
export function fileCommands(files: readonly vscode.Uri[]): readonly vscode.Command[] {
  return files.slice(0, shownFiles).map((uri) => ({
    title: `$(go-to-file) ${plainLine(withoutIcons(vscode.workspace.asRelativePath(uri)), 60)}`,
    tooltip: vscode.l10n.t('This file is linked to the workflow. Open it to edit it there.'),
    command: 'vscode.open',
    arguments: [uri],
  }));
}
