// Exports definitions: one to a file, several to a folder. Asks before it replaces files.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { askFolder, startingFolder } from '../../../editor/prompts/dialogs.ts';
import { plainLine } from '../../../base/format.ts';
import { Cancelled, choose, showMessage, withProgress } from '../../../editor/prompts/prompts.ts';
import { renderDefinition, toDefinition } from '../../../model/workflows/workflowDefinition.ts';
import type { Workflows } from '../../../model/workflows/workflows.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { type MessageAction, transfer } from '../../../ui/transfer.ts';
import { definitionFormats } from '../../../domain/definitionFormat.ts';
import { fileKey, freeFileNames, workflowFileName } from '../../../workflowFiles/fileNames.ts';

export function registerExport(
  deps: Pick<App, 'commands' | 'connections' | 'services' | 'workflows' | 'clock' | 'logger'>,
): Disposable {
  const { commands, services, workflows } = deps;
  return commands.register('workflow.export', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive, selected }) => {
      if (isInteractive && selected.length > 1) {
        const folder = await askFolder({
          openLabel: vscode.l10n.t('Export Here'),
          title: vscode.l10n.t('Export Workflows to a Folder'),
        });
        await exportSeveral(deps, selected, folder);
        return undefined;
      }
      const workflow = await withProgress(vscode.l10n.t('Reading the workflow…'), (signal) =>
        workflows.read(target, signal),
      );
      if (isInteractive) {
        const uri = await exportOne(workflow, endingFor(services, target));
        void sayExported(workflow, uri).catch((error: unknown) => commands.present(error));
      }
      return toDefinition(workflow);
    },
  });
}

/** Asks for the file; the dialog itself asks before it replaces one. Returns the file. */
async function exportOne(workflow: Workflow, ending: string): Promise<vscode.Uri> {
  const folder = startingFolder();
  const name = workflowFileName(workflow.name, ending);
  const uri = await vscode.window.showSaveDialog({
    filters: { JSON: ['json'] },
    title: vscode.l10n.t('Export Workflow'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) throw new Cancelled();
  await write(uri, workflow);
  return uri;
}

async function sayExported({ name }: Workflow, uri: vscode.Uri): Promise<void> {
  const picked = await showMessage(
    'information',
    vscode.l10n.t('"{0}" was exported to "{1}".', plainLine(name, 80), plainLine(uri.path, 120)),
    [openFile(uri), ...revealFile(uri)],
  );
  await picked?.run();
}

/** Writes one file per workflow. Returns the names of the written files. */
export async function exportSeveral(
  {
    workflows,
    services,
    clock,
    logger,
  }: Pick<App, 'clock' | 'logger'> & {
    readonly services: Pick<App['services'], 'traits'>;
    readonly workflows: Pick<Workflows, 'find' | 'read'>;
  },
  targets: readonly WorkflowTarget[],
  folder: vscode.Uri,
): Promise<readonly string[]> {
  const named = targets.map((target) => ({
    target,
    name: plainLine(workflows.find(target)?.name ?? target.workflowId, 80),
  }));
  const fileNames = await askFileNames(
    folder,
    named.map(({ name }) => name),
    endingFor(services, targets[0]),
  );
  const items = named.map((item, place) => ({ ...item, file: fileNames[place] ?? '' }));
  return transfer(
    items,
    async ({ target, file }, signal) => {
      await write(vscode.Uri.joinPath(folder, file), await workflows.read(target, signal));
      return file;
    },
    {
      title: vscode.l10n.t('Exporting workflows'),
      describeDone: ({ length }) => describeExported(length, folder),
      actionsFor: ([first]) => (first === undefined ? [] : revealFile(vscode.Uri.joinPath(folder, first))),
      clock,
      logger,
    },
  );
}

export function describeExported(count: number, folder: vscode.Uri): string {
  if (count === 0) return vscode.l10n.t('Nothing was exported.');
  const path = plainLine(folder.path, 120);
  return count === 1
    ? vscode.l10n.t('1 workflow was exported to "{0}".', path)
    : vscode.l10n.t('{0} workflows were exported to "{1}".', count, path);
}

async function write(uri: vscode.Uri, workflow: Workflow): Promise<void> {
  await vscode.workspace.fs.writeFile(
    uri,
    new TextEncoder().encode(renderDefinition(toDefinition(workflow))),
  );
}

/** Returns the file names. If some already exist, asks whether to replace them. */
async function askFileNames(
  folder: vscode.Uri,
  workflowNames: readonly string[],
  ending: string,
): Promise<readonly string[]> {
  const taken = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const names = freeFileNames(workflowNames, [], ending);
  const existing = findExisting(names, taken);
  if (existing.length === 0) return names;
  return choose<readonly string[]>(
    vscode.l10n.t('{0} of these files already exist, such as "{1}".', existing.length, existing[0] ?? ''),
    [
      {
        icon: 'copy',
        label: vscode.l10n.t('Keep Both'),
        detail: vscode.l10n.t('Adds a number to the names of the new files.'),
        value: freeFileNames(workflowNames, taken, ending),
      },
      {
        icon: 'replace',
        label: vscode.l10n.t('Replace'),
        detail: vscode.l10n.t('The content of the existing files is lost.'),
        value: names,
      },
    ],
  );
}

/** How the file of a workflow's definition ends. Those that are exported together are of one connection. */
function endingFor(services: Pick<App['services'], 'traits'>, target: WorkflowTarget | undefined): string {
  return definitionFormats[services.traits(target?.connectionId ?? '').definitionFormat].fileEnding;
}

/** Opens the file in an editor. */
function openFile(uri: vscode.Uri): MessageAction {
  return {
    title: vscode.l10n.t('Open'),
    run: async () => {
      await vscode.window.showTextDocument(uri);
    },
  };
}

/** Shows the file in the file manager. Empty in a window that can't: the file manager is on another machine, or there's none. */
function revealFile(uri: vscode.Uri): readonly MessageAction[] {
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (!isHere || vscode.env.uiKind !== vscode.UIKind.Desktop) return [];
  const run = async (): Promise<void> => {
    await vscode.commands.executeCommand('revealFileInOS', uri);
  };
  return [{ title: vscode.l10n.t('Open Containing Folder'), run }];
}

/** The names that would replace a file, on whichever file system. */
export function findExisting(names: readonly string[], taken: readonly string[]): readonly string[] {
  const keys = new Set(taken.map(fileKey));
  return names.filter((name) => keys.has(fileKey(name)));
}
