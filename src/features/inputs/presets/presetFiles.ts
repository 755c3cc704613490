// Presets are files of the workspace, in whichever of its folders, on whichever file system.
import * as vscode from 'vscode';
import { fileName, plainLine } from '../../../editor/format.ts';
import { findDocument } from '../../../editor/documents.ts';
import { findFiles } from './findFiles.ts';
import { folderNames } from './folderNames.ts';
import { PlainError } from '../../../editor/plainError.ts';

const ending = '.input.json';
const folderName = '.workflows';
const maximumFiles = 500;
const maximumBytes = 1024 * 1024;

export interface PresetFile {
  readonly uri: vscode.Uri;
  /** The file's name without its ending. */
  readonly name: string;
  /** Its folder, for people: within the workspace's folder, whose name stands before it when there are several. */
  readonly place: string;
  /** Its name begins with the workflow's. */
  readonly isOfWorkflow: boolean;
}

/** A folder of the workspace, called so that it is no other's name. */
export interface FolderChoice {
  readonly label: string;
  readonly value: vscode.WorkspaceFolder;
}

/** The folders of the workspace. Throws a PlainError where there are none or they are not trusted. */
function requireFolders(): readonly vscode.WorkspaceFolder[] {
  if (!vscode.workspace.isTrusted)
    throw new PlainError(
      vscode.l10n.t(
        'Presets are files of the workspace, and this workspace is not trusted yet. "Manage Workspace Trust" in the Command Palette changes that.',
      ),
    );
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new PlainError(vscode.l10n.t('Presets are files of the workspace. Open a folder to use them.'));
  return folders;
}

/** The folders as a person chooses among them. Throws as requireFolders does. */
export function folderChoices(): readonly FolderChoice[] {
  const folders = requireFolders();
  const names = folderNames(folders);
  return folders.map((value, index) => ({ label: plainLine(names[index] ?? value.name), value }));
}

/** True for a file that an input can be taken from. */
export function isPresetFile(uri: vscode.Uri): boolean {
  return uri.path.endsWith(ending) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** The path of a new preset within a folder. */
export function presetPath(workflowName: string, presetName: string): string {
  return `${folderName}/${stem(workflowName)}.${presetName}${ending}`;
}

/** Says what is wrong with the path of a preset within its folder; undefined when nothing is. */
export function checkPresetPath(path: string): string | undefined {
  const parts = path.trim().split(/[\\/]/);
  const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside) return vscode.l10n.t('Give a path within the folder.');
  const last = parts.at(-1) ?? '';
  return last.length > ending.length && last.endsWith(ending)
    ? undefined
    : vscode.l10n.t('The name of a preset ends in "{0}".', ending);
}

function stem(workflowName: string): string {
  const name = fileName(workflowName);
  return name === '' ? 'workflow' : name;
}

function baseName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

function placeOf(uri: vscode.Uri): string {
  const within = vscode.workspace.asRelativePath(uri, false).split('/').slice(0, -1);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const choices = folderChoices();
  const name = choices.find(({ value }) => value.index === folder?.index)?.label;
  return [...(choices.length > 1 && name !== undefined ? [name] : []), ...within].join('/');
}

/** The presets of all folders: those of the workflow first, if one is named, each half by name. */
export async function findPresets(workflowName: string | undefined): Promise<readonly PresetFile[]> {
  const folders = requireFolders();
  const found = (await Promise.all(folders.map((folder) => findFiles(folder, ending, maximumFiles)))).flat();
  const own = workflowName === undefined ? undefined : stem(workflowName).toLowerCase();
  return [...new Map(found.map((uri) => [uri.toString(), uri])).values()]
    .map((uri) => {
      const name = baseName(uri).slice(0, -ending.length);
      return {
        uri,
        name,
        place: placeOf(uri),
        isOfWorkflow: own !== undefined && name.toLowerCase().startsWith(own),
      };
    })
    .sort(
      (left, right) =>
        Number(right.isOfWorkflow) - Number(left.isOfWorkflow) ||
        left.name.localeCompare(right.name) ||
        left.place.localeCompare(right.place),
    );
}

/** The name of a preset's file, fit for the screen, and its text as an editor shows it where one does. */
export async function readPreset(uri: vscode.Uri): Promise<{ readonly name: string; readonly text: string }> {
  requireFolders();
  const name = plainLine(baseName(uri));
  return { name, text: findDocument(uri)?.getText() ?? (await readFile(uri, name)) };
}

async function readFile(uri: vscode.Uri, name: string): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maximumBytes)
    throw new PlainError(vscode.l10n.t('"{0}" is larger than 1 MiB, the most that an input can be.', name));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** True when something is there already. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

/** Writes a preset, its folders included. */
export async function writePreset(uri: vscode.Uri, text: string): Promise<void> {
  requireFolders();
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
