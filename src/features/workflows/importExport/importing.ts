// Imports definitions, from files, the clipboard or a drop on the view. Unknown members are sent; what the service doesn't keep is said.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { plainLine } from '../../../base/format.ts';
import { findLeftOut } from '../../../model/workflows/leftOut.ts';
import type { WorkflowActions } from '../../../model/workflows/workflowActions.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import type { AddedRow } from '../addedRow.ts';
import { askImportSources, droppedSources, type ImportSource, readNamed } from './importSources.ts';
import { leftOutSentences, logLeftOut } from './leftOutWords.ts';
import { transfer } from '../../../ui/transfer.ts';

interface ChosenSources {
  readonly connectionId: string;
  readonly sources: readonly ImportSource[];
}

export function registerImport(
  deps: Pick<App, 'commands' | 'connections' | 'actions' | 'clock' | 'logger' | 'views'>,
  added: Pick<AddedRow, 'show'>,
): Disposable {
  const { commands, connections, actions, logger, views } = deps;
  const importAndShow = async (connectionId: string, sources: readonly ImportSource[]): Promise<void> => {
    const workflow = (await importSources(deps, connectionId, sources)).at(-1);
    if (workflow !== undefined) added.show({ connectionId, workflowId: workflow.id });
  };
  views.workflows.attachDrops(async (data) => {
    try {
      const { id } = requireActiveConnection(connections);
      const sources = await droppedSources(data);
      if (sources.length > 0) await importAndShow(id, sources);
    } catch (error) {
      await commands.present(error);
    }
  });
  return commands.register<'workflow.import', ChosenSources>('workflow.import', {
    ask: async () => {
      const connectionId = requireActiveConnection(connections).id;
      return { connectionId, sources: await askImportSources() };
    },
    run: async (argument) => {
      if ('definition' in argument) {
        const connectionId = requireActiveConnection(connections).id;
        const workflow = await actions.import(connectionId, argument.definition);
        logLeftOut(logger, workflow, findLeftOut(argument.definition, workflow));
        return { workflowId: workflow.id };
      }
      await importAndShow(argument.connectionId, argument.sources);
      return undefined;
    },
  });
}

/** Imports into this connection, even if another one becomes active in the meantime. */
export async function importSources(
  {
    actions,
    clock,
    logger,
  }: Pick<App, 'clock' | 'logger'> & { readonly actions: Pick<WorkflowActions, 'import'> },
  connectionId: string,
  sources: readonly ImportSource[],
): Promise<readonly Workflow[]> {
  const imported = await transfer(
    sources,
    async (source, signal): Promise<Imported> => {
      const definition = await readNamed(source);
      const workflow = await actions.import(connectionId, definition, { signal });
      return { workflow, leftOut: findLeftOut(definition, workflow) };
    },
    {
      title: vscode.l10n.t('Importing workflows'),
      describeDone: describeImported,
      isWarning: (done) => done.some(({ leftOut }) => leftOut.length > 0),
      clock,
      logger,
    },
  );
  for (const { workflow, leftOut } of imported) logLeftOut(logger, workflow, leftOut);
  return imported.map(({ workflow }) => workflow);
}

interface Imported {
  readonly workflow: Workflow;
  /** The members that the service doesn't keep. */
  readonly leftOut: readonly string[];
}

export function describeImported(imported: readonly Imported[]): string {
  const [first, ...others] = imported;
  if (first === undefined) return vscode.l10n.t('Nothing was imported.');
  const sentence =
    others.length === 0
      ? vscode.l10n.t('"{0}" was imported.', plainLine(first.workflow.name, 80))
      : vscode.l10n.t('{0} workflows were imported.', imported.length);
  return [sentence, ...leftOutSentences(imported)].join(' ');
}
