// Why: how a command gets its execution: from the tree or from code as an object, from the palette by choosing.
import * as vscode from 'vscode';
import type { ExecutionReading } from '../api/readings.ts';
import type { Clients } from '../model/clients.ts';
import type { Connections } from '../model/connections/connections.ts';
import type { ExecutionTarget, WorkflowTarget } from '../model/targets.ts';
import type { Workflows } from '../model/workflows/workflows.ts';
import type { CommandDefinition } from '../platform/commands.ts';
import { PlainError } from '../platform/describeError.ts';
import { formatAge, plainLine } from '../platform/format.ts';
import { choose } from '../platform/prompts.ts';
import { statusIcon, statusWord } from '../platform/statusIcon.ts';
import { connectionIdOf, requireActiveConnection, textMember } from './activeConnection.ts';

export interface ExecutionPickerParts {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly workflows: Workflows;
}

/** The workflow's name as far as it was read, else its id. */
export function workflowName(workflows: Workflows, connectionId: string, workflowId: string | null): string {
  if (workflowId === null) return vscode.l10n.t('Execution');
  return plainLine(workflows.find({ connectionId, workflowId })?.name ?? workflowId, 80);
}

/** The last characters of an id: enough to tell one from another on screen. */
export function shortId(id: string): string {
  return plainLine(id.slice(-6));
}

/** Lets a person choose one of the newest executions: of a workflow, else of the active connection. */
export async function pickExecution(
  parts: ExecutionPickerParts,
  placeHolder = vscode.l10n.t('Choose an execution'),
  workflow?: WorkflowTarget,
): Promise<ExecutionTarget> {
  const connectionId = workflow?.connectionId ?? requireActiveConnection(parts.connections).id;
  const query = workflow === undefined ? {} : { workflowId: workflow.workflowId };
  const page = parts.clients.get(connectionId).executions.list({ limit: 50, ...query });
  const choices = page.then(({ items }) => {
    if (items.length === 0) throw new PlainError(vscode.l10n.t('Nothing has been executed yet.'));
    return items.map((execution) => ({
      label: workflowName(parts.workflows, connectionId, execution.workflowId),
      description: describeExecution(execution),
      iconPath: statusIcon(execution.status.state, execution.status.hasWarning),
      value: execution.id,
    }));
  });
  return { connectionId, executionId: await choose(placeHolder, choices) };
}

function describeExecution(execution: ExecutionReading): string {
  const started = execution.startedAt ?? execution.createdAt;
  const age = started === null ? '' : ` · ${formatAge(started, Date.now())}`;
  return `${statusWord(execution.status.state, plainLine(execution.status.word))}${age} · ${shortId(execution.id)}`;
}

/** Reads {executionId, connectionId?}. */
export function decodeExecutionTarget(
  value: Readonly<Record<string, unknown>>,
  connections: Connections,
): ExecutionTarget | undefined {
  const executionId = textMember(value, 'executionId');
  return executionId === undefined
    ? undefined
    : { connectionId: connectionIdOf(value, connections), executionId };
}

/** The argument half of a command that acts on one execution. */
export function executionArgument(
  parts: ExecutionPickerParts,
): Pick<CommandDefinition<ExecutionTarget, unknown>, 'decode' | 'expects' | 'ask'> {
  return {
    decode: (value) => decodeExecutionTarget(value, parts.connections),
    expects: '{executionId}',
    ask: () => pickExecution(parts),
  };
}
