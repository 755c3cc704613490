// What the engine needs of the place where files are, and of the service.
import type { Disposable } from '../base/disposable.ts';
import type { Workflow } from '../domain/workflow.ts';
import type { Services } from '../model/connections/clients.ts';
import type { WorkflowActions } from '../model/workflows/workflowActions.ts';
import type { Workflows } from '../model/workflows/workflows.ts';

/** The folder of a workflows.json. Paths go from it on, with "/" between names. Nothing outside is read or written, by a link neither. */
export interface FilesFolder {
  /** The names of the files in it, without those of folders below. */
  list(): Promise<readonly string[]>;
  /** The paths of the workflow files in folders below, as far as a walk of a bounded number of folders finds them. */
  listBelow(): Promise<readonly string[]>;
  /**
   * The text with its byte order mark; undefined: there's no such file. Rejects with a FilesError for a file that is larger, isn't UTF-8, or
   * is outside by a link.
   */
  read(path: string, maximumBytes: number): Promise<string | undefined>;
  /** Writes the whole file or nothing, and makes the folders around it. Rejects with a FilesError if it can't. */
  write(path: string, text: string): Promise<void>;
  /** Resolves when it wasn't there, too. Rejects with a FilesError if it can't. */
  remove(path: string): Promise<void>;
  /**
   * Keeps others from changing the folder until it's disposed, or its process has ended; undefined while somebody else does. Only on a disk: on
   * another file system nobody is kept. Rejects with a FilesError if it can't.
   */
  lock(): Promise<Disposable | undefined>;
}

/** The service of one environment. What rejects does so with a ServiceError, or the signal's reason. */
export interface FilesService {
  readonly connectionId: string;
  readonly workflows: Pick<Workflows, 'listWhole' | 'read'>;
  readonly actions: Pick<WorkflowActions, 'import' | 'update' | 'deploy'>;
  readonly services: Pick<Services, 'traits'>;
}

/** The workflows that a service lists, by id. Rejects with a ServiceError or the signal's reason. */
export async function listRows(
  { connectionId, workflows }: FilesService,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Workflow>> {
  const listed = await workflows.listWhole(connectionId, { signal, purpose: 'asked' });
  return new Map(listed.map((workflow) => [workflow.id, workflow]));
}

/** With its definition. Rejects likewise. */
export function readWorkflow(
  { connectionId, workflows }: FilesService,
  workflowId: string,
  signal: AbortSignal,
): Promise<Workflow> {
  return workflows.read({ connectionId, workflowId }, signal);
}
