// Linked files that get another name: in the editor their links follow at once, and where it isn't certain a person decides.
import * as vscode from 'vscode';
import { oneAtATime } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { pathWithin } from '../../editor/documents/workspaceFiles.ts';
import { type Choice, choose } from '../../editor/prompts/prompts.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { changeWorkflowsFile, renameFile } from '../../workflowFiles/editWorkflowsFile.ts';
import { isWorkflowPath } from '../../workflowFiles/fileNames.ts';
import { EditorFolder } from './editorFolder.ts';
import type { FilesDeps } from './filesDeps.ts';

/** A path in workflows.json, and the one that takes its place. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
}

/** What becomes of a file that may be another one under another name. */
export type RenameDecision = 'mine' | 'theirs' | RenamedFile;

export function followRenames({
  linkedFiles,
  commands,
}: Pick<FilesDeps, 'commands' | 'linkedFiles'>): Disposable {
  const inTurn = oneAtATime();
  const follow = async ({ files }: vscode.FileRenameEvent): Promise<void> => {
    const renamed = files.flatMap(({ oldUri, newUri }) =>
      linkedFiles.uris.flatMap((uri) => {
        const [file, rest] = [linkedFiles.find(uri), pathWithin(oldUri, uri)];
        if (file === undefined || rest === undefined) return [];
        const to = pathWithin(file.folder.uri, rest === '' ? newUri : vscode.Uri.joinPath(newUri, rest));
        // A file that has left the folder, or isn't named like a workflow's any more, is another one.
        return to === undefined || !isWorkflowPath(to) ? [] : [{ file, from: file.path, to }];
      }),
    );
    for (const [folder, moved] of Map.groupBy(renamed, ({ file }) => file.folder.uri))
      await noteRenames({ linkedFiles }, folder, moved).catch(
        (error: unknown) => void commands.present(error),
      );
  };
  // Which files are linked is known once the renames before are noted.
  return vscode.workspace.onDidRenameFiles((event) => void inTurn(() => follow(event)));
}

/** Rejects with a FilesError. */
export async function noteRenames(
  { linkedFiles }: Pick<FilesDeps, 'linkedFiles'>,
  folder: vscode.Uri,
  renamed: readonly RenamedFile[],
): Promise<void> {
  await changeWorkflowsFile(new EditorFolder(folder), (text) =>
    renamed.reduce((edited, { from, to }) => renameFile(edited, from, to), text),
  );
  await linkedFiles.reread(folder);
}

/** Rejects with Cancelled on Escape. */
export function askRename({ file, state, candidates }: ComparedFile): Promise<RenameDecision> {
  const name = plainLine(file, 80);
  const isNew = state === 'only here';
  const renames = candidates.map((other): Choice<RenameDecision> => ({
    icon: 'file-symlink-file',
    label: isNew
      ? vscode.l10n.t('It\'s "{0}" Under Another Name', plainLine(other, 80))
      : vscode.l10n.t('It\'s Now "{0}"', plainLine(other, 80)),
    value: isNew ? { from: other, to: file } : { from: file, to: other },
  }));
  const another: Choice<RenameDecision> = isNew
    ? {
        icon: 'add',
        label: vscode.l10n.t("It's a New Workflow"),
        detail: vscode.l10n.t('Creates a new workflow from your file.'),
        value: 'mine',
      }
    : { icon: 'new-file', label: vscode.l10n.t('Write the File Again'), value: 'theirs' };
  return choose(
    isNew ? vscode.l10n.t('Was "{0}" renamed?', name) : vscode.l10n.t('"{0}" is gone: was it renamed?', name),
    [...renames, another],
  );
}
