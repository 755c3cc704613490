// Compares the definitions of a folder with what a service has: how each stands to the other.
import * as l10n from '@vscode/l10n';
import { mapAtOnce } from '../base/async.ts';
import { equalJson, isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import { isServiceError } from '../domain/errors.ts';
import { definitionFormats, formatOf } from '../domain/definitionFormat.ts';
import type { Workflow } from '../domain/workflow.ts';
import { editVersion } from '../model/workflows/definitionStore.ts';
import { parseDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';
import { type Agreed, type Agreement, hashOf } from './agreed.ts';
import { recognizeBegun } from './begunWrites.ts';
import { freeFileNames } from './fileNames.ts';
import type { FilesService } from './ports.ts';
import type { FileText, OpenedFolder } from './readFolder.ts';
import { findRenames, type Renames } from './renames.ts';
import { type FileState, stateOf } from './states.ts';
import type { WorkflowsFile } from './workflowsFile.ts';

export const maximumWorkflows = 10_000;
const readAtOnce = 4;

export interface ComparedFile {
  /** For a workflow without a file, the name that it would get. */
  readonly file: string;
  readonly state: FileState;
  /** undefined: no workflow is known to be the file's. */
  readonly workflowId: string | undefined;
  /** Whether workflows.json says so. */
  readonly isLinked: boolean;
  /** undefined: there's no file, or it can't be read. */
  readonly text: string | undefined;
  readonly here: JsonObject | undefined;
  /** Why the file can't be read, in words. */
  readonly problem: string | undefined;
  /** As it's listed, or as it was read. undefined: the service doesn't have it. */
  readonly workflow: Workflow | undefined;
  /** The service's definition, as far as it was needed. */
  readonly there: JsonObject | undefined;
  readonly agreement: Agreement | undefined;
  /** Its path in workflows.json, which doesn't know yet that it was renamed. */
  readonly renamedFrom: string | undefined;
  /** The paths of files that may be this one under another name: which is for a person to decide. */
  readonly candidates: readonly string[];
}

export interface Comparison {
  readonly environment: string;
  /** By the names of the files. */
  readonly files: readonly ComparedFile[];
  /** The ids of all workflows that the service has. */
  readonly workflowIds: readonly string[];
}

export interface ComparedFolder extends Pick<OpenedFolder, 'below' | 'definitions' | 'environment'> {
  readonly workflowsFile: Pick<WorkflowsFile, 'workflows'>;
  /** Learns what became of what was begun. Isn't saved. */
  readonly agreed: Agreed;
  readonly service: FilesService;
  /** What isn't listed is read, unless this is false: then a newer version is taken for a change. */
  readonly reads?: boolean;
  /** Only these files. Default: all, and what has no file yet. */
  readonly files?: ReadonlySet<string> | undefined;
}

/** Asks for the list, and for each definition that may have changed since it was agreed. Rejects with a ServiceError or the signal's reason. */
export async function compareFolder(folder: ComparedFolder, signal: AbortSignal): Promise<Comparison> {
  const { service, environment, files } = folder;
  const { connectionId, workflows } = service;
  const listed = await workflows.listWhole(connectionId, {
    limit: maximumWorkflows,
    signal,
    purpose: 'asked',
  });
  const rows = new Map(listed.map((workflow) => [workflow.id, workflow]));
  const links = new Map(findLinks(folder, rows));
  if (folder.reads !== false) {
    const created = await recognizeBegun({ agreed: folder.agreed, service, links, rows }, files, signal);
    for (const [file, workflowId] of created) links.set(file, workflowId);
  }
  const renames = await findRenamed(folder, links, rows);
  const definitions = new Map(folder.definitions);
  for (const [path, former] of renames.formerPaths) {
    links.set(path, links.get(former) ?? '');
    links.delete(former);
    definitions.set(path, folder.below.get(path) ?? folder.definitions.get(path) ?? { text: '' });
  }
  const paths = [...new Set([...definitions.keys(), ...links.keys()])].filter((path) =>
    [path, renames.formerPaths.get(path)].some((each) => each !== undefined && files?.has(each) !== false),
  );
  const compared = await mapAtOnce(paths, readAtOnce, (path) =>
    compareFile({ ...folder, definitions }, { path, workflowId: links.get(path), rows, renames }, signal),
  );
  const unlinked = files === undefined ? withoutFiles(folder, rows, new Set(links.values())) : [];
  return {
    environment,
    workflowIds: [...rows.keys()],
    files: [...compared.flatMap((each) => each ?? []), ...unlinked].sort((left, right) =>
      left.file < right.file ? -1 : 1,
    ),
  };
}

/**
 * The workflow of each file: the linked one, or else the one that it was agreed with, since a workflows.json may have been left behind or reverted.
 * A file that is linked in another environment only is the workflow of its name here, if exactly one has it and is no other file's.
 */
function findLinks(
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
  { definitions, below, agreed }: ComparedFolder,
  links: ReadonlyMap<string, string>,
  rows: ReadonlyMap<string, Workflow>,
): Promise<Renames> {
  const gone = [...links].flatMap(([path, workflowId]) =>
    definitions.has(path)
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

interface Place {
  readonly path: string;
  readonly workflowId: string | undefined;
  readonly rows: ReadonlyMap<string, Workflow>;
  readonly renames: Renames;
}

/** undefined: there's neither a file nor a workflow, or the file is of another kind of service. */
async function compareFile(
  folder: ComparedFolder,
  { path, workflowId, rows, renames }: Place,
  signal: AbortSignal,
): Promise<ComparedFile | undefined> {
  const { agreed, definitions, environment, workflowsFile } = folder;
  const agreement = workflowId === undefined ? undefined : agreed.find(path, workflowId);
  const { workflow, there } =
    workflowId === undefined ? nothing : await readThere(folder, { workflowId, rows, agreement }, signal);
  const file = definitions.get(path);
  const text = file !== undefined && 'text' in file ? file.text : undefined;
  const here = text === undefined ? undefined : parseDefinition(withoutMark(text), there);
  const { definitionFormat } = folder.service.services.traits(folder.service.connectionId);
  if (workflowId === undefined && here !== undefined && formatOf(here) !== definitionFormat) return undefined;
  const state = stateOf({
    hasFile: file !== undefined,
    isLinked: workflowId !== undefined,
    hasWorkflow: workflow !== undefined,
    isEqual: here !== undefined && there !== undefined && equalJson(here, there),
    changed: agreement && {
      here: await isChangedHere(here, agreement),
      there: there === undefined || !isAgreedText(there, agreement),
    },
  });
  return (
    state && {
      file: path,
      state,
      workflowId,
      isLinked: workflowsFile.workflows.get(path)?.get(environment) === workflowId,
      text,
      here,
      problem: problemOf(file, here),
      workflow,
      there,
      agreement,
      renamedFrom: renames.formerPaths.get(path),
      candidates: renames.candidates.get(path) ?? [],
    }
  );
}

const nothing = { workflow: undefined, there: undefined };

function problemOf(file: FileText | undefined, here: JsonObject | undefined): string | undefined {
  if (file === undefined || here !== undefined) return undefined;
  return 'problem' in file ? file.problem : l10n.t("It isn't a JSON object.");
}

async function isChangedHere(here: JsonObject | undefined, agreement: Agreement): Promise<boolean> {
  if (here === undefined) return true;
  return !isAgreedText(here, agreement) && (await hashOf(here)) !== agreement.hash;
}

function isAgreedText(definition: JsonObject, { text }: Agreement): boolean {
  return equalJson(definition, parseJson(text));
}

interface Known {
  readonly workflowId: string;
  readonly rows: ReadonlyMap<string, Workflow>;
  readonly agreement: Agreement | undefined;
}

interface There {
  readonly workflow: Workflow | undefined;
  readonly there: JsonObject | undefined;
}

async function readThere(
  { service, reads = true }: ComparedFolder,
  { workflowId, rows, agreement }: Known,
  signal: AbortSignal,
): Promise<There> {
  const row = rows.get(workflowId);
  if (row?.hasDefinition === true) return { workflow: row, there: toDefinition(row) };
  const agreedText = agreement === undefined ? undefined : parseJson(agreement.text);
  const version = row && editVersion(row);
  if (version !== null && version === agreement?.version && isJsonObject(agreedText))
    return { workflow: row, there: agreedText };
  if (!reads) return { workflow: row, there: undefined };
  try {
    // What isn't listed may be there all the same.
    const target = { connectionId: service.connectionId, workflowId };
    const workflow = await service.workflows.read(target, signal, 'asked');
    return { workflow, there: toDefinition(workflow) };
  } catch (error) {
    if (isServiceError(error, 'notFound')) return nothing;
    throw error;
  }
}

/** The workflows that have no file, with the names that their files get: the oldest has the plain one. */
function withoutFiles(
  { definitions, workflowsFile, service }: ComparedFolder,
  rows: ReadonlyMap<string, Workflow>,
  linked: ReadonlySet<string>,
): readonly ComparedFile[] {
  const timeOf = ({ createdAt }: Workflow): number => createdAt?.getTime() ?? 0;
  const unlinked = [...rows.values()]
    .filter(({ id, isArchived }) => !linked.has(id) && isArchived !== true)
    .sort((left, right) => timeOf(left) - timeOf(right) || (left.id < right.id ? -1 : 1));
  const { definitionFormat } = service.services.traits(service.connectionId);
  const names = freeFileNames(
    unlinked.map(({ name }) => name),
    [...definitions.keys(), ...workflowsFile.workflows.keys()],
    definitionFormats[definitionFormat].fileEnding,
  );
  return unlinked.map((workflow, index) => ({
    file: names[index] ?? '',
    state: 'only there',
    workflowId: workflow.id,
    isLinked: false,
    text: undefined,
    here: undefined,
    problem: undefined,
    workflow,
    there: workflow.hasDefinition ? toDefinition(workflow) : undefined,
    agreement: undefined,
    renamedFrom: undefined,
    candidates: [],
  }));
}

/** Without a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}
