// Finds files of a workspace by how their names end, on any file system.
import * as vscode from 'vscode';
import { readUtf8 } from './utf8Text.ts';

const maximumFiles = 500;
/** The number of folders to read in one walk, because each may cost a request. */
const maximumFolders = 100;
const searchableSchemes: readonly string[] = ['file', 'vscode-remote'];

/** Finds such files of a workspace folder, at most 500. The editor's search may never end on virtual file systems, so those are walked. */
export async function findFiles(
  { uri }: Pick<vscode.WorkspaceFolder, 'uri'>,
  ending: string,
): Promise<readonly vscode.Uri[]> {
  if (!searchableSchemes.includes(uri.scheme)) return walk(uri, ending);
  const pattern = new vscode.RelativePattern(uri, `**/*${ending}`);
  return vscode.workspace.findFiles(pattern, '**/node_modules/**', maximumFiles);
}

/** Finds files breadth-first. */
async function walk(root: vscode.Uri, ending: string): Promise<readonly vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  let level = [root];
  let foldersLeft = maximumFolders;
  while (level.length > 0 && found.length < maximumFiles) {
    const folders = level.slice(0, foldersLeft);
    foldersLeft -= folders.length;
    const entries = (await Promise.all(folders.map(readFolder))).flat();
    const isFolder = (type: vscode.FileType): boolean => type === vscode.FileType.Directory;
    found.push(
      ...entries.flatMap(([uri, type]) => (!isFolder(type) && uri.path.endsWith(ending) ? [uri] : [])),
    );
    level = entries.flatMap(([uri, type]) => (isFolder(type) ? [uri] : []));
  }
  return found.slice(0, maximumFiles);
}

/** Returns the entries of a folder; none if it can't be read. */
async function readFolder(folder: vscode.Uri): Promise<readonly (readonly [vscode.Uri, vscode.FileType])[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([name]) => name !== 'node_modules' && name !== '.git')
      .map(([name, type]) => [vscode.Uri.joinPath(folder, name), type]);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

/** The path of what is in a folder, from the folder on; empty for the folder itself, and undefined for what is outside. */
export function pathWithin({ scheme, authority, path }: vscode.Uri, uri: vscode.Uri): string | undefined {
  if (uri.scheme !== scheme || uri.authority !== authority) return undefined;
  const start = path.endsWith('/') ? path : `${path}/`;
  if (`${uri.path}/` === start || uri.path === start) return '';
  return uri.path.startsWith(start) ? uri.path.slice(start.length) : undefined;
}

function isNotFound(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}

/** Returns undefined if there's none. Rejects with any other error of the file system. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Reads a file of UTF-8. Returns undefined if there's none, and null if it's larger. Rejects with a FileSystemError, and with a PlainError for what isn't UTF-8. */
export async function readTextFile(
  uri: vscode.Uri,
  maximumBytes: number,
): Promise<string | null | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maximumBytes) return null;
    return readUtf8(uri, await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
