// Definitions come in from files, the clipboard, templates and code, and go out to files and code, whole: unknown members included.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clients } from '../../model/clients.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { WorkflowActions } from '../../model/workflows/workflowActions.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { requireActiveConnection } from '../../pickers/activeConnection.ts';
import { workflowArgument } from '../../pickers/workflowPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import type { DropHandler } from '../../platform/surfaces/lazySurfaces.ts';
import { withProgress } from '../../platform/prompts.ts';
import { askNewDefinition } from './creating.ts';
import { toDefinition } from '../../model/definitions/definitionText.ts';
import { askExportFolder, exportOne, exportSeveral } from './exporting.ts';
import { importSources } from './importing.ts';
import { askImportSources, droppedSources, type ImportSource } from './importSources.ts';

export interface TransferParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly workflows: Workflows;
  readonly actions: WorkflowActions;
  readonly logger: Logger;
  /** Where files can be dropped. */
  readonly workflowsView: { fillDrops(handle: DropHandler): void };
  /** The folder of the samples. */
  readonly samples: vscode.Uri;
}

function decodeDefinition(value: Readonly<Record<string, unknown>>): JsonObject | undefined {
  return isJsonObject(value['definition']) ? value['definition'] : undefined;
}

function registerCreate({ commands, connections, actions, samples }: TransferParts): Disposable {
  return commands.register('workflow.create', {
    decode: decodeDefinition,
    expects: '{definition}',
    ask: async () => {
      requireActiveConnection(connections);
      return askNewDefinition(samples);
    },
    run: async (definition, { isInteractive }) => {
      const connectionId = requireActiveConnection(connections).id;
      const { id } = await actions.create(connectionId, definition);
      if (isInteractive) await commands.run('workflow.open', { connectionId, workflowId: id });
      return { workflowId: id };
    },
  });
}

type ImportArgument = { readonly definition: JsonObject } | { readonly sources: readonly ImportSource[] };

function registerImport(parts: TransferParts): Disposable {
  const { commands, connections, actions } = parts;
  return commands.register('workflow.import', {
    decode: (value): ImportArgument | undefined => {
      const definition = decodeDefinition(value);
      return definition && { definition };
    },
    expects: '{definition}',
    ask: async (): Promise<ImportArgument> => {
      requireActiveConnection(connections);
      return { sources: await askImportSources() };
    },
    run: async (argument) => {
      const connectionId = requireActiveConnection(connections).id;
      if ('definition' in argument) {
        const { id } = await actions.import(connectionId, argument.definition);
        return { workflowId: id };
      }
      await importSources(parts, connectionId, argument.sources);
      return undefined;
    },
  });
}

/** Rows of executions stand for their workflow as well, so that it may be there more than once. */
function distinct(targets: readonly WorkflowTarget[]): readonly WorkflowTarget[] {
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
}

function registerExport(parts: TransferParts): Disposable {
  const { commands, workflows } = parts;
  return commands.register('workflow.export', {
    ...workflowArgument(parts),
    run: async (target, { isInteractive, selected }) => {
      const targets = distinct(selected);
      if (isInteractive && targets.length > 1) {
        await exportSeveral(parts, targets, await askExportFolder());
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

export function registerTransfer(parts: TransferParts): Disposable {
  const { commands, connections } = parts;
  const owned = new DisposableStore();
  owned.add(registerCreate(parts));
  owned.add(registerImport(parts));
  owned.add(registerExport(parts));
  parts.workflowsView.fillDrops(async (data) => {
    try {
      const { id } = requireActiveConnection(connections);
      const sources = await droppedSources(data);
      if (sources.length > 0) await importSources(parts, id, sources);
    } catch (error) {
      await commands.present(error);
    }
  });
  return owned;
}
