// The editor searches disks only; on any other file system a search may never end, so there the folders are walked.
import * as vscode from 'vscode';

const searchableSchemes: readonly string[] = ['file', 'vscode-remote'];
/** Folders read at most in one walk: each may be a request. */
const maximumFolders = 100;

/** Folders that hold no work of a person's own. */
function isPassedOver(name: string): boolean {
  return name === 'node_modules' || name === '.git';
}

/** What a folder holds; one that cannot be read holds nothing, and costs the others nothing. */
async function readFolder(folder: vscode.Uri): Promise<readonly (readonly [vscode.Uri, vscode.FileType])[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([name]) => !isPassedOver(name))
      .map(([name, type]) => [vscode.Uri.joinPath(folder, name), type]);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

/** The nearest folders first. */
async function walk(root: vscode.Uri, ending: string, maximumFiles: number): Promise<vscode.Uri[]> {
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

/** The files of a workspace's folder whose name ends so. */
export async function findFiles(
  { uri }: vscode.WorkspaceFolder,
  ending: string,
  maximumFiles: number,
): Promise<readonly vscode.Uri[]> {
  if (!searchableSchemes.includes(uri.scheme)) return walk(uri, ending, maximumFiles);
  const pattern = new vscode.RelativePattern(uri, `**/*${ending}`);
  return vscode.workspace.findFiles(pattern, '**/node_modules/**', maximumFiles);
}
