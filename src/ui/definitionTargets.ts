// Which workflow a document is the definition of: a document of a service says it in its address, a file in the links of its folder.
import * as vscode from 'vscode';
import { toDisposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { targetName, type WorkflowTarget } from '../domain/targets.ts';
import type { Connections } from '../model/connections/connections.ts';
import { isTheirs, serviceTarget } from './addresses.ts';

/** The files that are linked to workflows. */
export interface DefinitionLinks {
  /** Fires when a file may be linked to another workflow, or to none. */
  readonly onDidChange: Event<void>;
  /** The workflow of a file; undefined for one that isn't linked. */
  readonly find: (uri: vscode.Uri) => WorkflowTarget | undefined;
}

export const noLinks: DefinitionLinks = {
  onDidChange: () => toDisposable(() => undefined),
  find: () => undefined,
};

export class DefinitionTargets {
  readonly #links: DefinitionLinks;

  constructor(links: DefinitionLinks) {
    this.#links = links;
  }

  /** Fires when a document may be the definition of another workflow, or of none. */
  get onDidChange(): Event<void> {
    return this.#links.onDidChange;
  }

  /** The workflow of a definition's document, and of the service's side in a comparison with it; undefined for any other document. */
  of(uri: vscode.Uri): WorkflowTarget | undefined {
    return serviceTarget(uri) ?? this.#links.find(uri);
  }

  /** The same, but undefined for the service's side, which can't be edited. */
  ofEdited(uri: vscode.Uri): WorkflowTarget | undefined {
    return isTheirs(uri) ? undefined : this.of(uri);
  }

  /** True for a document of this workflow's definition that can be edited. */
  isOf(uri: vscode.Uri, target: WorkflowTarget): boolean {
    const found = this.ofEdited(uri);
    return found !== undefined && targetName(found) === targetName(target);
  }

  /** Returns the open document of a workflow's definition. */
  findOpen(target: WorkflowTarget): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && this.isOf(uri, target));
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
