// Retry from a node run, and the ways between an execution and its retry.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { findRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import type { NodeRunDeps } from '../commands/openNodeRun.ts';

export function registerRetrying(deps: NodeRunDeps): Disposable {
  const { commands, connections, executions } = deps;
  const open = (target: ExecutionTarget, isInteractive: boolean) =>
    commands.run('execution.open', isInteractive ? { ...target, invokedBy: 'person' } : target);
  return combine(
    commands.register<'nodeRun.retry', NodeRunArgument>('nodeRun.retry', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId, executionId }: NodeRunArgument = argument;
        const { nodeId = (await findRun(deps, argument, isInteractive))?.nodeId }: NodeRunArgument = argument;
        if (nodeId === undefined)
          throw new PlainError(vscode.l10n.t('The service no longer keeps this node run.'));
        const retry = { connectionId, executionId, fromNodeId: nodeId };
        return commands.run('execution.retry', isInteractive ? { ...retry, invokedBy: 'person' } : retry);
      },
    }),
    commands.register('execution.openRetried', {
      ask: () =>
        pickExecution(deps, vscode.l10n.t('Select a retry'), {
          accepts: ({ retryOf }) => retryOf !== null,
          nothing: vscode.l10n.t('No execution was retried.'),
        }),
      run: async ({ connectionId, executionId }, { isInteractive }) => {
        const { retryOf } = await executions.get({ connectionId, executionId });
        if (retryOf === null) throw new PlainError(vscode.l10n.t("This execution isn't a retry."));
        return open({ connectionId, executionId: retryOf }, isInteractive);
      },
    }),
    commands.register('execution.openRetry', {
      ask: () => {
        const { id: connectionId } = requireActiveConnection(connections);
        return pickExecution(deps, vscode.l10n.t('Select an execution that was retried'), {
          accepts: ({ id: executionId }) => executions.findRetry({ connectionId, executionId }) !== undefined,
          nothing: vscode.l10n.t('No execution was retried.'),
        });
      },
      run: async ({ connectionId, executionId }, { isInteractive }) => {
        const retry = executions.findRetry({ connectionId, executionId });
        if (retry === undefined) throw new PlainError(vscode.l10n.t('No retry of this execution is listed.'));
        return open({ connectionId, executionId: retry.id }, isInteractive);
      },
    }),
  );
}
