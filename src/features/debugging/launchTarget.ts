// Which execution a launch configuration means.
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { findWorkflow } from '../../ui/pickers/findWorkflow.ts';
import { stopsAt } from './stops.ts';

export type LaunchTargetDeps = Pick<App, 'clock' | 'connections' | 'executions' | 'workflows'>;

const text = v.pipe(v.string(), v.nonEmpty());
/** An execution, or the newest one of a workflow, which is given by its id or name. */
export const Launch = v.looseObject({
  executionId: v.optional(text),
  workflow: v.optional(text),
  execution: v.optional(v.picklist(['latest', 'latestFailed'])),
  /** Default: the active one. */
  connectionId: v.optional(text),
  /** Default: the failure of an execution that failed, else its first node run. */
  stopAt: v.optional(v.picklist(stopsAt)),
});
export type Launch = v.InferOutput<typeof Launch>;

/** Throws a PlainError for what somebody wrote differently. */
export function decodeLaunch(configuration: unknown): Launch {
  const { success, output, issues } = v.safeParse(Launch, configuration);
  if (success) return output;
  const names = new Set(issues.map(({ path }) => plainLine(String(path?.[0]?.key), 80)));
  throw new PlainError(
    vscode.l10n.t('The launch configuration has invalid values: {0}.', [...names].join(', ')),
  );
}

/** Asks for the execution where neither it nor a workflow is named. Rejects with a PlainError or a ServiceError, or when the person cancels. */
export async function findLaunchTarget(
  deps: LaunchTargetDeps,
  { executionId, workflow, execution, connectionId }: Launch,
  signal: AbortSignal,
): Promise<ExecutionTarget> {
  if (executionId === undefined && workflow === undefined)
    return pickExecution(deps, vscode.l10n.t('Select an execution to debug'));
  const connection = connectionId ?? requireActiveConnection(deps.connections).id;
  if (executionId !== undefined) return { connectionId: connection, executionId };
  const target = await findWorkflow(deps, connection, workflow ?? '', signal);
  return findNewest(deps, target, execution === 'latestFailed', signal);
}

async function findNewest(
  { executions }: LaunchTargetDeps,
  { connectionId, workflowId, name }: WorkflowTarget & { readonly name: string },
  isFailed: boolean,
  signal: AbortSignal,
): Promise<ExecutionTarget> {
  // More than one is asked for, since the service's own word for a status may be unknown.
  const query = { workflowId, kind: 'deployed', ...(isFailed ? { status: 'failed' } : {}) } as const;
  const items = await executions.listWhole(connectionId, query, { limit: 10, signal });
  const found = items.find(
    ({ kind, status }) => kind === 'deployed' && (!isFailed || status.state === 'failed'),
  );
  if (found !== undefined) return { connectionId, executionId: found.id };
  if (isFailed) throw new PlainError(vscode.l10n.t('No execution of "{0}" has failed yet.', name));
  throw new PlainError(vscode.l10n.t('"{0}" has no executions yet.', name));
}
