// Finds files of a workspace by how their names end, on any file system.
import * as vscode from 'vscode';
import { plainLine, withoutLinks } from '../../base/format.ts';
import { readUtf8 } from './utf8Text.ts';

const maximumFiles = 500;
/** The number of folders to read in one walk, because each may cost a request. */
const maximumFolders = 100;
const searchableSchemes: readonly string[] = ['file', 'vscode-remote'];

interface Found {
  readonly uris: readonly vscode.Uri[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/**
 * Finds such files of a workspace folder, at most 500, and says where these aren't all. The editor's search may never end on virtual file
 * systems, so those are walked.
 */
export async function findFiles(
  { uri }: Pick<vscode.WorkspaceFolder, 'uri'>,
  ending: string,
): Promise<readonly vscode.Uri[]> {
  const { uris, isWhole } = await (searchableSchemes.includes(uri.scheme)
    ? search(uri, ending)
    : walk(uri, ending));
  if (!isWhole) sayIncomplete(uri, ending);
  return uris;
}

/** Where it was said already, since files are looked for again and again. */
const said = new Set<string>();

function sayIncomplete(uri: vscode.Uri, ending: string): void {
  const key = `${uri.toString()}*${ending}`;
  if (said.has(key)) return;
  said.add(key);
  const folder = plainLine(vscode.workspace.asRelativePath(uri), 120);
  const text = vscode.l10n.t(
    'Not all files "*{0}" in "{1}" are found: it has too many files or folders.',
    ending,
    folder,
  );
  void vscode.window.showWarningMessage(withoutLinks(text));
}

async function search(uri: vscode.Uri, ending: string): Promise<Found> {
  const pattern = new vscode.RelativePattern(uri, `**/*${ending}`);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', maximumFiles + 1);
  return { uris: found.slice(0, maximumFiles), isWhole: found.length <= maximumFiles };
}

/** Finds files breadth-first. */
async function walk(root: vscode.Uri, ending: string): Promise<Found> {
  const found: vscode.Uri[] = [];
  let level = [root];
  let foldersLeft = maximumFolders;
  let isWhole = true;
  while (level.length > 0 && found.length <= maximumFiles) {
    const folders = level.slice(0, foldersLeft);
    isWhole &&= folders.length === level.length;
    foldersLeft -= folders.length;
    const entries = (await Promise.all(folders.map(readFolder))).flat();
    const isFolder = (type: vscode.FileType): boolean => type === vscode.FileType.Directory;
    found.push(
      ...entries.flatMap(([uri, type]) => (!isFolder(type) && uri.path.endsWith(ending) ? [uri] : [])),
    );
    level = entries.flatMap(([uri, type]) => (isFolder(type) ? [uri] : []));
  }
  return { uris: found.slice(0, maximumFiles), isWhole: isWhole && found.length <= maximumFiles };
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
