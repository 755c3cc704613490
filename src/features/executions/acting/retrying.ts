// Retry from a node run, and the ways between an execution and its retry.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { passOn } from '../../../editor/commands.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { type NodeRunArgument, requireRun } from '../../../ui/pickers/nodeRunPicker.ts';
import type { NodeRunDeps } from '../commands/opening.ts';

export function registerRetrying(deps: NodeRunDeps): Disposable {
  const { commands, connections, executions } = deps;
  return combine(
    commands.register<'nodeRun.retry', NodeRunArgument>('nodeRun.retry', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId, executionId }: NodeRunArgument = argument;
        const { nodeId = (await requireRun(deps, argument, isInteractive)).nodeId }: NodeRunArgument =
          argument;
        const retry = { connectionId, executionId, fromNodeId: nodeId };
        return commands.run('execution.retry', passOn(retry, isInteractive));
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
        return commands.run('execution.open', passOn({ connectionId, executionId: retryOf }, isInteractive));
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
        return commands.run('execution.open', passOn({ connectionId, executionId: retry.id }, isInteractive));
      },
    }),
  );
}
