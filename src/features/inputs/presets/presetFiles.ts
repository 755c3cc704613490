// Presets are files in any folder of the workspace, on any file system.
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
  /** The file's name without its extension. */
  readonly name: string;
  /** Its path within the workspace folder, for display. Begins with the folder's name if there are several folders. */
  readonly place: string;
  /** True if its name begins with the workflow's name. */
  readonly isOfWorkflow: boolean;
}

/** A workspace folder with a unique label. */
export interface FolderChoice {
  readonly label: string;
  readonly value: vscode.WorkspaceFolder;
}

/** Returns the folders of the workspace. Throws a PlainError if there are none or if the workspace isn't trusted. */
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

/** Throws a PlainError if there are no folders or if the workspace isn't trusted. */
export function folderChoices(): readonly FolderChoice[] {
  const folders = requireFolders();
  const names = folderNames(folders);
  return folders.map((value, index) => ({ label: plainLine(names[index] ?? value.name), value }));
}

/** True for a preset file in the workspace. */
export function isPresetFile(uri: vscode.Uri): boolean {
  return uri.path.endsWith(ending) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** The path of a new preset within a workspace folder. */
export function presetPath(workflowName: string, presetName: string): string {
  return `${folderName}/${stem(workflowName)}.${presetName}${ending}`;
}

/** Returns what's wrong with a preset's path within a workspace folder; undefined if it's valid. */
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

/** Returns the presets of all folders, sorted by name. Presets of the workflow come first. */
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

/** Returns the preset's name, sanitized for display, and its text, which may be unsaved text of an open editor. */
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

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

/** Writes a preset and creates its folders. */
export async function writePreset(uri: vscode.Uri, text: string): Promise<void> {
  requireFolders();
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
