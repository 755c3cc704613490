// The definitions in a folder, as they are written.
import * as l10n from '@vscode/l10n';
import { mapAtOnce } from '../base/async.ts';
import { limits } from '../protocol/operations.ts';
import { Agreed } from './agreed.ts';
import { fileKey, isWorkflowPath } from './fileNames.ts';
import { FilesError } from './filesError.ts';
import type { FilesFolder } from './ports.ts';
import {
  maximumWorkflowsFile,
  readWorkflowsFile,
  type WorkflowsFile,
  workflowsFileName,
} from './workflowsFile.ts';

/** A definition of more bytes is taken by no service. */
const maximumDefinition = limits.importBytes;
const readAtOnce = 16;

/** The text of a file, or in words why there's none. */
export type FileText = { readonly text: string } | { readonly problem: string };

/** undefined: the folder has none. Rejects with a FilesError. */
export async function openWorkflowsFile(
  folder: Pick<FilesFolder, 'read'>,
): Promise<WorkflowsFile | undefined> {
  const text = await folder.read(workflowsFileName, maximumWorkflowsFile);
  return text === undefined ? undefined : readWorkflowsFile(text);
}

/** What a folder has for an environment. */
export interface OpenedFolder {
  readonly folder: FilesFolder;
  readonly environment: string;
  readonly workflowsFile: WorkflowsFile;
  /** By their paths: those in the folder, and those below it that are linked. */
  readonly definitions: ReadonlyMap<string, FileText>;
  /** The other ones below it, where a linked file is gone: it may be one of them. */
  readonly below: ReadonlyMap<string, FileText>;
  readonly agreed: Agreed;
}

/** Rejects with a FilesError. `others`: paths of files below that aren't linked yet. */
export async function openFolder(
  folder: FilesFolder,
  workflowsFile: WorkflowsFile,
  environment: string,
  others: readonly string[] = [],
): Promise<OpenedFolder> {
  const [agreed, definitions] = await Promise.all([
    Agreed.open(folder, environment),
    readDefinitions(folder, [...workflowsFile.workflows.keys(), ...others]),
  ]);
  const isGone = [...workflowsFile.workflows.keys()].some((file) => !definitions.has(file));
  const below = isGone ? await readFiles(folder, await folder.listBelow()) : new Map<string, FileText>();
  return { folder, environment, workflowsFile, definitions, below, agreed };
}

/** The paths that the folder has for files: a disk may have one under a name in another case as well, which isn't another file. */
export async function asListed(
  folder: FilesFolder,
  { workflows }: WorkflowsFile,
  paths: readonly string[],
): Promise<readonly string[]> {
  const inFolder = [...workflows.keys(), ...(await folder.list())];
  if (paths.every((path) => inFolder.includes(path))) return paths;
  const listed = new Set([...inFolder, ...(await folder.listBelow())]);
  return mapAtOnce(paths, readAtOnce, async (path) => {
    if (listed.has(path) || (await readFile(folder, path)) === undefined) return path;
    return [...listed].find((known) => fileKey(known) === fileKey(path)) ?? path;
  });
}

async function readDefinitions(
  folder: FilesFolder,
  named: readonly string[],
): Promise<ReadonlyMap<string, FileText>> {
  const inFolder = (await folder.list()).filter(isWorkflowPath);
  const files = new Map(await readFiles(folder, [...new Set([...named, ...inFolder])]));
  // A disk may have one file under both names: then the one that is linked counts.
  const asNamed = new Set(named.filter((path) => files.has(path) && !inFolder.includes(path)).map(fileKey));
  for (const path of inFolder) if (!named.includes(path) && asNamed.has(fileKey(path))) files.delete(path);
  return files;
}

async function readFiles(
  folder: FilesFolder,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileText>> {
  const read = await mapAtOnce(
    paths,
    readAtOnce,
    async (path) => [path, await readFile(folder, path)] as const,
  );
  return new Map(read.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));
}

async function readFile(folder: FilesFolder, path: string): Promise<FileText | undefined> {
  try {
    const text = await folder.read(path, maximumDefinition);
    if (text === undefined) return undefined;
    return text.trim() === '' ? { problem: l10n.t("It's empty.") } : { text };
  } catch (error) {
    if (error instanceof FilesError) return { problem: error.message };
    throw error;
  }
}
