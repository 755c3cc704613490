// Which folder or file a command is about.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { activeDocument } from '../../editor/documents/documents.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, withLateProgress } from '../../editor/prompts/prompts.ts';
import { workflowsFileName } from '../../workflowFiles/workflowsFile.ts';
import type { FolderStates } from './folderStates.ts';
import { stateLooks } from './stateWords.ts';
import type { FilesDeps } from './filesDeps.ts';
import { compareWith, type OpenComparison, requireService } from './openComparison.ts';

/**
 * The folder that a command is about: the one that was named, that of the document in front, or the only one; else asks. Reads its workflows.json,
 * which may have been written a moment ago.
 */
export async function requireFolder(
  { linkedFiles, states }: Pick<FilesDeps, 'linkedFiles' | 'states'>,
  named: string | undefined,
  isInteractive: boolean,
): Promise<FolderStates> {
  requireTrust();
  await linkedFiles.load();
  const { uri } = (await chooseFolder(states, named, isInteractive)).folder;
  await linkedFiles.reread(uri);
  const found = states.folders.find(({ folder }) => folder.uri.toString() === uri.toString());
  if (found === undefined) throw noFolder();
  return found;
}

async function chooseFolder(
  states: FilesDeps['states'],
  named: string | undefined,
  isInteractive: boolean,
): Promise<FolderStates> {
  const { folders } = states;
  if (named !== undefined) {
    const found = folders.find(
      ({ folder }) => folder.uri.toString() === vscode.Uri.parse(named, true).toString(),
    );
    if (found !== undefined) return found;
    throw new PlainError(
      vscode.l10n.t('There\'s no {0} in "{1}".', workflowsFileName, plainLine(named, 120)),
    );
  }
  const [only, ...others] = folders;
  if (only === undefined) throw noFolder();
  if (others.length === 0) return only;
  const document = activeDocument();
  const inFront = document && states.folderOf(document);
  if (inFront !== undefined) return inFront;
  if (!isInteractive)
    throw new PlainError(vscode.l10n.t('Several folders are linked. Name one as "folder".'));
  return choose(
    vscode.l10n.t('Select a linked folder'),
    folders.map((each) => ({
      label: vscode.workspace.asRelativePath(each.folder.uri),
      description: plainLine(each.folder.environment ?? '', 80),
      value: each,
    })),
  );
}

/** Throws a PlainError in a workspace that isn't trusted. */
export function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new PlainError(vscode.l10n.t('Trust this workspace first: nothing of it is read before.'));
}

function noFolder(): PlainError {
  return new PlainError(vscode.l10n.t('No folder of this window is linked to a service.'), [
    { label: vscode.l10n.t('Link a Folder…'), command: 'files.linkFolder' },
  ]);
}

/** Files of one folder, by their URIs and by their paths. */
export interface ChosenFiles {
  readonly states: FolderStates;
  readonly uris: readonly vscode.Uri[];
  readonly files: ReadonlySet<string>;
}

/** The files of rows, all in the folder of the first one. Throws a PlainError for a file of no linked folder. */
export async function filesOf(
  { linkedFiles, states }: Pick<FilesDeps, 'linkedFiles' | 'states'>,
  rows: readonly { readonly linkedFile: string }[],
): Promise<ChosenFiles> {
  await linkedFiles.load();
  const uris = rows.map(({ linkedFile }) => vscode.Uri.parse(linkedFile, true));
  const found = uris.map((uri) => states.folderOf(uri));
  const [first] = found;
  if (first === undefined)
    throw new PlainError(
      vscode.l10n.t(
        '"{0}" is in no folder that is linked to a service.',
        plainLine(uris[0]?.path ?? '', 120),
      ),
    );
  const inFirst = uris.filter((_uri, index) => found[index] === first);
  return { states: first, uris: inFirst, files: new Set(inFirst.map((uri) => first.pathOf(uri))) };
}

/** Asks for one of the files that differ. */
export async function chooseLinkedFile(
  deps: Pick<FilesDeps, 'linkedFiles' | 'states'>,
): Promise<{ readonly linkedFile: string }> {
  const states = await requireFolder(deps, undefined, true);
  const linkedFile = await choose(
    vscode.l10n.t('Select a workflow file'),
    states.list().then(() =>
      states.files.map(({ file, state }) => ({
        label: file,
        description: state === 'same' ? '' : stateLooks[state].heading(),
        value: states.uriOf(file).toString(),
      })),
    ),
  );
  return { linkedFile };
}

/** Compares a folder with the environment that its files are edited for; a person sees the progress, and can cancel it. */
export function compareFor(
  deps: FilesDeps,
  states: FolderStates,
  isInteractive: boolean,
): Promise<OpenComparison> {
  if (!isInteractive) return states.compareWhole(new AbortController().signal);
  const environment = plainLine(states.folder.environment ?? '', 80);
  return withLateProgress(deps, vscode.l10n.t('Comparing with {0}…', environment), (signal) =>
    states.compareWhole(signal),
  );
}

/** Compares a folder with one of its environments, by default the one that its files are edited for. */
export function openFor(
  deps: FilesDeps,
  states: FolderStates,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<OpenComparison> {
  const { folder } = states;
  if (environment === undefined || environment === folder.environment) return states.compareWhole(signal);
  const { service } = requireService(deps, folder, environment);
  return compareWith(folder, environment, service, { reads: true, signal });
}

/** After something was done: shows at once what has changed. What fails is said when something is asked for next. */
export async function showChanges(
  { linkedFiles, states }: Pick<FilesDeps, 'linkedFiles' | 'states'>,
  folder: vscode.Uri,
): Promise<void> {
  await linkedFiles.reread(folder);
  await states
    .folderOf(folder)
    ?.listAnew()
    .catch(() => undefined);
}
