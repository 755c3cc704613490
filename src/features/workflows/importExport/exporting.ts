// Exports definitions: one to a file, several to a folder. Asks before it replaces files.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { Workflows } from '../../../model/workflows/workflows.ts';
import { plainLine } from '../../../editor/format.ts';
import { Cancelled, choose, withProgress } from '../../../editor/prompts.ts';
import { renderDefinition, toDefinition } from '../../../model/definitions/definitionText.ts';
import { definitionFileName, freeFileNames } from './definitionText.ts';
import { eachInTurn, type Outcome } from './eachInTurn.ts';
import { describeRest, describeStep, endsAll, showSummary } from './importing.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import type { App } from '../../../ui/app.ts';

export interface ExportDeps extends Pick<App, 'logger'> {
  readonly workflows: Pick<Workflows, 'find' | 'read'>;
}

async function write(uri: vscode.Uri, workflow: Workflow): Promise<void> {
  await vscode.workspace.fs.writeFile(
    uri,
    new TextEncoder().encode(renderDefinition(toDefinition(workflow))),
  );
}

/** Asks for the file; the dialog itself asks before it replaces one. */
export async function exportOne(workflow: Workflow): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = definitionFileName(workflow.name);
  const uri = await vscode.window.showSaveDialog({
    filters: { JSON: ['json'] },
    title: vscode.l10n.t('Export the Workflow'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) throw new Cancelled();
  await write(uri, workflow);
}

export async function askExportFolder(): Promise<vscode.Uri> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Export Here'),
      title: vscode.l10n.t('Export the Workflows into a Folder'),
    })) ?? [];
  if (folder === undefined) throw new Cancelled();
  return folder;
}

/** Returns the file names. If some already exist, asks whether to replace them. */
async function askFileNames(
  folder: vscode.Uri,
  workflowNames: readonly string[],
): Promise<readonly string[]> {
  const taken = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const names = freeFileNames(workflowNames, []);
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  const existing = names.filter((name) => lower.has(name.toLowerCase()));
  if (existing.length === 0) return names;
  return choose<readonly string[]>(
    vscode.l10n.t('{0} of these files are there already, such as “{1}”.', existing.length, existing[0] ?? ''),
    [
      {
        icon: 'copy',
        label: vscode.l10n.t('Keep Both'),
        detail: vscode.l10n.t('The new files get a number behind their name.'),
        value: freeFileNames(workflowNames, taken),
      },
      {
        icon: 'replace',
        label: vscode.l10n.t('Replace'),
        detail: vscode.l10n.t('What the existing files say is lost.'),
        value: names,
      },
    ],
  );
}

function summarizeExport(outcome: Outcome<string>, folder: vscode.Uri, now: number): string {
  const count = outcome.done.length;
  const sum =
    count === 0
      ? vscode.l10n.t('Nothing was exported.')
      : vscode.l10n.t('{0} workflows were exported to “{1}”.', count, plainLine(folder.path, 120));
  return [sum, ...describeRest(outcome, now)].join(' ');
}

/** Writes one file per workflow. Returns the names of the written files. */
export async function exportSeveral(
  { workflows, logger }: ExportDeps,
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
  );
  const items = named.map((item, place) => ({ ...item, fileName: fileNames[place] ?? '' }));
  const outcome = await withProgress(vscode.l10n.t('Exporting workflows'), (signal, report) =>
    eachInTurn(
      items,
      async ({ target, fileName }) => {
        await write(vscode.Uri.joinPath(folder, fileName), await workflows.read(target, signal));
        return fileName;
      },
      {
        signal,
        endsAll,
        onBegin: (name, place) =>
          report(describeStep(name, place, items.length), place === 0 ? 0 : 100 / items.length),
      },
    ),
  );
  void showSummary(summarizeExport(outcome, folder, Date.now()), outcome, logger);
  return outcome.done;
}
