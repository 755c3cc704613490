// The workflow of an execution.
import * as vscode from 'vscode';
import type { Execution } from '../domain/execution.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import type { Workflow } from '../domain/workflow.ts';
import { PlainError } from '../editor/plainError.ts';
import type { App } from './app.ts';

/** As far as both are known. */
export function findWorkflowOf(
  { executions, workflows }: Pick<App, 'executions' | 'workflows'>,
  target: ExecutionTarget,
): Workflow | undefined {
  const workflowId = executions.find(target)?.workflowId ?? null;
  return workflowId === null ? undefined : workflows.find({ connectionId: target.connectionId, workflowId });
}

/** Throws a PlainError where the service has no record of the execution, or the record names no workflow. */
export function requireWorkflowId(execution: Pick<Execution, 'workflowId'> | undefined): string {
  const workflowId = execution?.workflowId ?? null;
  if (workflowId === null)
    throw new PlainError(vscode.l10n.t("The service doesn't say which workflow this execution is of."));
  return workflowId;
}
