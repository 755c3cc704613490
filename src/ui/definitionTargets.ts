// Which workflow a document is the definition of: a document of a service says it in its address, a file in the links of its folder.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { targetName, type WorkflowTarget } from '../domain/targets.ts';
import type { Connections } from '../model/connections/connections.ts';
import { isTheirs, serviceTarget } from './addresses.ts';

/** The files that are linked to workflows. */
export interface DefinitionLinks {
  /** Fires when a file may be linked to another workflow, or to none. */
  readonly onDidChange: Event<void>;
  /** `target`: undefined if it isn't known which workflow of which connection it is. */
  find(uri: vscode.Uri): { readonly target: WorkflowTarget | undefined } | undefined;
  /** The files of a workflow, which may be gone. */
  filesOf(target: WorkflowTarget): readonly vscode.Uri[];
  /** True for a file that was found to be what the service has, whatever that adds on its own. */
  isPushed(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): boolean;
  /** Fires when that may have changed. */
  readonly onDidCompare: Event<void>;
  /** Resolves once the links are known. */
  load(): Promise<void>;
}

export class DefinitionTargets implements Disposable {
  readonly #links: DefinitionLinks;
  readonly #owned = new DisposableStore();
  /** The document of each workflow that was in front last, by the workflow's name. */
  readonly #last = new Map<string, string>();

  constructor(links: DefinitionLinks) {
    this.#links = links;
    const { window, workspace } = vscode;
    const see = (editor: vscode.TextEditor | undefined): void => {
      if (editor === undefined) return;
      const { uri } = editor.document;
      const target = this.ofEdited(uri);
      if (target !== undefined) this.#last.set(targetName(target), uri.toString());
    };
    see(window.activeTextEditor);
    this.#owned.add(window.onDidChangeActiveTextEditor(see));
    this.#owned.add(links.onDidChange(() => see(window.activeTextEditor)));
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        for (const [name, last] of this.#last) if (last === uri.toString()) this.#last.delete(name);
      }),
    );
  }

  /** Fires when a document may be the definition of another workflow, or of none. */
  get onDidChange(): Event<void> {
    return this.#links.onDidChange;
  }

  /** Resolves once all links are known. */
  load(): Promise<void> {
    return this.#links.load();
  }

  /** The workflow of a definition's document, and of the service's side in a comparison with it; undefined for any other document. */
  of(uri: vscode.Uri): WorkflowTarget | undefined {
    return serviceTarget(uri) ?? this.#links.find(uri)?.target;
  }

  /** The same, but undefined for the service's side, which can't be edited. */
  ofEdited(uri: vscode.Uri): WorkflowTarget | undefined {
    return isTheirs(uri) ? undefined : this.of(uri);
  }

  /** True for a file, whose saving changes nothing on the service. */
  isLinkedFile(uri: vscode.Uri): boolean {
    return serviceTarget(uri) === undefined && this.of(uri) !== undefined;
  }

  /** True for a file that was found to be what the service has, whatever that adds on its own. */
  isPushed(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): boolean {
    return this.#links.isPushed(document);
  }

  /** Fires when that may have changed. */
  get onDidCompare(): Event<void> {
    return this.#links.onDidCompare;
  }

  /** True for a document of this workflow's definition that can be edited. */
  isOf(uri: vscode.Uri, target: WorkflowTarget): boolean {
    const found = this.ofEdited(uri);
    return found !== undefined && targetName(found) === targetName(target);
  }

  /** Returns the open document of a workflow's definition: of a file and the service's own, the one that was in front last. */
  findOpen(target: WorkflowTarget): vscode.TextDocument | undefined {
    const open = vscode.workspace.textDocuments.filter(
      ({ uri, isClosed }) => !isClosed && this.isOf(uri, target),
    );
    const last = this.#last.get(targetName(target));
    return (
      open.find(({ uri }) => uri.toString() === last) ??
      open.find(({ uri }) => this.isLinkedFile(uri)) ??
      open[0]
    );
  }

  /** The files that are linked to a workflow, which may be gone. */
  filesOf(target: WorkflowTarget): readonly vscode.Uri[] {
    return this.#links.filesOf(target);
  }

  /** Returns the document of the file that is linked to a workflow: the open one, or else the first one that is there. */
  async openFile(target: WorkflowTarget): Promise<vscode.TextDocument | undefined> {
    await this.load();
    const open = this.findOpen(target);
    if (open !== undefined && this.isLinkedFile(open.uri)) return open;
    for (const uri of this.filesOf(target)) {
      try {
        await vscode.workspace.fs.stat(uri);
        return await vscode.workspace.openTextDocument(uri);
      } catch (error) {
        if (!(error instanceof vscode.FileSystemError)) throw error;
      }
    }
    return undefined;
  }

  /** Returns the document of this file. Rejects with FileNotFound for one that isn't linked to the workflow. */
  async openLinked(uri: vscode.Uri, target: WorkflowTarget): Promise<vscode.TextDocument> {
    await this.load();
    if (!this.isLinkedFile(uri) || !this.isOf(uri, target)) throw vscode.FileSystemError.FileNotFound(uri);
    return vscode.workspace.openTextDocument(uri);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** Whether a definition is the local service's. A file that isn't linked is meant for whichever service the user has. */
export function isForLocalService(
  {
    connections,
    definitionTargets,
  }: {
    readonly connections: Pick<Connections, 'all' | 'find'>;
    readonly definitionTargets: Pick<DefinitionTargets, 'of'>;
  },
  uri: vscode.Uri,
): boolean {
  const target = definitionTargets.of(uri);
  return target === undefined
    ? connections.all.current.every(({ kind }) => kind === 'local')
    : connections.find(target.connectionId)?.kind === 'local';
}
