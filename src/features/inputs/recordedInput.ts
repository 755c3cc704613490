import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { Executions } from '../../model/executions/executions.ts';

/** Returns the input of an execution. Throws a PlainError if the service doesn't return it. */
export async function readExecutionInput(
  executions: Executions,
  target: ExecutionTarget,
  signal?: AbortSignal,
): Promise<{
  readonly target: WorkflowTarget;
  readonly input: JsonObject;
  readonly trigger: string | undefined;
}> {
  const { workflowId, input, triggerNode: trigger } = await executions.readInput(target, signal);
  if (workflowId === null || !isJsonObject(input))
    throw new PlainError(
      vscode.l10n.t("The service doesn't return the input of this execution, so it can't be executed again."),
    );
  return { target: { connectionId: target.connectionId, workflowId }, input, trigger };
}
