// Chooses the execution that a definition shows.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';

export type ChoosingDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'selection' | 'workflows'
>;

export function registerChoosing(deps: ChoosingDeps): Disposable {
  const { commands, selection } = deps;
  return combine(
    commands.register('workflow.chooseExecution', {
      ask: () => pickWorkflow(deps),
      run: async ({ executionId, ...workflow }) => {
        const title = vscode.l10n.t('Select an execution to show in the definition');
        const id = executionId ?? (await pickExecution(deps, title, { workflow })).executionId;
        selection.selectExecution(workflow, id);
        return { executionId: id };
      },
    }),
    commands.register('workflow.showLatestExecution', {
      ask: () => pickWorkflow(deps),
      run: (workflow) => {
        selection.selectExecution(workflow, null);
        return Promise.resolve();
      },
    }),
  );
}
