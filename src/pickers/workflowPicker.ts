// Why: how a command gets its workflow: from the tree or from code as an object, from the palette by choosing.
import * as vscode from 'vscode';
import type { WorkflowReading } from '../api/readings.ts';
import type { Clients } from '../model/clients.ts';
import type { Connections } from '../model/connections/connections.ts';
import type { WorkflowTarget } from '../model/targets.ts';
import type { CommandDefinition } from '../platform/commands.ts';
import { PlainError } from '../platform/describeError.ts';
import { plainLine } from '../platform/format.ts';
import { choose } from '../platform/prompts.ts';
import { connectionIdOf, requireActiveConnection, textMember } from './activeConnection.ts';

export interface WorkflowPickerParts {
  readonly connections: Connections;
  readonly clients: Clients;
}

const pickLimit = 100;

/** How the workflow stands to its deployment, in a few words; nothing where the service does not tell. */
export function describeDeployment({
  isDeployed,
  hasUndeployedChanges,
}: Pick<WorkflowReading, 'isDeployed' | 'hasUndeployedChanges'>): string {
  if (hasUndeployedChanges === true) return vscode.l10n.t('edited since deployed');
  if (isDeployed === null) return '';
  return isDeployed ? vscode.l10n.t('deployed') : vscode.l10n.t('not deployed');
}

function toChoice(workflow: WorkflowReading) {
  return {
    label: plainLine(workflow.name),
    description: describeDeployment(workflow),
    detail: plainLine(workflow.description ?? ''),
    value: workflow,
  };
}

/** Which workflows there are to choose from, and what is said where there is none. */
export interface WorkflowChoice {
  readonly accepts: (workflow: WorkflowReading) => boolean;
  readonly none: string;
}

function anyWorkflow(): WorkflowChoice {
  return { accepts: () => true, none: vscode.l10n.t('This service has no workflows yet.') };
}

/** Lets a person choose a workflow of the active connection. */
export async function pickWorkflow(
  parts: WorkflowPickerParts,
  { accepts, none } = anyWorkflow(),
): Promise<WorkflowTarget> {
  const connectionId = requireActiveConnection(parts.connections).id;
  const page = parts.clients.get(connectionId).workflows.list({ limit: pickLimit });
  const choices = page.then(({ items }) => {
    const accepted = items.filter(accepts);
    if (accepted.length === 0) throw new PlainError(none);
    return accepted.map(toChoice);
  });
  const workflow = await choose(vscode.l10n.t('Choose a workflow'), choices);
  return { connectionId, workflowId: workflow.id };
}

/** Reads {workflowId, connectionId?}. */
export function decodeWorkflowTarget(
  value: Readonly<Record<string, unknown>>,
  connections: Connections,
): WorkflowTarget | undefined {
  const workflowId = textMember(value, 'workflowId');
  return workflowId === undefined
    ? undefined
    : { connectionId: connectionIdOf(value, connections), workflowId };
}

/** The argument half of a command that acts on one workflow. */
export function workflowArgument(
  parts: WorkflowPickerParts,
  choice?: WorkflowChoice,
): Pick<CommandDefinition<WorkflowTarget, unknown>, 'decode' | 'expects' | 'ask'> {
  return {
    decode: (value) => decodeWorkflowTarget(value, parts.connections),
    expects: '{workflowId}',
    ask: () => pickWorkflow(parts, choice),
  };
}
