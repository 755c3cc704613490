// Which workflow of a service each file of a folder is.
import { withoutMark } from '../base/format.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Workflow } from '../domain/workflow.ts';
import { parseDefinition } from '../model/workflows/workflowDefinition.ts';
import type { Agreed } from './agreed.ts';
import { recognizeBegun } from './begunWrites.ts';
import { type FilesService, listRows } from './ports.ts';
import type { FileText, OpenedFolder } from './readFolder.ts';
import { findRenames, type Renames } from './renames.ts';
import type { WorkflowsFile } from './workflowsFile.ts';

export interface ComparedFolder extends Pick<OpenedFolder, 'below' | 'definitions' | 'environment'> {
  readonly workflowsFile: Pick<WorkflowsFile, 'workflows'>;
  /** Learns what became of what was begun. Isn't saved. */
  readonly agreed: Agreed;
  readonly service: FilesService;
  /** What isn't listed is read, unless this is false: then a newer version is taken for a change. */
  readonly reads?: boolean;
  /** Only these files. Default: all, and what has no file yet. */
  readonly files?: ReadonlySet<string> | undefined;
  /** Looks for a linked file that isn't there under other names. Default: true. */
  readonly findsRenamed?: boolean;
}

export interface FolderLinks {
  /** The workflows that the service lists, by id. */
  readonly rows: ReadonlyMap<string, Workflow>;
  /** Their ids by file, under its present path. */
  readonly links: ReadonlyMap<string, string>;
  /** What the folder has, with the files below that a linked one has become. */
  readonly definitions: ReadonlyMap<string, FileText>;
  readonly renames: Renames;
}

/** Asks for the list. Rejects with a ServiceError or the signal's reason. */
export async function findLinks(folder: ComparedFolder, signal: AbortSignal): Promise<FolderLinks> {
  const { service, files } = folder;
  const rows = await listRows(service, signal);
  const links = new Map(linkFiles(folder, rows));
  if (folder.reads !== false) {
    const created = await recognizeBegun({ agreed: folder.agreed, service, links, rows }, files, signal);
    for (const [file, workflowId] of created) links.set(file, workflowId);
  }
  const renames = await findRenamed(folder, links, rows);
  const definitions = new Map(folder.definitions);
  for (const [path, former] of renames.formerPaths) {
    const workflowId = links.get(former);
    if (workflowId !== undefined) links.set(path, workflowId);
    links.delete(former);
    const text = folder.below.get(path);
    if (text !== undefined) definitions.set(path, text);
  }
  return { rows, links, definitions, renames };
}

/**
 * The workflow of each file: the linked one, or else the one that it was agreed with, since a workflows.json may have been left behind or reverted.
 * A file that is linked in another environment only is the workflow of its name here, if exactly one has it and is no other file's.
 */
function linkFiles(
  { workflowsFile, environment, definitions, agreed }: ComparedFolder,
  rows: ReadonlyMap<string, Workflow>,
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const taken = new Set<string>();
  const link = (file: string, id: string): void => {
    links.set(file, id);
    taken.add(id);
  };
  for (const [file, ids] of workflowsFile.workflows) {
    const id = ids.get(environment);
    if (id !== undefined) link(file, id);
  }
  for (const file of definitions.keys()) {
    const id = links.has(file) ? undefined : agreed.idOf(file);
    if (id !== undefined && rows.has(id) && !taken.has(id)) link(file, id);
  }
  const byName = Map.groupBy(
    [...rows.values()].filter(({ id, isArchived }) => !taken.has(id) && isArchived !== true),
    ({ name }) => name,
  );
  for (const [file, ids] of workflowsFile.workflows) {
    const name = links.has(file) || ids.size === 0 ? undefined : nameIn(definitions.get(file));
    const [found, ...others] = (name === undefined ? undefined : byName.get(name)) ?? [];
    if (found !== undefined && others.length === 0 && !taken.has(found.id)) link(file, found.id);
  }
  return links;
}

/** The linked files that aren't there, and what they are called now. */
function findRenamed(
  { definitions, below, agreed, findsRenamed = true }: ComparedFolder,
  links: ReadonlyMap<string, string>,
  rows: ReadonlyMap<string, Workflow>,
): Promise<Renames> {
  const gone = [...links].flatMap(([path, workflowId]) =>
    definitions.has(path) || !findsRenamed
      ? []
      : [{ path, agreement: agreed.find(path, workflowId), workflow: rows.get(workflowId) }],
  );
  if (gone.length === 0) return findRenames([], []);
  const added = [...definitions, ...below].flatMap(([path, file]) => {
    const definition =
      links.has(path) || 'problem' in file ? undefined : parseDefinition(withoutMark(file.text), undefined);
    return definition === undefined ? [] : [{ path, definition }];
  });
  return findRenames(gone, added);
}

function nameIn(file: FileText | undefined): string | undefined {
  const value = file === undefined || 'problem' in file ? undefined : parseJson(withoutMark(file.text));
  const name = isJsonObject(value) ? value['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
