// The commands that create, import and export workflows. Unknown members of definitions are kept.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { withProgress } from '../../../editor/prompts.ts';
import { askNewDefinition } from './creating.ts';
import { toDefinition } from '../../../model/definitions/definitionText.ts';
import { askExportFolder, exportOne, exportSeveral } from './exporting.ts';
import { importSources } from './importing.ts';
import { askImportSources, droppedSources, type ImportSource } from './importSources.ts';
import type { App } from '../../../ui/app.ts';

export type ImportExportDeps = Pick<
  App,
  'commands' | 'connections' | 'workflows' | 'actions' | 'logger' | 'samples' | 'clock' | 'views'
>;

function registerCreate({ commands, connections, actions, samples }: ImportExportDeps): Disposable {
  return commands.register('workflow.create', {
    ask: async () => {
      requireActiveConnection(connections);
      return { definition: await askNewDefinition(samples) };
    },
    run: async ({ definition }, { isInteractive }) => {
      const connectionId = requireActiveConnection(connections).id;
      const { id } = await actions.create(connectionId, definition);
      if (isInteractive) await commands.run('workflow.open', { connectionId, workflowId: id });
      return { workflowId: id };
    },
  });
}

interface Sources {
  readonly sources: readonly ImportSource[];
}

function registerImport(deps: ImportExportDeps): Disposable {
  const { commands, connections, actions } = deps;
  return commands.register<'workflow.import', Sources>('workflow.import', {
    ask: async () => {
      requireActiveConnection(connections);
      return { sources: await askImportSources() };
    },
    run: async (argument) => {
      const connectionId = requireActiveConnection(connections).id;
      if ('definition' in argument) {
        const { id } = await actions.import(connectionId, argument.definition);
        return { workflowId: id };
      }
      await importSources(deps, connectionId, argument.sources);
      return undefined;
    },
  });
}

/** A selection may contain a workflow more than once, because rows of executions also stand for their workflow. */
function distinct(targets: readonly WorkflowTarget[]): readonly WorkflowTarget[] {
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}

function registerExport(deps: ImportExportDeps): Disposable {
  const { commands, workflows } = deps;
  return commands.register('workflow.export', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive, selected }) => {
      const targets = distinct(selected);
      if (isInteractive && targets.length > 1) {
        await exportSeveral(deps, targets, await askExportFolder());
        return undefined;
      }
      const workflow = await withProgress(vscode.l10n.t('Reading the workflow…'), (signal) =>
        workflows.read(target, signal),
      );
      if (isInteractive) await exportOne(workflow);
      return toDefinition(workflow);
    },
  });
}

/** Imports files that are dropped on the view. */
function acceptDrops(deps: ImportExportDeps): void {
  const { commands, connections } = deps;
  deps.views.workflows.attachDrops(async (data) => {
    try {
      const { id } = requireActiveConnection(connections);
      const sources = await droppedSources(data);
      if (sources.length > 0) await importSources(deps, id, sources);
    } catch (error) {
      await commands.present(error);
    }
  });
}

export function registerImportExport(deps: ImportExportDeps): Disposable {
  acceptDrops(deps);
  return combine(registerCreate(deps), registerImport(deps), registerExport(deps));
}
