// A workflow's row: its element in the tree, and what it shows.
import * as vscode from 'vscode';
import type { Execution } from '../../domain/execution.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { joined, plainLine } from '../../base/format.ts';
import { tooltip } from '../../editor/markdown.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import { describeDeployment } from '../../ui/pickers/workflowPicker.ts';
import { describeLatest } from '../../words/executionWords.ts';
import { formats } from '../../words/formats.ts';
import { statusIcon } from '../../ui/icons.ts';

export interface WorkflowElement extends RowElement {
  readonly kind: 'workflow';
  readonly connectionId: string;
  readonly workflowId: string;
}

export function workflowKey({ connectionId, workflowId }: WorkflowTarget): string {
  return `${connectionId}/workflow/${workflowId}`;
}

export function workflowElement(connectionId: string, workflowId: string): WorkflowElement {
  const key = workflowKey({ connectionId, workflowId });
  return { invokedBy: 'person', kind: 'workflow', key, connectionId, workflowId };
}

/** latest: its newest execution; undefined if that isn't known. usual: how its executions usually go. now: epoch milliseconds. */
export function renderWorkflow(
  workflow: Workflow,
  latest: Execution | undefined,
  now: number,
  usual?: string,
): vscode.TreeItem {
  const name = plainLine(workflow.name, 120);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  const state = describeDeployment(workflow);
  const { isDeploying = false } = workflow;
  const isAsDeployed =
    !isDeploying && workflow.isDeployed !== false && workflow.hasUndeployedChanges !== true;
  const outcome = latest && describeLatest(latest, now);
  const hasFailed = latest?.status.state === 'failed';
  item.iconPath = hasFailed && !isDeploying ? statusIcon('failed') : deploymentIcon(workflow);
  // First and short: what is last is cut. Where the icon says the failure, the words say the deployment.
  const shortState = !isDeploying && workflow.hasUndeployedChanges === true ? vscode.l10n.t('edited') : state;
  item.description =
    outcome === undefined
      ? joined([isAsDeployed ? undefined : state], '')
      : joined([isAsDeployed && !hasFailed ? undefined : shortState, outcome], ' · ');
  item.contextValue = joined(['workflow', ...whatCanBeDone(workflow)], ',');
  item.tooltip = tooltip(workflow.name, [
    workflow.description ?? undefined,
    state,
    workflow.tags === undefined ? undefined : vscode.l10n.t('Tags: {0}', workflow.tags.join(', ')),
    outcome === undefined ? undefined : vscode.l10n.t('Latest execution: {0}', outcome),
    hasFailed ? latest.error?.message : undefined,
    usual,
    workflow.hasUndeployedChanges === true
      ? vscode.l10n.t('Executions use the deployed version until you deploy again.')
      : undefined,
    workflow.deployedAt === null
      ? undefined
      : vscode.l10n.t('Deployed: {0}', formats.time(workflow.deployedAt)),
    workflow.updatedAt === null ? undefined : vscode.l10n.t('Changed: {0}', formats.time(workflow.updatedAt)),
    vscode.l10n.t('ID: {0}', workflow.id),
  ]);
  item.accessibilityInformation = { label: joined([name, state, outcome], ', ') };
  return item;
}

/** What menus look for. */
function whatCanBeDone({
  isArchived,
  isDeployed,
  hasUndeployedChanges,
}: Workflow): readonly (string | undefined)[] {
  if (isArchived === true) return ['archived'];
  return [
    isDeployed === null ? undefined : isDeployed ? 'deployed' : 'notDeployed',
    hasUndeployedChanges === true ? 'draftDiffers' : undefined,
  ];
}

function deploymentIcon(workflow: Workflow): vscode.ThemeIcon {
  const { isArchived, isDeployed, isDeploying, hasUndeployedChanges } = workflow;
  if (isArchived === true) return new vscode.ThemeIcon('archive');
  if (isDeploying === true) return new vscode.ThemeIcon('loading~spin');
  if (isDeployed === null) return new vscode.ThemeIcon('circle-outline');
  const deployedColor = hasUndeployedChanges === true ? 'testing.iconQueued' : 'testing.iconPassed';
  return isDeployed
    ? new vscode.ThemeIcon('rocket', new vscode.ThemeColor(deployedColor))
    : new vscode.ThemeIcon('circle-large-outline', new vscode.ThemeColor('testing.iconUnset'));
}
