// Debug sessions over recorded executions.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { DebugSessions, type DebugSessionsDeps } from './sessions.ts';

export type DebuggingDeps = Omit<DebugSessionsDeps, 'read'> & Pick<App, 'commands' | 'debugging'>;

/** `read`: reads a definition into its document. */
export function registerDebugging(
  deps: DebuggingDeps,
  read: (target: WorkflowTarget) => Promise<{ readonly uri: vscode.Uri }>,
): Disposable {
  const open = async (target: WorkflowTarget) => {
    const { uri } = await read(target);
    return vscode.workspace.openTextDocument(uri);
  };
  const sessions = new DebugSessions({ ...deps, read: open });
  return combine(
    sessions,
    deps.debugging.attach(sessions),
    deps.commands.register('execution.debug', {
      ask: () => pickExecution(deps, vscode.l10n.t('Select an execution to debug')),
      run: async ({ stopAt, ...target }) => {
        await sessions.start(target, stopAt);
        return {};
      },
    }),
  );
}
