import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { settleUnsavedEdits } from '../../ui/pickers/openDefinition.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { copyText } from '../../editor/clipboard.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, confirm } from '../../editor/prompts.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';

export type WorkflowCommandsDeps = Pick<App, 'commands' | 'connections' | 'workflows' | 'actions' | 'clock'>;

function askName(prompt: string, value: string): Promise<string> {
  return askText({
    prompt,
    value,
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('A workflow needs a name.') : undefined),
  });
}

function nameOf({ workflows }: WorkflowCommandsDeps, target: WorkflowTarget): string {
  return plainLine(workflows.find(target)?.name ?? target.workflowId, 80);
}

function registerDeploy({ commands, actions, ...deps }: WorkflowCommandsDeps): Disposable {
  return commands.register('workflow.deploy', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive }) => {
      if (isInteractive) await settleUnsavedEdits(target);
      const workflow = await actions.deploy(target);
      return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? true };
    },
  });
}

function registerUndeploy({ commands, actions, ...deps }: WorkflowCommandsDeps): Disposable {
  return commands.register('workflow.undeploy', {
    ask: () =>
      pickWorkflow(deps, {
        query: { deployed: true },
        accepts: ({ isDeployed }) => isDeployed !== false,
        none: new PlainError(vscode.l10n.t('No workflow is deployed.')),
      }),
    run: async (target) => {
      const workflow = await actions.undeploy(target);
      return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? false };
    },
  });
}

function registerRename(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.rename', {
    ask: () => pickWorkflow(deps),
    run: async ({ name, ...target }) => {
      const chosen = name ?? (await askName(vscode.l10n.t('New name of the workflow'), nameOf(deps, target)));
      const workflow = await actions.rename(target, chosen);
      return { workflowId: workflow.id, name: workflow.name };
    },
  });
}

function registerDuplicate(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.duplicate', {
    ask: () => pickWorkflow(deps),
    run: async ({ name, ...target }, { isInteractive }) => {
      const suggested = vscode.l10n.t('{0} (copy)', nameOf(deps, target));
      const chosen = isInteractive ? await askName(vscode.l10n.t('Name of the copy'), suggested) : name;
      const workflow = await actions.duplicate(target, chosen);
      return { workflowId: workflow.id };
    },
  });
}

function registerDelete(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.delete', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive }) => {
      if (isInteractive) {
        await confirm(
          vscode.l10n.t('Delete the workflow "{0}"?', nameOf(deps, target)),
          { icon: 'trash', label: vscode.l10n.t('Delete') },
          vscode.l10n.t('It is undeployed first. Its executions stay readable. This cannot be undone.'),
        );
      }
      await actions.delete(target);
      return { workflowId: target.workflowId };
    },
  });
}

function registerCopyId({ commands, ...deps }: WorkflowCommandsDeps): Disposable {
  return commands.register('workflow.copyId', {
    ask: () => pickWorkflow(deps),
    run: async ({ workflowId }, { isInteractive }) => {
      if (isInteractive) await copyText(workflowId, vscode.l10n.t('Copied the id.'));
      return workflowId;
    },
  });
}

/** Code gets the list. The user chooses a workflow, which is then opened. */
function registerList(deps: WorkflowCommandsDeps): Disposable {
  const { commands, connections, workflows } = deps;
  return commands.registerPlain('workflow.list', async ({ isInteractive }) => {
    if (isInteractive) {
      await commands.run('workflow.open', await pickWorkflow(deps));
      return undefined;
    }
    const connectionId = connections.active.current?.id;
    if (connectionId === undefined) return [];
    const { items } = await workflows.search(connectionId, { limit: 100 });
    return items.map(({ id, name, isDeployed }) => ({ id, name, isDeployed }));
  });
}

export function registerWorkflowCommands(deps: WorkflowCommandsDeps): Disposable {
  return combine(
    registerList(deps),
    registerDeploy(deps),
    registerUndeploy(deps),
    registerRename(deps),
    registerDuplicate(deps),
    registerDelete(deps),
    registerCopyId(deps),
  );
}
