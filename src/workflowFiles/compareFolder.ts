// Compares the definitions of a folder with what a service has: how each stands to the other.
import * as l10n from '@vscode/l10n';
import { mapAtOnce } from '../base/async.ts';
import { withoutMark } from '../base/format.ts';
import { equalJson, type JsonObject } from '../base/json.ts';
import { isServiceError } from '../domain/errors.ts';
import { definitionFormats, formatOf } from '../domain/definitionFormat.ts';
import type { Workflow } from '../domain/workflow.ts';
import { editVersion } from '../model/workflows/definitionStore.ts';
import { parseDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';
import { agreedDefinition, type Agreement, hashOf } from './agreed.ts';
import { freeFileNames } from './fileNames.ts';
import { type ComparedFolder, findLinks, type FolderLinks } from './links.ts';
import { readWorkflow } from './ports.ts';
import type { FileText } from './readFolder.ts';
import type { Renames } from './renames.ts';
import { type FileState, stateOf } from './states.ts';

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
  /** Ids that definitions name and the service doesn't have yet, with the files that it will have them of. Only of a promotion. */
  readonly promised: ReadonlyMap<string, string>;
}

/** Asks for the list, and for each definition that may have changed since it was agreed. Rejects with a ServiceError or the signal's reason. */
export async function compareFolder(folder: ComparedFolder, signal: AbortSignal): Promise<Comparison> {
  return compareLinks(folder, await findLinks(folder, signal), signal);
}

/** The same for what was listed already. */
export async function compareLinks(
  folder: ComparedFolder,
  found: FolderLinks,
  signal: AbortSignal,
): Promise<Comparison> {
  const { environment, files } = folder;
  const { links, rows, definitions, renames } = found;
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
    promised: new Map(),
    files: [...compared.flatMap((each) => each ?? []), ...unlinked].sort((left, right) =>
      left.file < right.file ? -1 : 1,
    ),
  };
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
      there: there === undefined || !isAgreed(there, agreement),
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
  return !isAgreed(here, agreement) && (await hashOf(here)) !== agreement.hash;
}

function isAgreed(definition: JsonObject, agreement: Agreement): boolean {
  return equalJson(definition, agreedDefinition(agreement));
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
  const version = row && editVersion(row);
  const agreed = version === null || version !== agreement?.version ? undefined : agreedDefinition(agreement);
  if (agreed !== undefined) return { workflow: row, there: agreed };
  if (!reads) return { workflow: row, there: undefined };
  try {
    // What isn't listed may be there all the same.
    const workflow = await readWorkflow(service, workflowId, signal);
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
