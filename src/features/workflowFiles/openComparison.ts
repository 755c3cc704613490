// Opens what a plan is made of: the folder, what was agreed in it, and the service of one of its environments.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { findConnection, type LinkedFolder } from '../../ui/linkedFiles.ts';
import { compareFolder, type Comparison } from '../../workflowFiles/compareFolder.ts';
import { FilesError } from '../../workflowFiles/filesError.ts';
import type { FilesService } from '../../workflowFiles/ports.ts';
import { type OpenedFolder, openFolder } from '../../workflowFiles/readFolder.ts';
import { findEnvironment, workflowsFileName } from '../../workflowFiles/workflowsFile.ts';
import { EditorFolder } from './editorFolder.ts';

export interface CompareOptions {
  /** Whether what isn't listed is asked for. */
  readonly reads: boolean;
  readonly signal: AbortSignal;
}

/** A comparison, with what it takes to carry out a plan of it. */
export interface OpenComparison {
  readonly folder: LinkedFolder;
  readonly comparison: Comparison;
  readonly opened: OpenedFolder;
  readonly service: FilesService;
}

/** Opens what the folder has for one of its environments. Rejects with a FilesError. */
export function openLinked(folder: LinkedFolder, environment: string): Promise<OpenedFolder> {
  if (folder.file === undefined) throw noService(folder);
  return openFolder(new EditorFolder(folder.uri), folder.file, environment);
}

/** Compares the folder with the service of one of its environments. Rejects with what the service or the folder rejects with. */
export async function compareWith(
  folder: LinkedFolder,
  environment: string,
  service: FilesService,
  { reads, signal }: CompareOptions,
): Promise<OpenComparison> {
  const opened = await openLinked(folder, environment);
  const comparison = await compareFolder({ ...opened, service, reads }, signal);
  return { folder, comparison, opened, service };
}

export type ServiceDeps = Pick<App, 'workflows' | 'actions' | 'services' | 'connections'>;

/** The service of an environment of the folder, by default of the one that its files are edited for. Throws a PlainError that says what is missing. */
export function requireService(
  { workflows, actions, services, connections }: ServiceDeps,
  folder: LinkedFolder,
  name = folder.environment,
): { readonly environment: string; readonly service: FilesService } {
  const { file } = folder;
  if (name === undefined || file === undefined) throw noService(folder);
  const environment = findEnvironment(file, name);
  const connection = findConnection(connections, environment);
  if (connection === undefined) throw noConnection(name, environment);
  return { environment: name, service: { connectionId: connection.id, workflows, actions, services } };
}

/** Says what is missing in workflows.json. */
function noService({ file, problem }: LinkedFolder): Error {
  if (file === undefined) return new FilesError(problem ?? '');
  return new PlainError(
    vscode.l10n.t('{0} has several environments. Add "default" with the name of one.', workflowsFileName),
  );
}

/** Offers to add the connection to an environment. */
function noConnection(
  environment: string,
  { url, kind }: { readonly url: string; readonly kind: 'service' | 'n8n' },
): PlainError {
  return new PlainError(
    vscode.l10n.t(
      'You have no connection to {0}, the environment "{1}".',
      plainLine(url, 120),
      plainLine(environment, 80),
    ),
    [
      {
        label: vscode.l10n.t('Add Connection…'),
        command: 'connection.add',
        argument: { baseUrl: url, kind },
      },
    ],
  );
}
