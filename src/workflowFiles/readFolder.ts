// The definitions in a folder, as they are written.
import * as l10n from '@vscode/l10n';
import { mapAtOnce } from '../base/async.ts';
import { limits } from '../protocol/operations.ts';
import { Agreed } from './agreed.ts';
import { isWorkflowPath } from './fileNames.ts';
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
  return { folder, environment, workflowsFile, definitions, agreed };
}

async function readDefinitions(
  folder: FilesFolder,
  named: readonly string[],
): Promise<ReadonlyMap<string, FileText>> {
  const inFolder = (await folder.list()).filter(isWorkflowPath);
  const paths = [...new Set([...named, ...inFolder])];
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
