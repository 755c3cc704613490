// What the commands for files work on: the folder they are called in, and the services of its environments.
import { relative, resolve, sep } from 'node:path';
import { checkBaseUrl } from '../../../model/connections/connectionChecks.ts';
import { lockFolder } from '../../../workflowFiles/carryOut.ts';
import { compareFolder, type Comparison } from '../../../workflowFiles/compareFolder.ts';
import { renderWorkflowsFile } from '../../../workflowFiles/editWorkflowsFile.ts';
import { isWorkflowPath } from '../../../workflowFiles/fileNames.ts';
import {
  asListed,
  openFolder,
  type OpenedFolder,
  openWorkflowsFile,
} from '../../../workflowFiles/readFolder.ts';
import {
  findEnvironment,
  readWorkflowsFile,
  strangePath,
  usualEnvironment,
  type WorkflowsFile,
  workflowsFileName,
} from '../../../workflowFiles/workflowsFile.ts';
import { NodeFolder } from '../../nodeFolder.ts';
import type { OpenService } from '../../openService.ts';
import type { Invocation } from '../command.ts';
import { type GivenArguments, UsageError } from '../given.ts';
import { readAddress } from '../readService.ts';

/** A folder with one of its environments. */
export interface OpenFiles {
  readonly opened: OpenedFolder;
  readonly service: OpenService;
  /** The files that were named; undefined: all. */
  readonly files: ReadonlySet<string> | undefined;
}

/** The one that the command is called in. */
const openHere = (): NodeFolder => new NodeFolder('.');

/** Of the environment of the options, or else the usual one. Throws a UsageError or a FilesError. */
export async function openFiles(invocation: Invocation): Promise<OpenFiles> {
  const { given } = invocation;
  const file = await openWorkflowsJson();
  return openEnvironment(invocation, file, chooseEnvironment(given, file));
}

/** The same for a folder that has nothing yet: then the service of the options gets a workflows.json. */
export async function openOrBeginFiles(invocation: Invocation): Promise<OpenFiles> {
  const { given } = invocation;
  const folder = openHere();
  if ((await openWorkflowsFile(folder)) !== undefined) return openFiles(invocation);
  const name = given.text('environment') ?? 'default';
  const environment = { ...readAddress(given, invocation.environment), isGuarded: false };
  checkBaseUrl(environment.url, environment.kind === 'n8n' ? 'n8n' : 'remote');
  const text = renderWorkflowsFile(name, environment);
  const file = readWorkflowsFile(text);
  const files = await openEnvironment(invocation, file, name);
  if (given.has('dry-run') || (await beginFolder(folder, text))) return files;
  return openFiles(invocation);
}

/** Returns false where another one has begun it meanwhile: what that has noted since must stay. */
async function beginFolder(folder: NodeFolder, text: string): Promise<boolean> {
  const lock = await lockFolder(folder);
  try {
    if ((await openWorkflowsFile(folder)) !== undefined) return false;
    await folder.write(workflowsFileName, text);
    return true;
  } finally {
    lock.dispose();
  }
}

/** Of an environment by its name. Throws a UsageError or a FilesError. */
export async function openEnvironment(
  { given, openService }: Invocation,
  file: WorkflowsFile,
  environment: string,
): Promise<OpenFiles> {
  const address = findEnvironment(file, environment);
  const folder = openHere();
  const paths = given.positionals.map(toPath);
  const service = openService({ address, environment });
  const files = await asListed(folder, file, paths);
  const opened = await openFolder(folder, file, environment, files);
  return { opened, service, files: files.length === 0 ? undefined : new Set(files) };
}

export async function openWorkflowsJson(): Promise<WorkflowsFile> {
  return (await openWorkflowsFile(openHere())) ?? missingFile();
}

function missingFile(): never {
  throw new UsageError(`There's no ${workflowsFileName} in this folder.`);
}

/** Throws a UsageError for a file that is neither here nor there. */
export async function compareFiles(
  { opened, service, files }: OpenFiles,
  signal: AbortSignal,
): Promise<Comparison> {
  const { definitions, workflowsFile } = opened;
  const isKnown = (file: string): boolean => definitions.has(file) || workflowsFile.workflows.has(file);
  if (files === undefined || [...files].every(isKnown))
    return compareFolder({ ...opened, service, files }, signal);
  const whole = await compareFolder({ ...opened, service }, signal);
  const gone = [...files].find((file) => !whole.files.some((each) => each.file === file));
  if (gone !== undefined) throw new UsageError(`There's no file and no workflow for ${gone}.`);
  return { ...whole, files: whole.files.filter(({ file }) => files.has(file)) };
}

/** The path of an argument, from the folder on. Throws a FilesError for one outside. */
function toPath(argument: string): string {
  const path = relative(resolve('.'), resolve(argument)).split(sep).join('/');
  if (!isWorkflowPath(path)) throw strangePath(argument);
  return path;
}

function chooseEnvironment(given: GivenArguments, file: WorkflowsFile): string {
  const named = given.text('environment');
  const url = given.text('url');
  if (named !== undefined && url !== undefined)
    throw new UsageError('Give --environment, or --url with --kind: not both.');
  if (named !== undefined) return named;
  if (url === undefined) {
    const usual = usualEnvironment(file);
    if (usual !== undefined) return usual;
    const names = [...file.environments.keys()].join(', ');
    throw new UsageError(`Name the environment: --environment NAME. ${workflowsFileName} has: ${names}.`);
  }
  const plain = (text: string): string => text.trim().replace(/\/+$/, '');
  const found = [...file.environments].find(([, environment]) => plain(environment.url) === plain(url));
  if (found === undefined)
    throw new UsageError(`${workflowsFileName} has no environment with the URL ${url}.`);
  return found[0];
}
