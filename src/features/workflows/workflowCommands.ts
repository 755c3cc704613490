import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { actOnAll } from '../../ui/actOnAll.ts';
import { deployInteractively } from '../../ui/deployInteractively.ts';
import { openPage } from '../../ui/openPage.ts';
import { liveWorkflow, pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { joined, plainLine } from '../../base/format.ts';
import { askInDialog, confirm } from '../../editor/prompts/dialogs.ts';
import { askText, Cancelled, withLateProgress } from '../../editor/prompts/prompts.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import type { AddedRow } from './addedRow.ts';

export type WorkflowCommandsDeps = Pick<
  App,
  'commands' | 'connections' | 'services' | 'workflows' | 'actions' | 'clock' | 'requestWaits'
>;

function askName(prompt: string, value: string): Promise<string> {
  return askText({
    prompt,
    value,
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name for the workflow.') : undefined),
  });
}

/** As it is: what nobody changes of it stays. */
function wholeName({ workflows }: WorkflowCommandsDeps, target: WorkflowTarget): string {
  return workflows.find(target)?.name ?? target.workflowId;
}

/** As it's shown. */
function nameOf(deps: WorkflowCommandsDeps, target: WorkflowTarget): string {
  return plainLine(wholeName(deps, target), 80);
}

function registerDeploy(deps: WorkflowCommandsDeps): Disposable {
  return deps.commands.register('workflow.deploy', {
    ask: async () => ({ ...(await pickWorkflow(deps, liveWorkflow())), isElsewhere: undefined }),
    run: async ({ isElsewhere, ...target }, { isInteractive }) => {
      const workflow = await (isInteractive
        ? deployInteractively(deps, target, isElsewhere)
        : deps.actions.deploy(target));
      return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? true };
    },
  });
}

function registerUndeploy(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.undeploy', {
    ask: () =>
      pickWorkflow(deps, {
        query: { deployed: true },
        accepts: ({ isDeployed }) => isDeployed !== false,
        none: new PlainError(vscode.l10n.t('No workflows are deployed.')),
      }),
    run: async (target, { isInteractive }) => {
      if (isInteractive) {
        await confirm(
          vscode.l10n.t('Undeploy workflow "{0}"?', nameOf(deps, target)),
          vscode.l10n.t('Undeploy'),
          vscode.l10n.t("Apps that execute it will fail until it's deployed again."),
        );
      }
      const workflow = await actions.undeploy(target);
      return { workflowId: target.workflowId, isDeployed: workflow.isDeployed ?? false };
    },
  });
}

function registerUnarchive(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.unarchive', {
    ask: () =>
      pickWorkflow(deps, {
        accepts: ({ isArchived }) => isArchived === true,
        none: new PlainError(vscode.l10n.t('No workflows are archived.')),
      }),
    run: async (target) => {
      const { id: workflowId } = await actions.unarchive(target);
      return { workflowId };
    },
  });
}

function registerRename(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.rename', {
    ask: () => pickWorkflow(deps),
    run: async ({ name, ...target }) => {
      const chosen =
        name ?? (await askName(vscode.l10n.t('New name of the workflow'), wholeName(deps, target)));
      const workflow = await actions.rename(target, chosen);
      return { workflowId: workflow.id, name: workflow.name };
    },
  });
}

function registerDuplicate(deps: WorkflowCommandsDeps, added: Pick<AddedRow, 'show'>): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.duplicate', {
    ask: () => pickWorkflow(deps),
    run: async ({ name, ...target }, { isInteractive }) => {
      const suggested = vscode.l10n.t('{0} (copy)', wholeName(deps, target));
      const chosen = isInteractive ? await askName(vscode.l10n.t('Name of the copy'), suggested) : name;
      const workflow = await actions.duplicate(target, chosen);
      if (isInteractive) added.show({ connectionId: target.connectionId, workflowId: workflow.id });
      return { workflowId: workflow.id };
    },
  });
}

const shownNames = 5;

function mayArchive(
  { services, workflows }: WorkflowCommandsDeps,
  targets: readonly WorkflowTarget[],
): boolean {
  const canArchive = services.offers(targets[0]?.connectionId ?? '', 'archive');
  return canArchive && targets.some((target) => workflows.find(target)?.isArchived !== true);
}

/** What is deleted, and what is lost with it. */
function whatDeletingLoses(deps: WorkflowCommandsDeps, targets: readonly WorkflowTarget[]): string {
  const [first, ...others] = targets;
  const { keepsExecutions } = deps.services.traits(first?.connectionId ?? '');
  const names = targets.slice(0, shownNames).map((target) => `"${nameOf(deps, target)}"`);
  const states = targets.map((target) => deps.workflows.find(target)?.isDeployed ?? null);
  return joined(
    [
      others.length === 0 ? undefined : `${names.join(', ')}${targets.length > shownNames ? ', …' : '.'}`,
      whoFails(states),
      keepsExecutions
        ? vscode.l10n.t("Past executions stay available. You can't undo this.")
        : vscode.l10n.t("Past executions are deleted too. You can't undo this."),
      mayArchive(deps, targets)
        ? vscode.l10n.t('Archive keeps both, and nothing executes it anymore.')
        : undefined,
    ],
    ' ',
  );
}

/** Of each workflow, whether it's deployed; null when it isn't known. */
function whoFails(states: readonly (boolean | null)[]): string | undefined {
  if (states.every((isDeployed) => isDeployed === false)) return undefined;
  if (states.length > 1) return vscode.l10n.t('Apps that execute those that are deployed will fail.');
  return states[0] === true
    ? vscode.l10n.t("It's deployed: apps that execute it will fail.")
    : vscode.l10n.t("If it's deployed, apps that execute it will fail.");
}

type Removal = 'delete' | 'archive';

/** Rejects with Cancelled when the dialog is closed. */
async function askRemoval(deps: WorkflowCommandsDeps, targets: readonly WorkflowTarget[]): Promise<Removal> {
  const [first, ...others] = targets;
  const removal = await askInDialog<Removal>({
    question:
      first === undefined || others.length > 0
        ? vscode.l10n.t('Delete {0} workflows?', targets.length)
        : vscode.l10n.t('Delete workflow "{0}"?', nameOf(deps, first)),
    detail: whatDeletingLoses(deps, targets),
    buttons: [
      { label: vscode.l10n.t('Delete'), value: 'delete' },
      ...(mayArchive(deps, targets) ? [{ label: vscode.l10n.t('Archive'), value: 'archive' } as const] : []),
    ],
  });
  if (removal === undefined) throw new Cancelled();
  return removal;
}

function registerDelete(deps: WorkflowCommandsDeps): Disposable {
  const { commands, actions } = deps;
  return commands.register('workflow.delete', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive, selected }) => {
      const [first = target, ...others] = selected;
      const removal =
        isInteractive || others.length > 0 ? await askRemoval(deps, [first, ...others]) : 'delete';
      await actOnAll(deps, [first, ...others], {
        progress: removal === 'delete' ? vscode.l10n.t('Deleting…') : vscode.l10n.t('Archiving…'),
        nameOf: (each) => `"${nameOf(deps, each)}"`,
        act: async (each, signal) => {
          await actions[removal](each, signal);
        },
      });
      return { workflowId: first.workflowId };
    },
  });
}

function registerOpenPage(deps: WorkflowCommandsDeps): Disposable {
  return deps.commands.register('workflow.openInN8n', {
    ask: () => pickWorkflow(deps),
    run: (target, { isInteractive }) => openPage(deps.services.pageOf(target), isInteractive),
  });
}

/** How many workflows code gets unless it says otherwise. */
const listedByDefault = 1000;

/** Code gets the list. The user chooses a workflow, which is then opened. */
function registerList(deps: WorkflowCommandsDeps): Disposable {
  const { commands, connections, workflows } = deps;
  return commands.register('workflow.list', {
    ask: () => Promise.resolve({ limit: undefined }),
    run: async ({ limit = listedByDefault }, { isInteractive }) => {
      if (isInteractive) {
        await commands.run('workflow.open', await pickWorkflow(deps));
        return undefined;
      }
      const connectionId = connections.active.current?.id;
      if (connectionId === undefined) return [];
      const items = await withLateProgress(deps, vscode.l10n.t('Listing workflows…'), (signal) =>
        workflows.listWhole(connectionId, { limit, signal }),
      );
      return items.map(({ id, name, isDeployed }) => ({ id, name, isDeployed }));
    },
  });
}

export function registerWorkflowCommands(
  deps: WorkflowCommandsDeps,
  added: Pick<AddedRow, 'show'>,
): Disposable {
  return combine(
    registerList(deps),
    registerDeploy(deps),
    registerUndeploy(deps),
    registerUnarchive(deps),
    registerRename(deps),
    registerDuplicate(deps, added),
    registerDelete(deps),
    registerOpenPage(deps),
  );
}
