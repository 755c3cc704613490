// The folders of the workspace with a workflows.json, and the files that it links to workflows. Nothing is read before the workspace is trusted.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { once } from '../base/async.ts';
import type { Connection } from '../domain/connection.ts';
import { targetName, type WorkflowTarget } from '../domain/targets.ts';
import { WordedError } from '../domain/errors.ts';
import { WatchedFiles } from '../editor/documents/watchedFiles.ts';
import { readTextFile } from '../editor/documents/workspaceFiles.ts';
import { hasUrl } from '../model/connections/connectionChecks.ts';
import type { Connections } from '../model/connections/connections.ts';
import { workflowFileEnding } from '../workflowFiles/fileNames.ts';
import type { FileState } from '../workflowFiles/states.ts';
import {
  type FilesEnvironment,
  maximumWorkflowsFile,
  readWorkflowsFile,
  usualEnvironment,
  type WorkflowsFile,
  workflowsFileName,
} from '../workflowFiles/workflowsFile.ts';

export interface LinkedFolder {
  readonly uri: vscode.Uri;
  /** undefined: its workflows.json can't be read. */
  readonly file: WorkflowsFile | undefined;
  /** Why it can't be read, in words. */
  readonly problem?: string;
  /** The name of the one that its files are edited for: the default, or the only one. */
  readonly environment: string | undefined;
  /** The user's connection to that environment, which has its URL and its kind. */
  readonly connectionId: string | undefined;
}

export interface LinkedFile {
  readonly folder: LinkedFolder;
  /** From the folder on. */
  readonly path: string;
  /** In the folder's environment; undefined if it has no workflow there. */
  readonly workflowId: string | undefined;
  /** undefined without a workflow or a connection. */
  readonly target: WorkflowTarget | undefined;
}

/** Who compares files with what the services have. */
export interface ComparedFiles {
  readonly find: (
    uri: vscode.Uri,
  ) => { readonly state: FileState; readonly text: string | undefined } | undefined;
  readonly onDidChange: Event<unknown>;
}

type LinkedConnections = Pick<Connections, 'all' | 'active'>;

export class LinkedFiles implements Disposable {
  readonly #connections: LinkedConnections;
  readonly #owned = new DisposableStore();
  readonly #files = this.#owned.add(new WatchedFiles(workflowsFileName));
  readonly #changes = this.#owned.add(new Emitter<void>());
  /** Fires when a folder was read again, was found or is gone, and when another connection counts. */
  readonly onDidChange = this.#changes.event;
  readonly #comparisons = this.#owned.add(new Emitter<void>());
  readonly onDidCompare = this.#comparisons.event;
  #compared: ComparedFiles | undefined;
  readonly #folders = new Map<string, LinkedFolder>();
  #byUri = new Map<string, LinkedFile>();
  #isWanted = false;
  #loaded = once(() => this.#files.inTurn(this.#findAll));

  constructor(connections: LinkedConnections) {
    this.#connections = connections;
    const { workspace } = vscode;
    const read = (uri: vscode.Uri): void => {
      if (isWorkflowsFile(uri)) void this.reread(vscode.Uri.joinPath(uri, '..'));
    };
    const look = ({ uri }: vscode.TextDocument): void => {
      if (mayBeLinked(uri)) void this.load();
    };
    this.#owned.add(this.#files.onDidCreate(read));
    this.#owned.add(this.#files.onDidChange(read));
    this.#owned.add(this.#files.onDidDelete((isGone) => this.#forget(isGone)));
    this.#owned.add(workspace.onDidOpenTextDocument(look));
    this.#owned.add(workspace.onDidGrantWorkspaceTrust(() => void this.#findAgain()));
    this.#owned.add(workspace.onDidChangeWorkspaceFolders(() => void this.#findAgain()));
    this.#owned.add(connections.all.onDidChange(() => this.#connect()));
    this.#owned.add(connections.active.onDidChange(() => this.#connect()));
    workspace.textDocuments.forEach(look);
  }

  /** In the order of their paths, as far as they're loaded. */
  get folders(): readonly LinkedFolder[] {
    return [...this.#folders.values()].sort((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
  }

  /** The files that they name, whether they're there or not. */
  get uris(): readonly vscode.Uri[] {
    return [...this.#byUri.keys()].map((uri) => vscode.Uri.parse(uri, true));
  }

  /** Finds the folders, the first time that it's asked for in a workspace that is trusted. */
  async load(): Promise<void> {
    this.#isWanted = true;
    if (vscode.workspace.isTrusted) await this.#loaded();
  }

  /** Reads the workflows.json of a folder again. */
  async reread(folder: vscode.Uri): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    await this.#files.inTurn(() => this.#read(folder));
    this.#announce();
  }

  /** undefined for a file that no workflows.json names. */
  find(uri: vscode.Uri): LinkedFile | undefined {
    return this.#byUri.get(uri.toString());
  }

  isPushed(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): boolean {
    const found = this.#compared?.find(document.uri);
    return found?.state === 'same' && found.text === document.getText();
  }

  /** Takes what is found of files from there. */
  attach(compared: ComparedFiles): Disposable {
    this.#compared = compared;
    return combine(
      compared.onDidChange(() => this.#comparisons.fire()),
      toDisposable(() => (this.#compared = undefined)),
    );
  }

  /** The files of a workflow; several folders may have one. */
  filesOf(target: WorkflowTarget): readonly vscode.Uri[] {
    const name = targetName(target);
    return [...this.#byUri].flatMap(([uri, file]) =>
      file.target !== undefined && targetName(file.target) === name ? [vscode.Uri.parse(uri, true)] : [],
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  readonly #findAll = async (): Promise<void> => {
    const found = (await this.#files.find()).filter(isWorkflowsFile);
    this.#folders.clear();
    await Promise.all(found.map((uri) => this.#read(vscode.Uri.joinPath(uri, '..'))));
    this.#announce();
  };

  async #findAgain(): Promise<void> {
    this.#loaded = once(() => this.#files.inTurn(this.#findAll));
    if (this.#isWanted) await this.load();
  }

  #forget(isGone: (uri: vscode.Uri) => boolean): void {
    const gone = [...this.#folders].filter(([, { uri }]) =>
      isGone(vscode.Uri.joinPath(uri, workflowsFileName)),
    );
    if (gone.length === 0) return;
    for (const [key] of gone) this.#folders.delete(key);
    this.#announce();
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const folder = await this.#readFolder(uri);
    if (folder === undefined) this.#folders.delete(uri.toString());
    else this.#folders.set(uri.toString(), folder);
  }

  async #readFolder(uri: vscode.Uri): Promise<LinkedFolder | undefined> {
    try {
      const text = await readTextFile(vscode.Uri.joinPath(uri, workflowsFileName), maximumWorkflowsFile);
      if (text === undefined) return undefined;
      if (text === null) return unreadable(uri, vscode.l10n.t('{0} is too large.', workflowsFileName));
      const file = readWorkflowsFile(text);
      const environment = usualEnvironment(file);
      const connectionId = this.#findConnection(file, environment)?.id;
      return { uri, file, environment, connectionId };
    } catch (error) {
      if (error instanceof vscode.FileSystemError || error instanceof WordedError)
        return unreadable(uri, error.message);
      throw error;
    }
  }

  #findConnection(file: WorkflowsFile, environment: string | undefined): Connection | undefined {
    const wanted = environment === undefined ? undefined : file.environments.get(environment);
    return wanted && findConnection(this.#connections, wanted);
  }

  /** Looks for the connections again. */
  #connect(): void {
    let isOther = false;
    for (const [key, folder] of this.#folders) {
      const connectionId = folder.file && this.#findConnection(folder.file, folder.environment)?.id;
      if (connectionId === folder.connectionId) continue;
      isOther = true;
      this.#folders.set(key, { ...folder, connectionId });
    }
    if (isOther) this.#announce();
  }

  #announce(): void {
    this.#byUri = new Map([...this.#folders.values()].flatMap(listFiles));
    this.#changes.fire();
  }
}

function isWorkflowsFile({ path }: vscode.Uri): boolean {
  return path.endsWith(`/${workflowsFileName}`);
}

function mayBeLinked(uri: vscode.Uri): boolean {
  return uri.path.endsWith(workflowFileEnding) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

function unreadable(uri: vscode.Uri, problem: string): LinkedFolder {
  return { uri, file: undefined, problem, environment: undefined, connectionId: undefined };
}

/** True for a connection to the service of an environment. */
export function isServiceOf(connection: Connection, { url, kind }: FilesEnvironment): boolean {
  return (connection.kind === 'n8n') === (kind === 'n8n') && hasUrl(connection, url);
}

/** Of several connections to the same service the active one counts, else the first. */
export function findConnection(
  { all, active }: LinkedConnections,
  environment: FilesEnvironment,
): Connection | undefined {
  const found = all.current.filter((connection) => isServiceOf(connection, environment));
  return found.find(({ id }) => id === active.current?.id) ?? found[0];
}

function listFiles(folder: LinkedFolder): readonly (readonly [uri: string, file: LinkedFile])[] {
  const { uri, file, environment = '', connectionId } = folder;
  return [...(file?.workflows ?? [])].map(([path, ids]) => {
    const workflowId = ids.get(environment);
    const target =
      workflowId === undefined || connectionId === undefined ? undefined : { connectionId, workflowId };
    return [vscode.Uri.joinPath(uri, ...path.split('/')).toString(), { folder, path, workflowId, target }];
  });
}
