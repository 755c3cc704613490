// What can be done to one workflow from the tree, the palette and code.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { settleUnsavedEdits } from '../../ui/pickers/openDefinition.ts';
import { decodeWorkflowTarget, pickWorkflow, workflowArgument } from '../../ui/pickers/workflowPicker.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, confirm } from '../../editor/prompts.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';

export type WorkflowCommandsDeps = Pick<App, 'commands' | 'connections' | 'workflows' | 'actions' | 'clock'>;

interface NamedTarget {
  readonly target: WorkflowTarget;
  readonly name: string | undefined;
}

/** A workflow and, from code, a name. */
function namedArgument(deps: WorkflowCommandsDeps) {
  return {
    decode: (value: Readonly<Record<string, unknown>>): NamedTarget | undefined => {
      const target = decodeWorkflowTarget(value, deps.connections);
      return target === undefined ? undefined : { target, name: textMember(value, 'name') };
    },
    ask: async (): Promise<NamedTarget> => ({ target: await pickWorkflow(deps), name: undefined }),
  };
}

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

function registerDeployment(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.register('workflow.deploy', {
      ...workflowArgument(deps),
      run: async (target, { isInteractive }) => {
        if (isInteractive) await settleUnsavedEdits(target);
        const workflow = await actions.deploy(target);
        return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? true };
      },
    }),
  );
  owned.add(
    commands.register('workflow.undeploy', {
      ...workflowArgument(deps, {
        query: { deployed: true },
        accepts: ({ isDeployed }) => isDeployed !== false,
        none: new PlainError(vscode.l10n.t('No workflow is deployed.')),
      }),
      run: async (target) => {
        const workflow = await actions.undeploy(target);
        return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? false };
      },
    }),
  );
  return owned;
}

function registerNaming(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.register('workflow.rename', {
      ...namedArgument(deps),
      expects: '{workflowId, name}',
      run: async ({ target, name }, { isInteractive }) => {
        if (!isInteractive && name === undefined) throw new TypeError('The new name is missing.');
        const chosen =
          name ?? (await askName(vscode.l10n.t('New name of the workflow'), nameOf(deps, target)));
        const workflow = await actions.rename(target, chosen);
        return { workflowId: workflow.id, name: workflow.name };
      },
    }),
  );
  owned.add(
    commands.register('workflow.duplicate', {
      ...namedArgument(deps),
      expects: '{workflowId, name?}',
      run: async ({ target, name }, { isInteractive }) => {
        const chosen = isInteractive
          ? await askName(
              vscode.l10n.t('Name of the copy'),
              vscode.l10n.t('{0} (copy)', nameOf(deps, target)),
            )
          : name;
        const workflow = await actions.duplicate(target, chosen);
        return { workflowId: workflow.id };
      },
    }),
  );
  owned.add(
    commands.register('workflow.delete', {
      ...workflowArgument(deps),
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
    }),
  );
  return owned;
}

function decodeListQuery(value: Readonly<Record<string, unknown>>): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Code gets the list; a person gets it to choose from, and what is chosen is opened. */
function registerList(deps: WorkflowCommandsDeps): Disposable {
  const { commands, connections, workflows } = deps;
  return commands.register('workflow.list', {
    decode: decodeListQuery,
    expects: '{}',
    ask: () => Promise.resolve({}),
    run: async (_query, { isInteractive }) => {
      if (isInteractive) return commands.run('workflow.open', await pickWorkflow(deps));
      const connectionId = connections.active.current?.id;
      if (connectionId === undefined) return [];
      const { items } = await workflows.search(connectionId, { limit: 100 });
      return items.map(({ id, name, isDeployed }) => ({ id, name, isDeployed }));
    },
  });
}

export function registerWorkflowCommands(deps: WorkflowCommandsDeps): Disposable {
  const owned = new DisposableStore();
  owned.add(registerList(deps));
  owned.add(registerDeployment(deps));
  owned.add(registerNaming(deps));
  return owned;
}
