// Presets are files in any folder of the workspace, on any file system: finding, naming, reading and writing them.
import * as vscode from 'vscode';
import { plainLine } from '../base/format.ts';
import { baseName, findDocument } from '../editor/documents/documents.ts';
import { readUtf8 } from '../editor/documents/utf8Text.ts';
import { findFiles } from '../editor/documents/workspaceFiles.ts';
import { PlainError } from '../editor/plainError.ts';
import { presetEnding } from '../model/inputs/presetChoices.ts';
import { fileKey, workflowFileName } from '../workflowFiles/fileNames.ts';

const folderName = '.workflows';
const maximumBytes = 1024 * 1024;

export interface PresetFile {
  readonly uri: vscode.Uri;
  /** The file's name without its extension. */
  readonly name: string;
  /** Its path within the workspace folder, for display. Begins with the folder's name if there are several folders. */
  readonly place: string;
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
        'Presets are files of the workspace, and this workspace isn\'t trusted. To trust it, run "Workspaces: Manage Workspace Trust".',
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

/** The parts of a workspace folder that its name is made from. */
interface NamedFolder {
  readonly name: string;
  readonly uri: { readonly authority: string; readonly path: string };
}

/** Returns a name for each folder, in order: its own name or, if several share it, enough of its path to be unique. */
export function folderNames(folders: readonly NamedFolder[]): readonly string[] {
  const partsOf = ({ uri }: NamedFolder): readonly string[] => [
    uri.authority,
    ...uri.path.split('/').filter((part) => part !== ''),
  ];
  return folders.map((folder) => {
    const namesakes = folders.filter(({ name }) => name === folder.name);
    if (namesakes.length === 1) return folder.name;
    const ends = shortestDistinct(namesakes.map(partsOf));
    return ends[namesakes.indexOf(folder)] ?? folder.name;
  });
}

/** The shortest path ends that differ from each other; the whole paths if they're the same. */
function shortestDistinct(paths: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...paths.map(({ length }) => length));
  for (let count = 1; ; count += 1) {
    const ends = paths.map((parts) => parts.slice(-count).join('/'));
    if (new Set(ends).size === ends.length || count >= longest) return ends;
  }
}

/** True for a preset file in the workspace. */
export function isPresetFile(uri: vscode.Uri): boolean {
  return uri.path.endsWith(presetEnding) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** The path of a new preset within a workspace folder. */
export function presetPath(workflowName: string, presetName: string): string {
  return `${folderName}/${workflowFileName(workflowName, `.${presetName}${presetEnding}`)}`;
}

/** Returns what's wrong with a preset's path within a workspace folder; undefined if it's valid. */
export function checkPresetPath(path: string): string | undefined {
  const parts = path.trim().split(/[\\/]/);
  const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside) return vscode.l10n.t('Enter a path inside the folder.');
  const last = parts.at(-1) ?? '';
  return last.length > presetEnding.length && last.endsWith(presetEnding)
    ? undefined
    : vscode.l10n.t('The name of a preset must end in "{0}".', presetEnding);
}

function placeOf(uri: vscode.Uri, folders: readonly FolderChoice[]): string {
  const within = vscode.workspace.asRelativePath(uri, false).split('/').slice(0, -1);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const label = folders.find(({ value }) => value.index === folder?.index)?.label;
  return [...(folders.length > 1 && label !== undefined ? [label] : []), ...within].join('/');
}

/** Returns the presets of all folders, sorted by name. Presets whose names begin with the workflow's name come first. */
export async function findPresets(workflowName: string | undefined): Promise<readonly PresetFile[]> {
  const folders = folderChoices();
  const found = (await Promise.all(folders.map(({ value }) => findFiles(value, presetEnding)))).flat();
  const own = workflowName === undefined ? undefined : fileKey(workflowFileName(workflowName, ''));
  const isOwn = ({ name }: PresetFile): boolean => own !== undefined && fileKey(name).startsWith(own);
  return [...new Map(found.map((uri) => [uri.toString(), uri])).values()]
    .map((uri) => ({ uri, name: baseName(uri).slice(0, -presetEnding.length), place: placeOf(uri, folders) }))
    .sort(
      (left, right) =>
        Number(isOwn(right)) - Number(isOwn(left)) ||
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
    throw new PlainError(vscode.l10n.t('"{0}" is too large. The maximum for an input is 1 MiB.', name));
  return readUtf8(uri, await vscode.workspace.fs.readFile(uri));
}

/** Writes a preset and creates its folders. */
export async function writePreset(uri: vscode.Uri, text: string): Promise<void> {
  requireFolders();
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
